import { answerWithSecret, deliver, deliverSigned, useTrigger } from './support/trigger';

const { fixture, event, executionsOf, itemsOf, listen, listenUnsigned } = useTrigger();

test('a body that n8n or the trigger cannot read is refused or ignored, whatever its content type', async () => {
	const { workflow, url } = await listenUnsigned();
	const unreadable = [
		{ type: 'application/json', body: '{"id":' },
		{ type: 'application/json; charset=utf-16', body: '{}' },
		{ type: 'application/x-www-form-urlencoded', body: 'type=payable.paid&id=1' },
		{ type: 'multipart/form-data', body: JSON.stringify(event()) },
		{ type: 'nonsense', body: Buffer.from([0xff, 0x00, 0x7b]) },
		{ type: 'text/plain', body: '['.repeat(100_000) + ']'.repeat(100_000) },
	];

	for (const { type, body } of unreadable) {
		const { status } = await deliver(url, body, { 'content-type': type });

		expect([type, status < 500]).toEqual([type, true]);
	}

	await deliver(url, event());

	expect(await executionsOf(workflow)).toHaveLength(1);
});

test('an event starts an execution under any content type, also one that n8n does not parse', async () => {
	const { workflow, url } = await listenUnsigned();
	const types = ['application/cloudevents+json', 'application/octet-stream', 'text/plain'];

	for (const type of types) {
		const { status } = await deliver(url, JSON.stringify(event()), { 'content-type': type });

		expect([type, status]).toEqual([type, 200]);
	}

	expect(await executionsOf(workflow)).toHaveLength(types.length);
});

test('an event starts one execution with a simple item, also when it comes twenty times at once #event-starts-once', async () => {
	const { workflow, url } = await listenUnsigned();
	const body = event();

	const receipts = await Promise.all(
		Array.from({ length: 20 }, async () => await deliver(url, body)),
	);

	expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 200));
	expect(receipts).toContainEqual({ status: 200, data: { message: 'Received' } });
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
	expect((await deliver(url, { ...body, attempt: 2 })).status).toBe(200);
	expect(await itemsOf(workflow)).toHaveLength(1);

	const second = event();
	await deliver(url, [second, body, second]);

	expect((await itemsOf(workflow)).map((item) => item.event_id).sort()).toEqual(
		[body.id, second.id].sort(),
	);
});

test('an account that was connected subscribes, and its events are verified', async () => {
	const connected = await fixture().createUser();
	const secret = 'whsec_3f3a90b1c2d4e5f607';
	await answerWithSecret(fixture(), secret);
	const { workflow, url } = await listen(connected, { authentication: 'oAuth2' });

	expect((await deliver(url, event())).status).toBe(401);
	expect((await deliverSigned(url, event(), secret)).status).toBe(200);
	expect(await itemsOf(workflow)).toMatchObject([{ event: 'payablePaid', verified: true }]);
});
