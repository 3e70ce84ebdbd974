import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

test('a run that lost its reference while it created a payable names no payable of its own', async () => {
	const [table, service] = [new FakeTable(), new FakeService()];
	let others: unknown;
	service.script = async ({ path }) => {
		if (path === '/v1/payable' && others === undefined) {
			others = 'started';
			others = await payAll(service, table.openElsewhere(), [requestOf('INV-1')]);
		}
		return undefined;
	};
	const items = await payAll(service, table.openElsewhere(), [requestOf('INV-1')]);
	expect(others).toMatchObject([{ status: 'funded', payable_id: 'pay-1' }]);
	expect(items).toMatchObject([{ status: 'not_sent', payable_id: null }]);
	expect(service.fundings).toHaveLength(1);
});
