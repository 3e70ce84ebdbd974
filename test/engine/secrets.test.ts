import type { Answer } from './scriptedService';
import { byId, executeOperation, SECRET, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('a secret that the service repeats is nowhere in the execution', () => {
	const TOKEN = 'token-1-opaque';
	const inAscii = (text: string): string =>
		Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
	const shapes: [name: string, write: (secret: string) => Answer][] = [
		['JSON', (secret) => ({ body: { id: 'p1', status: 'x', echo: `<${secret}>` } })],
		[
			'JSON with escaped slashes',
			(secret) => ({
				body: JSON.stringify({ id: 'p1', status: 'x', echo: secret }).replaceAll('/', '\\/'),
				type: 'application/json',
			}),
		],
		[
			'JSON in ASCII escapes',
			(secret) => ({
				body: `{"id":"p1","echo":"${inAscii(secret)}"}`,
				type: 'application/json',
			}),
		],
		['a name', (secret) => ({ body: { id: 'p1', [secret]: 1 } })],
		['a refusal', (secret) => ({ status: 422, body: { message: `Bad ${secret}` } })],
		['a refusal as text', (secret) => ({ status: 400, body: `Bad ${secret}` })],
		['a 401', (secret) => ({ status: 401, body: { message: `Bad ${secret}` } })],
		['a 500', (secret) => ({ status: 500, body: { message: `Bad ${secret}` } })],
		['a header', (secret) => ({ status: 422, body: 'No', headers: { 'x-echo': secret } })],
	];
	const everywhere = shapes.flatMap(([name, write]) =>
		[SECRET, TOKEN].map((secret) => ({ name, secret, answer: write(secret) })),
	);

	test.each(everywhere)('$name: $secret', async ({ answer }) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			service.useScript(() => answer);
			const { stored } = await executeOperation(
				service,
				'payable.approve',
				{ payableId: 'p1' },
				{ onError },
			);
			expect(service.requests.length).toBeGreaterThan(0);
			expect(stored).not.toContain(TOKEN);
			expect(stored).not.toContain(SECRET);
			expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
		}
	});

	test('also when the token endpoint repeats it', async () => {
		service.useScript(() => ({ body: {} }));
		service.tokenAnswer = { status: 401, body: { error_description: `Bad ${SECRET}` } };
		const { stored, error } = await executeOperation(service, 'wallet.get', { workspaceId });
		expect(error?.message).toContain('[redacted]');
		expect(stored).not.toContain(SECRET);
		expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
	});
});
