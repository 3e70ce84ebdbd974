import { sendOnce } from '../../../nodes/PartnerPayments/execution/sendOnce';
import { entryOf, toTableRow } from '../../../nodes/PartnerPayments/ledger/dataTable/row';
import type { LedgerKind } from '../../../nodes/PartnerPayments/ledger/ledger';
import { rejectionOf } from '../support';
import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

const FUNDED = ['funded'];

const statusesOf = (items: Array<Record<string, unknown>>): unknown[] =>
	items.map(({ status }) => status);

describe('a row of which a person has emptied a field', () => {
	test.each(['operation', 'environment', 'workspace_id'])(
		'that says what it stands for, %s, lets nothing be paid for its reference',
		async (field) => {
			const [table, service] = [new FakeTable(), new FakeService()];
			expect(statusesOf(await payAll(service, table.open(), [requestOf('INV-1')]))).toEqual(FUNDED);
			Object.assign(table.row('INV-1'), { [field]: '' });
			const again = await payAll(service, table.open(), [requestOf('INV-1')]);
			expect(again).toMatchObject([{ status: 'not_sent' }]);
			expect(service.fundings).toHaveLength(1);
			expect(statusesOf(await payAll(service, table.open(), [requestOf('INV-2')]))).toEqual(FUNDED);
		},
	);
});

test('a doubt of a run that may still wait for its answer is not funded again', async () => {
	const [table, service] = [new FakeTable(), new FakeService()];
	service.script = async ({ path }) =>
		await Promise.resolve(path === '/v1/funding' ? { status: 503 } : undefined);
	await payAll(service, table.open(), [requestOf('INV-1')]);
	const again = requestOf('INV-1', { isFundedAgain: true });
	Object.assign(table.row('INV-1'), { run: 'another', updatedAt: new Date().toISOString() });
	const sent = service.fundings.length;
	expect(statusesOf(await payAll(service, table.open(), [again]))).toEqual(['in_doubt']);
	expect(service.fundings).toHaveLength(sent);
	const longAgo = new Date(Date.now() - 10 * 60_000).toISOString();
	Object.assign(table.row('INV-1'), { run: 'another', updatedAt: longAgo });
	await payAll(service, table.open(), [again]);
	expect(service.fundings).toHaveLength(sent + 1);
});

describe('an amount in which a person has written what is no whole number of cents', () => {
	test.each([12.5, -100, NaN, Infinity, 1e300, null])(
		'(%p) is named where the limit of the day counts it, and nothing is paid',
		async (amount) => {
			const [table, service] = [new FakeTable(), new FakeService()];
			await payAll(service, table.open(), [requestOf('INV-1')]);
			Object.assign(table.row('INV-1'), { amount_cents: amount });
			const daily = { limit: 1_000_000, since: '2020-01-01T00:00:00.000Z' };
			const limited = requestOf('INV-2', { daily });
			expect(await payAll(service, table.open(), [limited])).toMatchObject([
				{
					status: 'not_sent',
					error:
						'The amount_cents of "INV-1" in the ledger table is not a whole number of cents, so what was paid today is not known',
				},
			]);
			expect(service.fundings).toHaveLength(1);
			const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
			expect(record?.amount).toBeNull();
		},
	);
});

test.each([2.5, -3, NaN, null])(
	'a count of unused payables that is none (%p) is left out',
	(count) => {
		const row = toTableRow({ operation: 'payout', state: 'created', unused_payables: count });
		expect(entryOf(row).facts).toEqual({});
	},
);

/** Creates a payable or a funding under the reference; notes what was sent. */
async function makeOnce(
	table: FakeTable,
	kind: 'payable' | 'funding',
	sent: string[],
): Promise<void> {
	const isPayable = kind === 'payable';
	await sendOnce(table.open({ kind }), {
		claim: requestOf('INV-1').claim,
		sending: isPayable ? 'creating' : 'funding',
		settled: isPayable ? 'created' : 'funded',
		send: async (beforeSend) => {
			await beforeSend();
			sent.push(kind);
			return { id: 'x1' };
		},
		factsOf: ({ id }) => (isPayable ? { payable_id: String(id) } : { funding_id: String(id) }),
		known: () => ({}),
	});
}

describe('a state that an entry cannot have', () => {
	const STATES: Array<[kind: LedgerKind, written: string | null]> = [
		['payout', 'fundde'],
		['payout', ''],
		['payout', null],
		['payout', 'creating'],
		['payable', 'craeted'],
		['payable', 'funding'],
		['payable', 'approved'],
		['funding', 'Funded'],
		['funding', 'created'],
		['funding', 'creating'],
		['funding', 'approved'],
	];

	test.each(STATES)('of a %s, %p, is in doubt, and is told', (kind, written) => {
		expect(entryOf(toTableRow({ operation: kind, state: written }))).toMatchObject({
			state: kind === 'payable' ? 'creating' : 'funding',
			unknownState: written ?? '',
		});
	});

	test.each(['fundde', 'creating', '', null])(
		'lets a payout (%p) not be paid, and says why',
		async (written) => {
			const [table, service] = [new FakeTable(), new FakeService()];
			await payAll(service, table.open(), [requestOf('INV-1')]);
			const sent = service.received.length;
			Object.assign(table.row('INV-1'), { state: written });
			expect(await payAll(service, table.open(), [requestOf('INV-1')])).toMatchObject([
				{
					status: 'in_doubt',
					error: `In doubt whether it was paid, so do not pay it again: its state in the ledger table, "${written ?? ''}", is none that it can have`,
				},
			]);
			expect(service.received).toHaveLength(sent);
		},
	);

	test.each([
		['payable', 'funding'],
		['payable', 'craeted'],
		['funding', 'creating'],
		['funding', 'created'],
		['funding', 'fundde'],
	] as const)('lets a %s (%s) not be made again, and says why', async (kind, written) => {
		const [table, sent] = [new FakeTable(), [] as string[]];
		await makeOnce(table, kind, sent);
		Object.assign(table.row('INV-1'), { state: written });
		expect(await rejectionOf(makeOnce(table, kind, sent))).toMatchObject({
			message: `In doubt whether the ${kind} "INV-1" was made, so do not repeat it: its state in the ledger table, "${written}", is none that it can have`,
			outcome: 'unknown',
		});
		expect(sent).toEqual([kind]);
	});

	test.each(['payable', 'funding'] as const)(
		'of a %s lets it be made again when a person has settled it as not made',
		async (kind) => {
			const [table, sent] = [new FakeTable(), [] as string[]];
			await makeOnce(table, kind, sent);
			Object.assign(table.row('INV-1'), { state: 'unknown' });
			const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
			if (record === undefined) throw new Error('There is no entry');
			await table.ledgerTable().settleByHand(record, 'notPaid');
			await makeOnce(table, kind, sent);
			expect(sent).toEqual([kind, kind]);
		},
	);

	test.each(['', null, 'fundde'])('is settled by a person all the same (%p)', async (written) => {
		const [table, service] = [new FakeTable(), new FakeService()];
		await payAll(service, table.open(), [requestOf('INV-1')]);
		Object.assign(table.row('INV-1'), { state: written });
		const [record] = await table.ledgerTable().list({ states: ['funding'] });
		if (record === undefined) throw new Error('There is no entry');
		expect(await table.ledgerTable().settleByHand(record, 'paid')).toMatchObject({
			state: 'funded',
		});
	});
});
