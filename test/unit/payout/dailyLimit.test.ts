import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

const OTHER_WORKSPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';

/** A payout of 250.00, with 300.00 a day. */
const limited = (reference: string) =>
	requestOf(reference, { daily: { limit: 30_000, since: '2020-01-01T00:00:00.000Z' } });

test('the limit of a day is that of each workspace, and its error says so', async () => {
	const [table, service] = [new FakeTable(), new FakeService()];
	const { claim, payable, ...more } = limited('INV-2');
	const elsewhere = {
		...more,
		claim: { ...claim, workspaceId: OTHER_WORKSPACE },
		payable: { ...payable, workspace_id: OTHER_WORKSPACE },
	};
	expect(await payAll(service, table.open(), [limited('INV-1'), elsewhere])).toMatchObject([
		{ status: 'funded' },
		{ status: 'funded' },
	]);
	expect(await payAll(service, table.open(), [limited('INV-3')])).toMatchObject([
		{
			status: 'not_sent',
			error:
				'The payouts and fundings of the workspace add up to 500.00 today with this run, which is above the Maximum per Day, 300.00',
		},
	]);
	expect(service.fundings).toHaveLength(2);
});
