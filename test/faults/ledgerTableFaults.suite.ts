import { type Ledger, LedgerError } from '../../nodes/PartnerPayments/ledger/ledger';
import { keyOf, type Payment } from '../../nodes/PartnerPayments/ledger/payment';
import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/table/n8nApi';
import { equals } from '../../nodes/PartnerPayments/ledger/table/rows';
import { storeOf, TestTable } from '../n8n/support/ledgerTable';
import { claimOf, begins, kindsIn, paymentOf } from '../unit/ledger/ledgerRuns';

const broken = (code: string): Error => Object.assign(new Error('broken'), { code });

/** Pays together, after a claim that the service has refused. */
async function pay(run: Ledger, payments: Payment[]): Promise<void> {
	await (await claimOf(run, ...payments)).withdraw();
	await (await claimOf(run, ...payments)).complete('funded', 'fund-1');
}

/** Tests that a ledger behind n8n's public API bears what may go wrong with each of its requests. */
export function testTableFaults(send: () => SendToN8n): void {
	let table: TestTable;
	const reach: SendToN8n = async (request) => await send()(request);

	beforeAll(async () => {
		table = await TestTable.shared(send());
	});

	/** How many invoices there are, each with a number of its own. */
	let invoices = 0;

	/** What happens to one request. */
	const FAULTS: Record<string, SendToN8n> = {
		'goes unanswered after it took effect': async (request) => {
			await reach(request);
			throw broken('ECONNRESET');
		},
		'goes unanswered without effect': async () => await Promise.reject(broken('ETIMEDOUT')),
		'fails with status 500 after it took effect': async (request) => {
			await reach(request);
			return { status: 500, body: { message: 'Internal server error' } };
		},
		'is refused with status 503': async () =>
			await Promise.resolve({ status: 503, body: 'Database is not ready!' }),
	};

	/** Sends as usual, but for one request. */
	function withFault(fault: SendToN8n, wanted: number): { send: SendToN8n; count: () => number } {
		let count = 0;
		return {
			count: () => count,
			send: async (request) => {
				count += 1;
				return await (count === wanted ? fault : reach)(request);
			},
		};
	}

	test.each(Object.entries(FAULTS))(
		'each request of a run, one by one, %s, and the run or the next one pays, with one row for each payment',
		async (_, fault) => {
			for (let wanted = 1, isOver = false; !isOver; wanted += 1) {
				const { send, count } = withFault(fault, wanted);
				invoices += 2;
				const payments = [invoices - 1, invoices].map((number) => paymentOf(`INV-${number}`));

				await pay(table.open({ store: storeOf(send) }), payments).catch(async (error: unknown) => {
					expect(error).toBeInstanceOf(LedgerError);
					await pay(table.open(), payments);
				});
				isOver = count() < wanted;

				const rows = await table.rows().any(payments.map((one) => equals('key', keyOf(one))));

				expect(rows.map(({ reference, state }) => [reference, state])).toEqual(
					payments.map(({ reference }) => [reference, 'funded']),
				);
			}
		},
	);

	test('an n8n that is away for a while keeps the answer, and nobody sends the payment meanwhile', async () => {
		let refusals = 0;
		let isGone = false;
		const away: SendToN8n = async (request) => {
			if (!isGone) {
				return await reach(request);
			}
			refusals += 1;
			isGone = refusals < LONGER_THAN_ONE_CALL;
			return await Promise.reject(broken('ECONNREFUSED'));
		};
		const payment = paymentOf('lost');
		const claim = await claimOf(table.open({ store: storeOf(away) }), payment);
		isGone = true;

		const completing = claim.complete('funded', 'fund-1');
		expect(await begins(table.open(), payment)).toBe(false);

		expect(await completing).toBe(true);
		expect(await kindsIn(table.open(), payment)).toEqual(['done']);
	});
}

/** A call gives up after six refusals. */
const LONGER_THAN_ONE_CALL = 8;
