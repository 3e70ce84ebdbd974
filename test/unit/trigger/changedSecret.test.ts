import { isSubscribed, subscribe } from '../../../nodes/PartnerPayments/trigger/subscriptions';
import { storeTriggerData } from '../../../nodes/PartnerPayments/trigger/triggerData';
import { encrypt } from '../../../nodes/PartnerPayments/trigger/encryption';
import { FakeTrigger, paid, SECRET, subscribed, WORKSPACE } from './fakeTrigger';

/** A trigger that was subscribed before n8n was started: this process has read no secret of it. */
function restarted(): FakeTrigger {
	const trigger = new FakeTrigger();
	trigger.credentials.clientSecret = 'first';
	const secret = encrypt(SECRET, 'first');
	const subscription = {
		...{ environment: 'sandbox', workspaceId: WORKSPACE, url: trigger.url },
		...{ events: trigger.events, secret },
	};
	trigger.staticData.global = { partnerPayments: { 'node-1': { subscriptions: [subscription] } } };
	trigger.answer = () => ({ body: { secret: SECRET } });
	return trigger;
}

describe('when the client gets another secret', () => {
	test('deliveries are verified on, with the secret that this process has read', async () => {
		const trigger = await subscribed();
		trigger.credentials.clientSecret = 'another';
		expect(await trigger.deliver(paid())).toEqual({ status: 401, items: [] });
		expect((await trigger.deliver(paid(), SECRET)).items).toMatchObject([{ verified: true }]);
		expect(await isSubscribed(trigger.hooks)).toBe(true);
		expect(trigger.warnings).toEqual([]);
	});

	test('the signing secret is stored anew, so that it can be read after a restart', async () => {
		const trigger = await subscribed();
		trigger.credentials.clientSecret = 'another';
		await trigger.deliver(paid(), SECRET);
		const stored = JSON.stringify(trigger.staticData);
		expect(stored).not.toContain(SECRET);
		const later = restarted();
		later.staticData = JSON.parse(stored) as FakeTrigger['staticData'];
		later.credentials.clientSecret = 'another';
		expect((await later.deliver(paid(), SECRET)).items).toMatchObject([{ verified: true }]);
	});

	test('and this process has read none, it subscribes anew by itself, once, and says so in the log', async () => {
		const trigger = restarted();
		trigger.options = { unsignedEvents: 'accept' };
		trigger.credentials.clientSecret = 'another';
		trigger.answer = () => ({ body: { secret: 'whsec_of_the_new_one' } });
		const forged = [undefined, SECRET, 'whsec_of_nobody'].map(
			async (by) => await trigger.deliver(paid(), by),
		);
		const refused = { status: 401, items: [] };
		expect(await Promise.all(forged)).toEqual([refused, refused, refused]);
		expect(trigger.sent).toHaveLength(1);
		expect(trigger.warnings).toEqual([
			'"Trigger" refuses deliveries with 401, since the signing secret of its subscription cannot be read any more, as after a change of the client secret. It has subscribed anew, and accepts what that subscription delivers.',
		]);
		expect(await trigger.deliver(paid(), SECRET)).toEqual(refused);
		expect((await trigger.deliver(paid(), 'whsec_of_the_new_one')).items).toMatchObject([
			{ verified: true },
		]);
		expect(await isSubscribed(trigger.hooks)).toBe(true);
	});

	test.each<[what: string, answer: { status?: number; body: unknown }, said: string]>([
		['refuses', { status: 422, body: { message: 'Not now' } }, 'Not now'],
		['tells no secret', { body: {} }, 'No signing secret is known'],
	])(
		'and the service %s a new subscription, deliveries are refused, and nothing is tried again',
		async (_, answer, said) => {
			const trigger = restarted();
			trigger.options = { unsignedEvents: 'refuse' };
			trigger.credentials.clientSecret = 'another';
			trigger.answer = () => answer;
			for (const by of [undefined, SECRET, SECRET]) {
				expect(await trigger.deliver(paid(), by)).toEqual({ status: 401, items: [] });
			}
			expect(trigger.sent).toHaveLength(1);
			expect(trigger.warnings).toEqual([expect.stringMatching(/publish the workflow again/)]);
			expect(trigger.warnings[0]).toContain(said);
		},
	);

	test('and it is published again, it subscribes anew', async () => {
		const trigger = restarted();
		trigger.credentials.clientSecret = 'another';
		expect(await isSubscribed(trigger.hooks)).toBe(false);
		await subscribe(trigger.hooks);
		expect((await trigger.deliver(paid(), SECRET)).items).toMatchObject([{ verified: true }]);
	});

	test('another client reads nothing that this one has read', async () => {
		const trigger = await subscribed();
		Object.assign(trigger.credentials, { clientId: 'other', clientSecret: 'of the other' });
		trigger.answer = () => ({ body: { secret: 'whsec_of_the_other' } });
		expect(await isSubscribed(trigger.hooks)).toBe(false);
		for (let round = 0; round < 2; round += 1) {
			expect(await trigger.deliver(paid(), SECRET)).toEqual({ status: 401, items: [] });
		}
	});
});

test('where nothing is known of any subscription, nothing starts, also where unsigned events are accepted', async () => {
	const trigger = new FakeTrigger();
	trigger.options = { unsignedEvents: 'accept' };
	trigger.answer = () => ({ status: 503, body: {} });
	for (const by of [undefined, SECRET]) {
		expect(await trigger.deliver(paid(), by)).toEqual({ status: 401, items: [] });
	}
	expect(trigger.warnings).toHaveLength(1);
});

test('the secret of the sandbox signs nothing in production', async () => {
	const trigger = await subscribed();
	trigger.answer = () => ({ body: { secret: 'whsec_of_production' } });
	trigger.credentials.environment = 'production';
	expect(await isSubscribed(trigger.hooks)).toBe(false);
	for (let round = 0; round < 2; round += 1) {
		expect(await trigger.deliver(paid(), SECRET)).toEqual({ status: 401, items: [] });
	}
});

test('what an earlier release has stored under the name of the node is used', async () => {
	const { staticData } = await subscribed();
	const stored = (staticData.global?.partnerPayments as Record<string, object>)['node-1'];
	const trigger = new FakeTrigger();
	trigger.staticData = { node: { ...stored } };
	expect(await isSubscribed(trigger.hooks)).toBe(true);
	expect((await trigger.deliver(paid(), SECRET)).items).toMatchObject([{ verified: true }]);
});

test('the subscription of a test is known to tests alone', async () => {
	const trigger = new FakeTrigger();
	trigger.mode = 'manual';
	trigger.answer = () => ({ body: { secret: SECRET } });
	await subscribe(trigger.hooks);
	storeTriggerData(trigger.hooks);
	expect(trigger.staticData).toEqual({});
	expect((await trigger.deliver(paid(), SECRET)).items).toHaveLength(1);
	trigger.mode = 'trigger';
	expect(await isSubscribed(trigger.hooks)).toBe(false);
	expect(await trigger.deliver(paid(), SECRET)).toEqual({ status: 401, items: [] });
});

test.each([{ onError: 'continueRegularOutput' }, { continueOnFail: true }] as const)(
	'what cannot be checked starts nothing with %j, where n8n would go on with an empty item',
	async (node) => {
		const trigger = new FakeTrigger();
		trigger.events = [];
		await expect(trigger.deliver(paid())).rejects.toThrow('Events is empty');
		trigger.node = node;
		expect(await trigger.deliver(paid())).toEqual({ status: 500, items: [] });
	},
);
