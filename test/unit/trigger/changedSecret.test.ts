import { isSubscribed, subscribe } from '../../../nodes/PartnerPayments/trigger/subscriptions';
import { storeTriggerData } from '../../../nodes/PartnerPayments/trigger/triggerData';
import { FakeTrigger, paid, SECRET, subscribed } from './fakeTrigger';

const REFUSED = { status: 401, items: [] };

describe('when the client gets another secret', () => {
	let trigger: FakeTrigger;

	beforeEach(async () => {
		trigger = await subscribed();
		trigger.credentials.clientSecret = 'another';
		trigger.sent.length = 0;
	});

	test('deliveries are refused, also where unsigned ones are accepted, and the log says so once', async () => {
		trigger.options = { unsignedEvents: 'accept' };
		const before = JSON.stringify(trigger.staticData);
		for (const by of [undefined, SECRET, 'whsec_of_nobody'])
			expect(await trigger.deliver(paid(), by)).toEqual(REFUSED);
		expect(trigger.warnings).toEqual([
			expect.stringMatching(/^"Trigger" refuses deliveries with 401, .*Publish the workflow again/),
		]);
		// A delivery that anybody can send subscribes to nothing, and stores nothing.
		expect(trigger.sent).toEqual([]);
		expect(JSON.stringify(trigger.staticData)).toBe(before);
	});

	test('and the workflow is published again, it subscribes again', async () => {
		trigger.answer = () => ({ body: { secret: 'whsec_of_the_new_one' } });
		expect(await isSubscribed(trigger.hooks)).toBe(false);
		await subscribe(trigger.hooks);
		expect(await isSubscribed(trigger.hooks)).toBe(true);
		expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);
		const { items } = await trigger.deliver(paid(), 'whsec_of_the_new_one');
		expect(items).toMatchObject([{ verified: true }]);
		expect(JSON.stringify(trigger.staticData)).not.toContain('whsec');
	});
});

test('where nothing is known of any subscription, nothing starts, also where unsigned events are accepted', async () => {
	const trigger = new FakeTrigger();
	trigger.options = { unsignedEvents: 'accept' };
	for (const by of [undefined, SECRET]) expect(await trigger.deliver(paid(), by)).toEqual(REFUSED);
	expect(trigger.warnings).toHaveLength(1);
});

test('the secret of the sandbox signs nothing in production', async () => {
	const trigger = await subscribed();
	trigger.credentials.environment = 'production';
	expect(await isSubscribed(trigger.hooks)).toBe(false);
	expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);
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
	expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);
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
