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

		for (const by of [undefined, SECRET, 'whsec_of_nobody']) {
			expect(await trigger.deliver(paid(), by)).toEqual(REFUSED);
		}

		expect(trigger.warnings).toEqual([
			expect.stringMatching(/^"Trigger" refuses deliveries with 401: .*Publish the workflow again/),
		]);
		// A delivery that anybody can send subscribes to nothing, and stores nothing.
		expect(trigger.sent).toEqual([]);
		expect(JSON.stringify(trigger.staticData)).toBe(before);
	});

	test('and the workflow is published again, it subscribes again', async () => {
		trigger.answer = () => ({ body: { secret: 'whsec_1f3a90b1c2d4e5f607' } });

		await trigger.publish();
		await trigger.publish();

		expect(trigger.sent).toHaveLength(1);
		expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);

		const { items } = await trigger.deliver(paid(), 'whsec_1f3a90b1c2d4e5f607');

		expect(items).toMatchObject([{ verified: true }]);
		expect(JSON.stringify(trigger.staticData)).not.toContain('whsec');
	});
});

describe('of several secrets', () => {
	test("the credential's counts alone, so that a leaked one is replaced #one-signing-secret", async () => {
		const trigger = await subscribed();
		trigger.credentials.webhookSigningSecret = 'whsec_of_the_credential';

		expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);

		const { items } = await trigger.deliver(paid(), 'whsec_of_the_credential');

		expect(items).toMatchObject([{ verified: true }]);
	});

	test('that of the newest subscription counts, which covers the events of the one before', async () => {
		const trigger = new FakeTrigger();
		trigger.events = ['payablePaid'];
		trigger.answer = () => ({ body: { secret: SECRET } });
		await trigger.publish();
		trigger.events = ['payableApproved'];
		trigger.answer = () => ({ body: { secret: 'whsec_2f3a90b1c2d4e5f607' } });
		await trigger.publish();
		trigger.events = ['payablePaid'];

		await trigger.publish();

		expect(trigger.sent.map(({ body }) => body)).toMatchObject([
			{ events: ['payable.paid'] },
			{ events: ['payable.approved', 'payable.paid'] },
		]);
		expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);

		const { items } = await trigger.deliver(paid(), 'whsec_2f3a90b1c2d4e5f607');

		expect(items).toMatchObject([{ event: 'payablePaid', verified: true }]);
	});
});

describe('with a maximum age of two days #maximum-age', () => {
	const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

	test('an event that says that it is too old starts nothing', async () => {
		const trigger = await subscribed({ maxAge: 2 });

		const { items } = await trigger.deliver(paid({ created_at: daysAgo(2.1) }), SECRET);

		expect(items).toEqual([]);
	});

	test.each([
		['that is younger', paid({ created_at: daysAgo(1.9) })],
		['whose time cannot be read', paid({ created_at: 'yesterday' })],
		['without a time', paid()],
		[
			'whose record alone is old',
			{ id: 'payable-2', amount: 5, status: 'paid', created_at: daysAgo(9) },
		],
	])('an event %s starts', async (_, event) => {
		const trigger = await subscribed({ maxAge: 2 });

		const { items } = await trigger.deliver(event, SECRET);

		expect(items).toHaveLength(1);
	});
});

test('a maximum age of nothing is refused', async () => {
	const trigger = await subscribed();
	trigger.options = { maxAge: 0 };

	await expect(trigger.deliver(paid(), SECRET)).rejects.toThrow('"Maximum Age" is not');
});

test('without a known subscription nothing starts, even where unsigned events are accepted', async () => {
	const trigger = new FakeTrigger();
	trigger.options = { unsignedEvents: 'accept' };

	for (const by of [undefined, SECRET]) {
		expect(await trigger.deliver(paid(), by)).toEqual(REFUSED);
	}

	expect(trigger.warnings).toHaveLength(1);
});

test('the secret of the sandbox signs nothing in production', async () => {
	const trigger = await subscribed();
	trigger.credentials.environment = 'production';

	expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);

	await trigger.publish();

	expect(trigger.sent).toHaveLength(2);
});

test('the subscription of a test is known to tests alone', async () => {
	const trigger = new FakeTrigger();
	trigger.mode = 'manual';
	trigger.answer = () => ({ body: { secret: SECRET } });
	await trigger.publish();

	await trigger.unpublish();

	expect(trigger.staticData).toEqual({});
	expect((await trigger.deliver(paid(), SECRET)).items).toHaveLength(1);

	trigger.mode = 'trigger';

	expect(await trigger.deliver(paid(), SECRET)).toEqual(REFUSED);

	await trigger.publish();

	expect(trigger.sent).toHaveLength(2);
});

test('what cannot be checked is an error', async () => {
	const trigger = new FakeTrigger();
	trigger.events = [];

	await expect(trigger.deliver(paid())).rejects.toThrow('"Events" is empty');
});

test.each([{ onError: 'continueRegularOutput' }, { continueOnFail: true }] as const)(
	'what cannot be checked starts nothing with %j, where n8n would continue with an empty item',
	async (node) => {
		const trigger = new FakeTrigger();
		trigger.events = [];
		trigger.node = node;

		expect(await trigger.deliver(paid())).toEqual({ status: 500, items: [] });
	},
);

test('a subscription says what the options want it to say', async () => {
	const trigger = await subscribed({
		subscriptionUrlKey: 'callback',
		subscriptionEventsKey: 'topics',
		subscriptionExtraFields: '{"description": "n8n", "active": true}',
	});

	expect(trigger.sent.map(({ body }) => body)).toEqual([
		{
			callback: trigger.url,
			topics: ['partner.status_changed', 'payable.paid', 'payable.status_changed'],
			description: 'n8n',
			active: true,
		},
	]);
});
