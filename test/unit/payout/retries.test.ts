import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

const FUNDING = '/v1/funding';

describe('a funding that waits, since the service took too many requests', () => {
	test('is not sent any more when a person has settled it, and somebody else has paid', async () => {
		const [table, service] = [new FakeTable(), new FakeService()];
		let others: unknown;
		service.script = async ({ path }) => {
			if (path !== FUNDING || service.fundings.length > 1) return undefined;
			const [record] = await table.ledgerTable().find({ reference: 'INV-1' });
			if (record !== undefined) await table.ledgerTable().settleByHand(record, 'notPaid');
			others = await payAll(service, table.openElsewhere(), [requestOf('INV-1')]);
			return { status: 429, headers: { 'retry-after': '0' } };
		};
		const items = await payAll(service, table.openElsewhere(), [requestOf('INV-1')]);
		expect(others).toMatchObject([{ status: 'funded' }]);
		expect(items).toMatchObject([{ status: 'duplicate', first_status: 'funded' }]);
		expect(service.fundings).toHaveLength(2);
		expect(table.row('INV-1')).toMatchObject({ state: 'funded', run: '' });
	});

	test('goes on for the others of its group', async () => {
		const [table, service] = [new FakeTable(), new FakeService()];
		service.script = async ({ path }) => {
			await Promise.resolve();
			if (path !== FUNDING || service.fundings.length > 1) return undefined;
			Object.assign(table.row('INV-1'), { state: 'funded', run: '' });
			return { status: 429, headers: { 'retry-after': '0' } };
		};
		const requests = ['INV-1', 'INV-2'].map((reference) => requestOf(reference));
		const items = await payAll(service, table.open(), requests);
		expect(items.map(({ status }) => status)).toEqual(['duplicate', 'funded']);
		expect(service.fundings.map(({ amount }) => amount)).toEqual([50_000, 25_000]);
		expect(table.row('INV-2')).toMatchObject({ state: 'funded', run: '' });
	});

	test('is not in doubt when the ledger cannot be reached then', async () => {
		const [table, service] = [new FakeTable(), new FakeService()];
		let isDown = false;
		const { before } = table;
		table.before = async (request) => {
			if (isDown && request.method === 'PATCH') throw new Error('down');
			await before(request);
		};
		service.script = async ({ path }) => {
			await Promise.resolve();
			if (path !== FUNDING) return undefined;
			isDown = true;
			return { status: 429, headers: { 'retry-after': '0' } };
		};
		const items = await payAll(service, table.open(), [requestOf('INV-1')]);
		expect(items).toMatchObject([{ status: 'not_sent' }]);
		expect(service.fundings).toHaveLength(1);
	});

	test('is sent again, once it may be', async () => {
		const [table, service] = [new FakeTable(), new FakeService()];
		service.script = async ({ path }) => {
			await Promise.resolve();
			if (path !== FUNDING || service.fundings.length > 2) return undefined;
			return { status: 429, headers: { 'retry-after': '0' } };
		};
		const requests = ['INV-1', 'INV-2'].map((reference) => requestOf(reference));
		const items = await payAll(service, table.open(), requests);
		expect(items.map(({ status }) => status)).toEqual(['funded', 'funded']);
		expect(service.fundings).toHaveLength(3);
	});
});
