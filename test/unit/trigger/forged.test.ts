import { createHmac } from 'node:crypto';

import { FakeTrigger, OTHER_WORKSPACE, paid, SECRET, subscribed, WORKSPACE } from './fakeTrigger';

/** A delivery of `count` events. */
const many = (count: number): object => ({
	events: Array.from({ length: count }, (_, index) => ({
		type: 'payable_paid',
		payable_id: String(index),
	})),
});

test.each([
	['not signed', undefined],
	['signed with another secret', 'whsec_of_somebody_else'],
])(
	'a trigger that knows its secret starts nothing for an event that is %s, also where unsigned ones are accepted #forged-event',
	async (_, by) => {
		for (const unsignedEvents of ['accept', 'refuse', undefined]) {
			const trigger = await subscribed({ unsignedEvents });
			const event = paid();

			expect(await trigger.deliver(event, by)).toEqual({ status: 401, items: [] });
			// A forged delivery does not count as the first one of its event.
			expect((await trigger.deliver(event, SECRET)).items).toHaveLength(1);
		}
	},
);

describe.each<[answer: unknown]>([
	[{ webhook_subscription: { id: '1', secret: 'whsec_********' } }],
	[{}],
])('with the answer %j to the subscription, which tells no secret', (answer) => {
	test.each([undefined, 'refuse'])(
		'the activation says so, and nothing starts with Unsigned Events set to %s',
		async (unsignedEvents) => {
			const trigger = new FakeTrigger();
			trigger.options = { unsignedEvents };
			trigger.answer = () => ({ body: answer });
			const reason = 'No signing secret is known';

			await expect(trigger.publish()).rejects.toThrow(reason);
			// n8n tries an activation again: the subscription stands all the same, and is used again.
			await expect(trigger.publish()).rejects.toThrow(reason);
			expect(trigger.sent).toHaveLength(1);
			for (const by of [undefined, SECRET, 'whsec_********']) {
				expect(await trigger.deliver(paid(), by)).toEqual({ status: 401, items: [] });
			}
		},
	);

	test('events start the workflow unverified where unsigned ones are accepted', async () => {
		const trigger = await subscribed({ unsignedEvents: 'accept' }, answer);

		expect(trigger.warnings).toEqual([
			'"Trigger" starts its workflow for unverified events, since no signing secret is known',
		]);
		for (const by of [undefined, 'whsec_********']) {
			expect(await trigger.deliver(paid(), by)).toMatchObject({
				status: 200,
				items: [{ verified: false }],
			});
		}
	});
});

describe('a body that calls itself verified', () => {
	const lies = { verified: true, body: { verified: true }, data: { id: 'p', verified: true } };

	test.each([
		['false where it is not signed', undefined, false],
		['true where the service has', SECRET, true],
	])('comes out with our own word: %s', async (_, by, verified) => {
		const told = by === undefined ? {} : { secret: SECRET };
		const raw = await subscribed({ simplify: false, unsignedEvents: 'accept' }, told);
		const simplified = await subscribed({ unsignedEvents: 'accept' }, told);
		const body = paid(lies);

		const { items } = await raw.deliver(body, by);
		const [item] = (await simplified.deliver(paid({ ...lies, verified: !verified }), by)).items;

		expect(items).toEqual([{ body, verified }]);
		expect(item).toMatchObject({ verified, payable: { verified: true } });
	});
});

const other = { workspace_id: OTHER_WORKSPACE };

describe('an event of a workspace #event-of-another-workspace', () => {
	test('starts no workflow of another one', async () => {
		const trigger = await subscribed();
		const both = { workspace_id: WORKSPACE, more: other };

		expect(await trigger.deliver(paid(other), SECRET)).toEqual({ status: 200, items: [] });
		expect(await trigger.deliver(paid(both), SECRET)).toEqual({ status: 200, items: [] });
	});

	test.each([{ workspace_id: WORKSPACE.toUpperCase() }, {}])(
		'starts the workflow of that one, named as in %j',
		async (named) => {
			const trigger = await subscribed();

			const { items } = await trigger.deliver(paid(named), SECRET);

			expect(items).toMatchObject([{ workspace_id: WORKSPACE }]);
		},
	);

	test('is told apart in a list of events', async () => {
		const trigger = await subscribed();
		const list = [paid(), paid(other), paid({ workspace_id: WORKSPACE })];

		const ofOther = await trigger.deliver({ ...other, events: list }, SECRET);
		const ofBoth = await trigger.deliver(list, SECRET);

		expect(ofOther.items).toEqual([]);
		expect(ofBoth.items).toHaveLength(2);
	});
});

describe('a trigger without a workspace', () => {
	let trigger: FakeTrigger;

	beforeEach(() => {
		trigger = new FakeTrigger();
		trigger.parameters = { ...trigger.parameters, workspaceId: '' };
	});

	test('is not published where the credential has none', async () => {
		await expect(trigger.publish()).rejects.toThrow('Workspace is empty');

		expect(trigger.sent).toEqual([]);
	});

	test('has that of the credential', async () => {
		trigger.credentials = { ...trigger.credentials, defaultWorkspaceId: WORKSPACE };
		trigger.answer = () => ({ body: { subscription: { id: '1', secret: SECRET } } });
		const own = { workspace_id: WORKSPACE };

		await trigger.publish();

		expect(trigger.sent).toMatchObject([
			{ path: `/v1/workspace/${WORKSPACE}/webhook-subscription` },
		]);
		expect((await trigger.deliver(paid(other), SECRET)).items).toEqual([]);
		expect((await trigger.deliver(paid(own), SECRET)).items).toMatchObject([own]);
	});
});

test('as many events as a trigger keeps start their workflow once, however often they come', async () => {
	const trigger = await subscribed();

	expect((await trigger.deliver(many(5000), SECRET)).items).toHaveLength(5000);
	expect(await trigger.deliver(many(5000), SECRET)).toEqual({ status: 200, items: [] });
});

test('more events than a trigger can keep are refused together', async () => {
	const trigger = await subscribed();
	// These are counted before they are read.
	const unknown = Array.from({ length: 5001 }, () => ({}));

	expect(await trigger.deliver(many(5001), SECRET)).toEqual({ status: 413, items: [] });
	expect(await trigger.deliver(unknown, SECRET)).toEqual({ status: 413, items: [] });
	expect((await trigger.deliver(many(1), SECRET)).items).toHaveLength(1);
});

/** A signed event that holds something so deep. */
const deep = (open: string, close: string, depth = 100_000): string =>
	`{"type":"payable.paid","data":{"id":"p","more":${open.repeat(depth)}1${close.repeat(depth)}}}`;

test.each([
	['larger than a megabyte', 413, JSON.stringify(paid({ more: 'x'.repeat(1024 * 1024) }))],
	['cut off', 400, JSON.stringify(paid()).slice(0, -1)],
	['empty', 400, ''],
	['deep in lists', 400, deep('[', ']')],
	['deep in objects', 400, deep('{"a":', '}')],
	['a level too deep', 400, deep('[', ']', 99)],
])(
	'a signed body that is %s is refused with %i, and the next one counts',
	async (_, status, body) => {
		const trigger = await subscribed();

		expect(await trigger.deliver(body, SECRET)).toEqual({ status, items: [] });
		expect((await trigger.deliver(paid(), SECRET)).items).toHaveLength(1);
	},
);

describe('a byte order mark before the JSON', () => {
	const MARK = '\ufeff';

	test('is no reason to refuse a signed body', async () => {
		const trigger = await subscribed();

		const { status, items } = await trigger.deliver(MARK + JSON.stringify(paid()), SECRET);

		expect(status).toBe(200);
		expect(items).toMatchObject([{ payable_id: 'payable-1', verified: true }]);
	});

	test('is part of what is signed', async () => {
		const trigger = await subscribed();
		const body = JSON.stringify(paid());
		const signature = createHmac('sha256', SECRET).update(body).digest('hex');

		expect(await trigger.deliver(MARK + body, { 'x-signature': signature })).toEqual({
			status: 401,
			items: [],
		});
	});

	test('counts once, and alone is no JSON', async () => {
		const trigger = await subscribed();

		for (const body of [MARK, MARK + MARK + JSON.stringify(paid())]) {
			expect(await trigger.deliver(body, SECRET)).toEqual({ status: 400, items: [] });
		}
	});
});
