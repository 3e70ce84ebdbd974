import { isSubscribed, subscribe } from '../../../nodes/PartnerPayments/trigger/subscriptions';
import { FakeTrigger, OTHER_WORKSPACE, WORKSPACE } from './fakeTrigger';

const SECRET = 'whsec_of_the_subscription';

let events = 0;

/** An event with an ID of its own. */
const paid = (changes: object = {}): object => ({
	id: `event-${(events += 1)}`,
	event_type: 'payable.paid',
	data: { id: 'payable-1', status: 'paid' },
	...changes,
});

/** A trigger that has subscribed, and was told a secret unless the answer has none. */
async function subscribed(
	options: FakeTrigger['options'] = {},
	answer: unknown = { subscription: { id: '1', secret: SECRET } },
): Promise<FakeTrigger> {
	const trigger = new FakeTrigger();
	trigger.options = options;
	trigger.answer = () => ({ body: answer });
	await subscribe(trigger.hooks);
	return trigger;
}

/** What an answer to the subscription leads to: whether a true and a forged event start the workflow. */
describe.each<[answer: unknown]>([
	[{ webhook_subscription: { id: '1', secret: SECRET } }],
	[{ data: { subscription: { signing_secret: SECRET } } }],
	[{ subscription: { id: '1', secret: SECRET } }],
	[{ webhook_subscription: { id: '1' }, webhook_signing_secret: SECRET }],
	[{ shared_secret: SECRET }],
	[{ id: '1', hmac_key: SECRET }],
	[{ result: [{ webhook: { signing: { key: SECRET } } }] }],
])('with the answer %j to the subscription', (answer) => {
	test('a signed event starts the workflow, verified', async () => {
		const trigger = await subscribed({}, answer);
		expect(await trigger.deliver(paid(), SECRET)).toMatchObject({
			status: 200,
			items: [{ event: 'payablePaid', verified: true }],
		});
	});

	test.each([
		['nobody', undefined],
		['somebody else', 'whsec_of_somebody_else'],
	])(
		'an event signed by %s starts nothing, also where unsigned ones are accepted #forged-event',
		async (_, by) => {
			for (const unsignedEvents of ['accept', 'refuse', undefined]) {
				const trigger = await subscribed({ unsignedEvents }, answer);
				expect(await trigger.deliver(paid(), by)).toEqual({ status: 401, items: [] });
			}
		},
	);
});

describe.each<[answer: unknown]>([
	[{ webhook_subscription: { id: '1', key: SECRET } }],
	[{ webhook_subscription: { id: '1', secret: 'whsec_********' } }],
	[{ signing_algorithm: 'HMAC-SHA256' }],
	[{}],
])('with the answer %j to the subscription, which tells no secret', (answer) => {
	test.each([undefined, 'refuse'])(
		'the activation says so, and nothing starts with Unsigned Events set to %s',
		async (unsignedEvents) => {
			const trigger = new FakeTrigger();
			trigger.options = { unsignedEvents };
			trigger.answer = () => ({ body: answer });
			const reason =
				'No signing secret is known, so forged events could not be told from true ones';
			await expect(subscribe(trigger.hooks)).rejects.toThrow(reason);
			// n8n tries an activation again: the subscription stands all the same, and is used again.
			await expect(isSubscribed(trigger.hooks)).rejects.toThrow(reason);
			expect(trigger.sent).toHaveLength(1);
			for (const by of [undefined, SECRET, 'HMAC-SHA256', 'whsec_********']) {
				expect(await trigger.deliver(paid(), by)).toEqual({ status: 401, items: [] });
			}
		},
	);

	test('events start the workflow unverified where unsigned ones are accepted', async () => {
		const trigger = await subscribed({ unsignedEvents: 'accept' }, answer);
		expect(trigger.warnings).toEqual([
			'"Trigger" starts its workflow for events that nobody can verify, since no signing secret is known',
		]);
		for (const by of [undefined, 'whsec_********']) {
			expect(await trigger.deliver(paid(), by)).toMatchObject({
				status: 200,
				items: [{ verified: false }],
			});
		}
	});

	test('the secret in the credential signs them', async () => {
		const trigger = new FakeTrigger();
		trigger.credentials.webhookSigningSecret = SECRET;
		trigger.answer = () => ({ body: answer });
		await subscribe(trigger.hooks);
		expect(await trigger.deliver(paid())).toEqual({ status: 401, items: [] });
		expect(await trigger.deliver(paid(), SECRET)).toMatchObject({ items: [{ verified: true }] });
	});
});

describe('a body that calls itself verified', () => {
	const lies = { verified: true, body: { verified: true }, data: { id: 'p', verified: true } };

	test.each([
		['false where nobody has signed it', undefined, false],
		['true where the service has', SECRET, true],
	])('comes out with our own word: %s', async (_, by, verified) => {
		const told = by === undefined ? {} : { secret: SECRET };
		const raw = await subscribed({ simplify: false, unsignedEvents: 'accept' }, told);
		const body = paid(lies);
		expect((await raw.deliver(body, by)).items).toEqual([{ body, verified }]);
		const simplified = await subscribed({ unsignedEvents: 'accept' }, told);
		const [item] = (await simplified.deliver(paid({ ...lies, verified: !verified }), by)).items;
		expect(item).toMatchObject({ verified, payable: { verified: true } });
	});
});

describe('an event of a workspace', () => {
	test.each<[place: string, of: (workspace: string) => object]>([
		['workspace_id', (id) => ({ workspace_id: id })],
		['workspaceId', (id) => ({ workspaceId: id })],
		['workspace.id', (id) => ({ workspace: { id } })],
		['data.workspace_id', (id) => ({ data: { id: 'p', workspace_id: id } })],
		['data.workspaceId', (id) => ({ data: { id: 'p', workspaceId: id } })],
		['data.workspace.id', (id) => ({ data: { id: 'p', workspace: { id } } })],
		['data.payable.workspace_id', (id) => ({ data: { payable: { id: 'p', workspace_id: id } } })],
	])('that is named at %s starts the workflow of that one alone', async (_, of) => {
		const trigger = await subscribed();
		expect(await trigger.deliver(paid(of(OTHER_WORKSPACE)), SECRET)).toEqual({
			status: 200,
			items: [],
		});
		const both = { ...of(WORKSPACE), more: { workspace_id: OTHER_WORKSPACE } };
		expect((await trigger.deliver(paid(both), SECRET)).items).toEqual([]);
		const own = WORKSPACE.toUpperCase();
		expect((await trigger.deliver(paid(of(own)), SECRET)).items).toMatchObject([
			{ workspace_id: own },
		]);
	});

	test('that is named beside a list starts nothing', async () => {
		const trigger = await subscribed();
		const body = { workspace: { id: OTHER_WORKSPACE }, events: [paid(), paid()] };
		expect((await trigger.deliver(body, SECRET)).items).toEqual([]);
	});

	test('that is not named says so', async () => {
		const trigger = await subscribed();
		expect((await trigger.deliver(paid(), SECRET)).items).toMatchObject([{ workspace_id: null }]);
	});
});

test.each([
	{ type: 'payable_paid' },
	{ id: 'event-1', type: 'payable_paid' },
	{ id: 'event-1', type: 'payable.paid', data: { status: 'paid' } },
	{ id: 'event-1', type: 'partner.status_changed', data: { partner: { status: 'verified' } } },
])('%j has no ID of its object, and starts nothing', async (body) => {
	const trigger = await subscribed();
	expect(await trigger.deliver(body, SECRET)).toEqual({ status: 200, items: [] });
});

test('two kinds of events with one ID start an execution each, once', async () => {
	const trigger = await subscribed();
	const data = { id: 'payable-1', status: 'paid' };
	const types = [
		'payable.status_changed',
		'payable.paid',
		'payable.status_changed',
		'payable.paid',
	];
	const started = [];
	for (const event_type of types) {
		started.push(...(await trigger.deliver({ id: 'event-1', event_type, data }, SECRET)).items);
	}
	expect(started).toMatchObject([{ event: 'payableStatusChanged' }, { event: 'payablePaid' }]);
});
