import { subscriptionAnswerNames } from '../../sandbox/shared/settings';
import { deliveryFixture } from './delivery-fixture';
import { demo } from './fixture';
import { isSignedWith } from './receiver';

const { fixture, receiver, control, emitAndSettle } = deliveryFixture();

type Answer = Record<string, unknown>;

/** Subscribes the receiver; the answer may break the contract. */
async function readAnswer(): Promise<Answer> {
	const api = await fixture.sandbox.api();
	const body = { url: receiver.url(), events: ['payable.paid'] };
	const { status, data } = await api.post<Answer>(fixture.path('/webhook-subscription'), body);
	expect(status).toBe(200);
	return data;
}

/** The path to the secret in an answer, and all that stands beside it. */
function secretIn(answer: unknown, path: string[] = []): { path: string; secret: string }[] {
	if (typeof answer === 'string') {
		return /secret|hmac/.test(path.at(-1) ?? '') ? [{ path: path.join('.'), secret: answer }] : [];
	}
	return Object.entries(answer as Answer).flatMap(([name, value]) =>
		secretIn(value, [...path, name]),
	);
}

const places: Record<string, string[]> = {
	default: ['webhook_subscription.secret'],
	nested: ['data.subscription.signing_secret'],
	subscription: ['subscription.secret'],
	beside: ['secret'],
	webhook_signing_secret: ['webhook_subscription.webhook_signing_secret'],
	shared_secret: ['webhook_subscription.shared_secret'],
	hmac_key: ['webhook_subscription.hmac_key'],
	none: [],
};

test.each(subscriptionAnswerNames)(
	'the answer %s holds the secret that signs the deliveries, in its place alone, until a reset',
	async (shape) => {
		await control().setSubscriptionAnswer(shape);
		const found = secretIn(await readAnswer());
		expect(found.map(({ path }) => path)).toEqual(places[shape]);
		await emitAndSettle();
		const [delivery] = receiver.received;
		expect(delivery?.signature).toMatch(/^[0-9a-f]{64}$/);
		for (const { secret } of found) expect(isSignedWith(secret, delivery)).toBe(true);
		await control().reset();
		expect(secretIn(await readAnswer()).map(({ path }) => path)).toEqual(places['default']);
	},
);

test('a client that got another secret gets tokens with that one alone', async () => {
	const { clientId, clientSecret } = demo;
	await control().setClientSecret(clientId, 'another-secret');
	await expect(fixture.sandbox.token()).rejects.toMatchObject({ response: { status: 401 } });
	await fixture.sandbox.token({ clientId, clientSecret: 'another-secret' });
	await control().setClientSecret(clientId, clientSecret);
	await fixture.sandbox.token();
});
