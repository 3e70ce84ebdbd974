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
