import { deliver, useTrigger } from './support/trigger';

const { fixture, event, listenUnsigned, executionsOf, itemsOf } = useTrigger();

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

	test('starts one execution, also when it comes twenty times at once and again after a restart #event-starts-once', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event();
		const receipts = await Promise.all(
			Array.from({ length: 20 }, async () => await deliver(url, body)),
		);
		expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 200));
		expect(await itemsOf(workflow)).toHaveLength(1);

		await fixture().n8n.restart();
		expect((await deliver(url, { ...body, attempt: 2 })).status).toBe(200);
		expect(await itemsOf(workflow)).toHaveLength(1);
		await deliver(url, event());
		expect(await itemsOf(workflow)).toHaveLength(2);
	});

	test('without an ID starts one execution for all that it says', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event({ id: undefined });
		await deliver(url, body);
		await fixture().n8n.restart();
		await deliver(url, body);
		expect(await itemsOf(workflow)).toHaveLength(1);
		await deliver(url, { ...body, created_at: '2026-01-03T00:00:00Z' });
		expect(await itemsOf(workflow)).toHaveLength(2);
	});

	test('starts one execution each, when many come at once', async () => {
		const { workflow, url } = await listenUnsigned();
		const bodies = Array.from({ length: 20 }, () => event());
		await Promise.all(bodies.map(async (body) => await deliver(url, body)));
		await fixture().n8n.restart();
		await Promise.all(bodies.map(async (body) => await deliver(url, body)));
		const ids = (await itemsOf(workflow)).map((item) => item.event_id);
		expect(ids.sort()).toEqual(bodies.map(({ id }) => id).sort());
	});

	test('that was not chosen starts nothing', async () => {
		const { workflow, url } = await listenUnsigned({ events: ['payableApproved'] });
		const ignored = [
			event(),
			event({ event_type: 'payable.status_changed' }),
			event({ event_type: 'partner.status_changed', data: { partner: { id: 'partner-1' } } }),
			event({ event_type: 'payable.created' }),
			event({ event_type: 'payable.approved', workspace_id: fixture().sandbox.secondWorkspaceId }),
		];
		for (const body of ignored) {
			expect(await deliver(url, body)).toMatchObject({ status: 200 });
		}
		const wanted = event({ event_type: 'payable.approved' });
		await deliver(url, wanted);
		expect(await itemsOf(workflow)).toMatchObject([{ event_id: wanted.id }]);
	});

	test('starts an execution for the chosen statuses alone', async () => {
		const { workflow, url } = await listenUnsigned({
			events: ['partnerStatusChanged'],
			options: { statuses: [' Verified ', 'rejected'] },
		});
		for (const status of ['pending', 'VERIFIED', 'unverified', 'rejected']) {
			const change = {
				event_type: 'partner.status_changed',
				data: { partner: { id: 'p', status } },
			};
			expect((await deliver(url, event(change))).status).toBe(200);
		}
		const statuses = (await itemsOf(workflow)).map(({ status }) => status);
		expect(statuses.sort()).toEqual(['VERIFIED', 'rejected']);
	});

	test('is handed on as it was sent when it is not to be simplified, beside our word on it', async () => {
		const { workflow, url } = await listenUnsigned({ options: { simplify: false } });
		const body = event({ extra: { nested: [1, null, 'x'] }, verified: true });
		await deliver(url, body);
		expect(await itemsOf(workflow)).toEqual([{ body, verified: false }]);
	});

	test.each<[envelope: string, body: () => unknown, count: number]>([
		['the default one', () => event(), 1],
		[
			'type and payload',
			() => ({ type: 'PayablePaid', payload: { id: 'payable-1', status: 'paid' } }),
			1,
		],
		['a bare payable', () => ({ id: 'payable-1', status: 'paid', amount: 1999 }), 1],
		['a list of events', () => ({ events: [event(), event(), { type: 'ping' }] }), 2],
		['a list alone', () => [event(), event()], 2],
	])('is recognised in %s #event-recognised', async (_, body, count) => {
		const { workflow, url } = await listenUnsigned();
		expect((await deliver(url, JSON.stringify(body()))).status).toBe(200);
		expect(await executionsOf(workflow)).toHaveLength(1);
		const items = await itemsOf(workflow);
		expect(items).toHaveLength(count);
		for (const item of items) {
			expect(item).toMatchObject({ event: 'payablePaid', payable_id: 'payable-1', status: 'paid' });
		}
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

	test('with an unknown identifier starts an execution when it was assigned', async () => {
		const map = [{ kind: 'payablePaid', identifier: 'Obligation.Settled' }];
		const plain = await listenUnsigned();
		const assigned = await listenUnsigned({ options: { eventIdentifiers: { map } } });
		const body = event({ event_type: 'obligation.settled' });
		for (const { url } of [plain, assigned]) expect((await deliver(url, body)).status).toBe(200);
		expect(await executionsOf(plain.workflow)).toEqual([]);
		expect(await itemsOf(assigned.workflow)).toMatchObject([
			{ event: 'payablePaid', event_type: 'obligation.settled', event_id: body.id },
		]);
	});
});
