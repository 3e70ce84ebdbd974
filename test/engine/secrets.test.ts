import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import { byId, SECRET, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('a secret that the service repeats is nowhere in the execution', () => {
	const TOKEN = 'token-1-opaque';
	const shapes: [name: string, write: (secret: string) => Answer][] = [
		['JSON', (secret) => ({ body: { id: 'p1', status: 'x', echo: `<${secret}>` } })],
		['a name', (secret) => ({ body: { id: 'p1', [secret]: 1 } })],
		['a refusal', (secret) => ({ status: 422, body: { message: `Bad ${secret}` } })],
		['a 401', (secret) => ({ status: 401, body: { message: `Bad ${secret}` } })],
		['a header', (secret) => ({ status: 422, body: 'No', headers: { 'x-echo': secret } })],
	];

	const everywhere = shapes.flatMap(([name, write]) =>
		[SECRET, TOKEN].map((secret) => ({ name, secret, answer: write(secret) })),
	);

	test.each(everywhere)('$name: $secret', async ({ answer }) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			service.useScript(() => answer);

			const { stored } = await service.execute('payable.approve', { payableId: 'p1' }, { onError });

			expect(service.requests.length).toBeGreaterThan(0);
			expect(stored).not.toContain(TOKEN);
			expect(stored).not.toContain(SECRET);
			expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
		}
	});

	test('nor is what an item calls a secret, when an error quotes it', async () => {
		const url = 'hooks.example.com/?token=value-of-the-user&id=1';
		const parameters = { workspaceId, url, events: ['payablePaid'] };
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const { error, items } = await service.execute('webhookSubscription.create', parameters, {
				onError,
			});
			const message = error?.message ?? items[0]?.json.error;

			expect(message).toContain('not a web address: "hooks.example.com/?token=[redacted]&id=1"');
		}
	});

	test('also when the token endpoint repeats it', async () => {
		const refusal = { status: 401, body: { error_description: `Bad ${SECRET}` } };
		service.answerToken = () => refusal;

		const { stored, error } = await service.execute('wallet.get', { workspaceId });

		expect(error?.message).toContain('[redacted]');
		expect(stored).not.toContain(SECRET);
		expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
	});
});

describe('the signing secret of a subscription #no-signing-secret-anywhere', () => {
	const SIGNING_SECRET = 'whsec_of_the_subscription';
	const answers = [
		{ subscription: { id: 's1', secret: SIGNING_SECRET } },
		{ id: 's1', signing: { key: SIGNING_SECRET }, help: `Verify with ${SIGNING_SECRET}` },
	].map((body) => ({ body, name: JSON.stringify(body) }));

	const subscribe = async (options: INodeParameters) => {
		const url = 'https://hooks.example.com/x';
		const parameters = { workspaceId, url, events: ['payablePaid'], options };

		return await service.execute('webhookSubscription.create', parameters);
	};

	test.each(answers)('does not come out by itself: $name', async ({ body }) => {
		service.useScript(() => ({ body }));

		const { items, stored } = await subscribe({});

		expect(JSON.stringify(items)).toContain('"s1"');
		expect(JSON.stringify(items)).toContain('[redacted]');
		expect(stored).not.toContain(SIGNING_SECRET);
		expect(service.requests).toHaveLength(1);
	});

	test.each(answers)('comes out when asked for: $name', async ({ body }) => {
		service.useScript(() => ({ body }));

		const { items } = await subscribe({ includeSecret: true });

		expect(JSON.stringify(items)).toContain('"s1"');
		expect(JSON.stringify(items)).toContain(SIGNING_SECRET);
		expect(service.requests).toHaveLength(1);
	});
});
