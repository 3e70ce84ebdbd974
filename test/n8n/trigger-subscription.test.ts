import { answerWithSecret, deliver, deliverSigned, useTrigger } from './support/trigger';

const { fixture, client, countSubscriptions, event, itemsOf, listen } = useTrigger();

describe('the subscription', () => {
	test('says what the options want it to say', async () => {
		const { sandbox } = fixture();
		await sandbox.control.addFault({
			kind: 'status',
			status: 201,
			match: { operationId: 'createWebhookSubscription' },
			body: { webhook_subscription: { id: 'subscription-1' } },
		});
		await sandbox.control.clearRequests();
		await listen(client(), {
			events: ['payablePaid', 'partnerStatusChanged'],
			options: {
				unsignedEvents: 'accept',
				subscriptionUrlKey: 'callback',
				subscriptionEventsKey: 'topics',
				subscriptionExtraFields: '{"description": "n8n", "active": true}',
			},
		});
		const [request] = await sandbox.control.requests('createWebhookSubscription');
		expect(request?.body).toEqual({
			callback: expect.stringContaining('/webhook/'),
			topics: ['partner.status_changed', 'payable.paid'],
			description: 'n8n',
			active: true,
		});
	});

	test('is made with an account that was connected', async () => {
		const { createUser } = fixture();
		const connected = await createUser();
		const secret = 'whsec_3f3a90b1c2d4e5f607';
		await answerWithSecret(fixture(), secret);
		const made = await countSubscriptions();
		const { workflow, url } = await listen(connected, { authentication: 'oAuth2' });
		expect(await made()).toBe(1);
		expect((await deliver(url, event())).status).toBe(401);
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ event: 'payablePaid', verified: true }]);
	});
});
