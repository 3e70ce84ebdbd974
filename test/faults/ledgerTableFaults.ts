import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/dataTable/apiRequest';
import type { DataTableLedger } from '../../nodes/PartnerPayments/ledger/dataTable/dataTableLedger';
import { LedgerError } from '../../nodes/PartnerPayments/ledger/ledger';
import { approved, claimOf, NEW } from '../unit/ledger/ledgerContract-support';
import { TestTable } from '../n8n/support/ledgerTable';

const broken = (code: string): Error => Object.assign(new Error('broken'), { code });

/** A run from the claim to the end, of one reference or two together. */
async function wholeLife(run: DataTableLedger, references: string[]): Promise<void> {
	const claims = references.map((reference) => claimOf(reference));
	expect(await run.claim(claims)).toEqual(claims.map(() => NEW));
	for (const claim of claims) await run.advance([claim], approved(`pay-${claim.reference}`));
	expect(await run.begin(claims, 'funding')).toEqual(new Map());
	await run.reopen(claims, 'approved');
	expect(await run.begin(claims, 'funding')).toEqual(new Map());
	expect(await run.settle(claims, 'funded', { funding_id: 'fund-1' })).toBe(true);
	await run.finish(claims);
}

/** Tests that the ledger of a table bears what may go wrong with each of its requests. */
export function testTableFaults(send: () => SendToN8n): void {
	let table: TestTable;

	beforeAll(async () => {
		table = await TestTable.make(send());
	});

	/** What happens to one request. */
	const FAULTS: Record<string, SendToN8n> = {
		'goes unanswered after it took effect': async (request) => {
			await table.send(request);
			throw broken('ECONNRESET');
		},
		'goes unanswered without effect': async () => await Promise.reject(broken('ETIMEDOUT')),
		'fails with status 500 after it took effect': async (request) => {
			await table.send(request);
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
				return await (count === wanted ? fault : table.send)(request);
			},
		};
	}

	describe.each(Object.entries(FAULTS))('each request of a run, one by one, %s', (what, fault) => {
		test.each([1, 2])(
			'and %i references are funded all the same, with one row each',
			async (size) => {
				for (let wanted = 1, isOver = false; !isOver; wanted += 1) {
					const { send, count } = withFault(fault, wanted);
					const references = Array.from(
						{ length: size },
						(_, index) => `INV-${what}-${size}-${wanted}-${index}`,
					);
					await wholeLife(table.open({ send }), references);
					isOver = count() < wanted;
					const rows = await table.rows().readAny('reference', references);
					expect(rows.map(({ reference, state, run }) => [reference, state, run])).toEqual(
						references.map((reference) => [reference, 'funded', '']),
					);
				}
			},
		);
	});

	describe('an n8n that does not answer any more', () => {
		/** Answers so many requests. */
		const dying = (answered: number): SendToN8n => {
			let count = 0;
			return async (request) => {
				count += 1;
				return count > answered
					? await Promise.reject(broken('ECONNREFUSED'))
					: await table.send(request);
			};
		};

		test('leaves nothing begun, and a later run continues', async () => {
			const own = [claimOf('INV-dead')];
			const run = table.open({ send: dying(3) });
			expect(await run.claim(own)).toEqual([NEW]);
			await expect(run.begin(own, 'funding')).rejects.toThrow(
				'The payout ledger at n8n.example cannot be reached: nothing answers at that address',
			);
			await expect(run.finish(own)).rejects.toThrow(LedgerError);
			const later = table.open();
			expect(await later.claim(own)).toMatchObject([{ state: 'claimed', isInterrupted: true }]);
			expect((await later.begin(own, 'funding')).size).toBe(0);
		});

		test('leaves in doubt what was answered but could not be kept', async () => {
			const own = [claimOf('INV-lost')];
			const run = table.open({ send: dying(4) });
			await run.claim(own);
			expect((await run.begin(own, 'funding')).size).toBe(0);
			expect(await run.settle(own, 'funded', {})).toBe(false);
			expect(await table.open().claim(own)).toMatchObject([{ state: 'funding' }]);
		});
	});
}
