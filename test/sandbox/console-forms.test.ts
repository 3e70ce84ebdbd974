import { asItIs, demo, http } from './fixture';
import { deliveryFixture } from './delivery-fixture';

const { fixture, control, subscribe, emitAndSettle } = deliveryFixture();
const form = 'application/x-www-form-urlencoded';

/** Sends a form of the console as a browser does, with other headers where they are given. */
const send = async (name: string, body: string, headers: Record<string, string | undefined> = {}) =>
	await http.post<string>(fixture.consoleUrl(`/do/${name}`), body, {
		...asItIs,
		headers: { 'content-type': form, origin: new URL(fixture.sandbox.apiUrl).origin, ...headers },
	});

const deposit = (more: Record<string, string> = {}): string =>
	new URLSearchParams({ workspaceId: demo.workspaceId, amount: '5', ...more }).toString();

const backWith = (rest: string): string => `/_sandbox/console${rest}`;

test.each([
	['dots to a name', backWith('/../../..//other.example')],
	['dots that are encoded', backWith('/%2e%2e/%2E%2e/..//other.example')],
	['backslashes', backWith('\\..\\..\\..\\\\other.example')],
	['a backslash at the start', '\\\\other.example/_sandbox/console'],
	['two slashes', '//other.example/_sandbox/console'],
	['control characters', backWith('/.\t./.\n./../\t/other.example')],
	['control characters at the start', '/\t/other.example/_sandbox/console'],
	['another site', 'https://other.example/_sandbox/console'],
	['a name that begins alike', '/_sandbox/console@other.example'],
	['a path that begins alike', '/_sandbox/consoles'],
	['a script', 'javascript:alert(1)//_sandbox/console'],
	['no address', 'http://['],
])('an action comes back to the console and nowhere else: %s', async (_, back) => {
	const { status, headers } = await send('deposit', deposit({ back }));

	const location = new URL(String(headers['location']), fixture.sandbox.apiUrl);
	expect(status).toBe(303);
	expect(location.origin).toBe(new URL(fixture.sandbox.apiUrl).origin);
	expect(location.pathname).toBe('/_sandbox/console');
	expect(await control().deposits()).toHaveLength(1);
});

test.each([
	['a page of the console', '/payables?status=paid', '/payables?status=paid&done=deposit'],
	['encoded slashes, which are a name', '/..%2f..%2fx', '/..%2f..%2fx?done=deposit'],
	['the page itself', '', '?done=deposit'],
])('an action comes back to %s', async (_, back, expected) => {
	const { headers } = await send('deposit', deposit({ back: backWith(back) }));

	expect(headers['location']).toBe(backWith(expected));
});

test.each([
	['of JSON', { 'content-type': 'application/json' }, 415],
	['of text', { 'content-type': 'text/plain' }, 415],
	['of no type', { 'content-type': '' }, 415],
	['from no page', { origin: undefined }, 403],
	['from a page without a name', { origin: 'null' }, 403],
	['from another site', { origin: 'https://other.example' }, 403],
])('the console takes no form %s', async (_, headers, expected) => {
	const { status } = await send('deposit', deposit(), headers);

	expect(status).toBe(expected);
	expect(await control().deposits()).toEqual([]);
});

describe('a subscription to the sandbox itself', () => {
	const paths = [
		'console/do/reset',
		'console/do/expireTokens',
		'console/do/clearRequests',
		'console/do/advanceClock',
		'reset',
		'tokens/expire',
		'grants/revoke',
		'events',
	];

	test.each(paths)('controls nothing: /_sandbox/%s', async (path) => {
		await control().setSettings({ maxAttempts: 1 });
		const { port } = new URL(fixture.sandbox.apiUrl);
		await subscribe(`http://localhost:${port}/_sandbox/${path}`);
		const vendor = await control().addVendor({ email: 'kept@example.com' });

		const [delivery] = await emitAndSettle();

		expect(delivery).toMatchObject({ state: 'failed', lastStatus: 403 });
		expect(await control().vendor('kept@example.com')).toEqual(vendor);
		expect((await fixture.api.get(fixture.path())).status).toBe(200);
	});

	test('cannot hide behind the header of the signature', async () => {
		await control().setSettings({ signatureHeader: 'user-agent', maxAttempts: 1 });
		await subscribe(`${fixture.sandbox.controlUrl}/console/do/reset`);

		const [delivery] = await emitAndSettle();

		expect(delivery).toMatchObject({ state: 'failed', lastStatus: 403 });
	});
});
