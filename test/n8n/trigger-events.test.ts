import { deliver, useTrigger } from './support/trigger';

const { fixture, event, listenUnsigned, itemsOf } = useTrigger();

describe('an event', () => {
	test('starts one execution with a simple item', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event();
		expect(await deliver(url, body)).toEqual({ status: 200, data: { message: 'Received' } });
		expect(await itemsOf(workflow)).toEqual([
			{
				event: 'payablePaid',
				event_type: 'payable.paid',
				event_id: body.id,
				occurred_at: '2026-01-02T03:04:05Z',
				workspace_id: fixture().sandbox.workspaceId,
				payable_id: 'payable-1',
				status: 'paid',
				payable: { id: 'payable-1', status: 'paid', amount: 1999 },
				verified: false,
			},
		]);
	});

	test('starts one execution, also when it comes twenty times at once #event-starts-once', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event();
		const receipts = await Promise.all(
			Array.from({ length: 20 }, async () => await deliver(url, body)),
		);
		expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 200));
		expect(await itemsOf(workflow)).toHaveLength(1);
		expect((await deliver(url, { ...body, attempt: 2 })).status).toBe(200);
		expect(await itemsOf(workflow)).toHaveLength(1);
		await deliver(url, event());
		expect(await itemsOf(workflow)).toHaveLength(2);
	});

	test('is handed on as it was sent when it is not to be simplified, beside our word on it', async () => {
		const { workflow, url } = await listenUnsigned({ options: { simplify: false } });
		const body = event({ extra: { nested: [1, null, 'x'] }, verified: true });
		await deliver(url, body);
		expect(await itemsOf(workflow)).toEqual([{ body, verified: false }]);
	});

	test('that came in a list is not started again when it comes alone', async () => {
		const { workflow, url } = await listenUnsigned();
		const [first, second] = [event(), event()];
		await deliver(url, [first, first]);
		await deliver(url, [first, second]);
		await deliver(url, second);
		const ids = (await itemsOf(workflow)).map((item) => item.event_id);
		expect(ids.sort()).toEqual([first.id, second.id].sort());
	});
});
