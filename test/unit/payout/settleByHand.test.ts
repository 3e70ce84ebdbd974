import type { ApiRequest } from '../../../nodes/PartnerPayments/ledger/dataTable/apiRequest';
import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

/** A payout whose funding got no answer. */
async function inDoubt(): Promise<{ table: FakeTable; service: FakeService }> {
	const [table, service] = [new FakeTable(), new FakeService()];
	service.script = async ({ path }) =>
		await Promise.resolve(path === '/v1/funding' ? { status: 503 } : undefined);
	await payAll(service, table.open(), [requestOf('INV-1')]);
	return { table, service };
}

describe('settling by hand', () => {
	test('that n8n carries out once more, late, does not open what was funded since', async () => {
		const { table, service } = await inDoubt();
		const requests: ApiRequest[] = [];
		table.before = async (request) => {
			await Promise.resolve();
			requests.push(request);
		};
		const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
		if (record === undefined) throw new Error('There is no entry');
		await table.ledgerTable().settleByHand(record, 'notPaid');
		expect(table.row('INV-1')).toMatchObject({ state: 'approved', run: '' });
		const late = requests.find(({ method }) => method === 'PATCH');
		if (late === undefined) throw new Error('Nothing was settled');

		await payAll(service, table.open(), [requestOf('INV-1')]);
		expect(table.row('INV-1')).toMatchObject({ state: 'funding' });
		await table.send(late);
		expect(table.row('INV-1')).toMatchObject({ state: 'funding' });
	});

	test('is refused when a run has taken the doubt over since it was read', async () => {
		const { table } = await inDoubt();
		const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
		if (record === undefined) throw new Error('There is no entry');
		const run = table.open();
		const { claim } = requestOf('INV-1');
		await run.claim([claim]);
		expect(await run.resend([claim])).toEqual(new Set([claim]));
		expect(await table.ledgerTable().settleByHand(record, 'notPaid')).toBeUndefined();
		expect(table.row('INV-1')).toMatchObject({ state: 'funding' });
	});

	test.each([null, ''])('works on a row whose tokens a person has emptied (%p)', async (empty) => {
		const { table } = await inDoubt();
		Object.assign(table.row('INV-1'), { run: empty, batch: empty });
		const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
		if (record === undefined) throw new Error('There is no entry');
		expect(await table.ledgerTable().settleByHand(record, 'notPaid')).toMatchObject({
			state: 'approved',
		});
	});
});
