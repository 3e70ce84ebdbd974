import { asItIs, demo, http, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const { workspaceId } = demo;
const DEEPEST = 64;

/** Lists or objects in each other, this many deep. */
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

/** A body with a field that is this deep in all. */
const withField = (value: string): string => `{"kind":"body","grant_type":"x","body":${value}}`;

const send = async (url: string, body: string) => {
	const headers = {
		'content-type': 'application/json',
		authorization: String(fixture.api.defaults.headers['authorization']),
	};
	return await http.post<unknown>(url, body, { ...asItIs, headers });
};

const API_PATHS = [
	'/payable',
	'/funding',
	'/funding/fnd_x/link-deposit',
	`/workspace/${workspaceId}/partner/invite`,
	`/workspace/${workspaceId}/wallet/deposit`,
	`/workspace/${workspaceId}/webhook-subscription`,
];
const CONTROL_PATHS = ['/faults', '/events', '/seed', '/reset', '/settings', '/deliveries/faults'];

/** An address that reads JSON, by what it is called. */
type Endpoint = [name: string, url: () => string];

const endpoints: Endpoint[] = [
	['the token endpoint', () => `${fixture.sandbox.authUrl}/oauth/token`],
	...API_PATHS.map((path): Endpoint => [path, () => fixture.sandbox.apiUrl + path]),
	...CONTROL_PATHS.map((path): Endpoint => [path, () => fixture.sandbox.controlUrl + path]),
];

test.each(endpoints)('a body nested 480,000 deep is refused at once by %s', async (_, url) => {
	const startedAt = performance.now();
	const state = await fixture.control.state();

	const answers = await Promise.all([
		send(url(), withField(lists(480_000))),
		send(url(), withField(objects(160_000))),
	]);

	expect(answers.map(({ status }) => status)).toEqual([400, 400]);
	expect(performance.now() - startedAt).toBeLessThan(1_000);
	expect(await fixture.control.state()).toEqual(state);
	expect(await fixture.control.faults()).toEqual([]);
});

test.each([
	['lists', lists],
	['objects', objects],
])('%s are taken up to the bound, and not beyond', async (_, nested) => {
	const url = `${fixture.sandbox.controlUrl}/faults`;
	const fault = (depth: number) => `{"kind":"body","body":${nested(depth - 1)}}`;

	const deepest = await send(url, fault(DEEPEST));
	const deeper = await send(url, fault(DEEPEST + 1));

	expect([deepest.status, deeper.status]).toEqual([200, 400]);
	expect(await fixture.control.faults()).toHaveLength(1);
});

test('brackets in a text are no depth, also after quotes that are escaped', async () => {
	const text = `\\"${'['.repeat(200)}\\\\`;
	const body = `{"kind":"body","body":"${text}"}`;

	const { status } = await send(`${fixture.sandbox.controlUrl}/faults`, body);

	expect(status).toBe(200);
	expect(await fixture.control.faults()).toMatchObject([
		{ body: JSON.parse(`"${text}"`) as string },
	]);
});

test.each([
	['the name of a header', { headers: { 'bad name': 'x' } }],
	['a header on two lines', { headers: { 'x-a': 'x\r\ny: z' } }],
	['a header in another alphabet', { headers: { 'x-a': '\u0416' } }],
	['a type on two lines', { contentType: 'text/html\nx' }],
])('a fault that could not be sent is refused: %s', async (_, content) => {
	const fault = { kind: 'status', status: 503, ...content };

	const { status } = await http.post(`${fixture.sandbox.controlUrl}/faults`, fault);

	expect(status).toBe(400);
	expect(await fixture.control.faults()).toEqual([]);
});
