import type { Answer } from './scriptedService';
import { executeOperation, funding, payable, startScriptedService } from './support';

const service = startScriptedService();

describe('an access token', () => {
	test('that is refused is renewed once, and the request repeated', async () => {
		service.useScript(({ authorization }) =>
			authorization === 'Bearer token-2-opaque'
				? { body: { id: 'p1' } }
				: { status: 401, body: { message: 'Expired' } },
		);
		const credentials = { accessToken: 'token-0-opaque' };
		service.tokensIssued = 1;
		const { items, error } = await executeOperation(service, 'payable.create', payable(), {
			credentials,
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ id: 'p1' }]);
		expect(service.requests.map(({ authorization }) => authorization)).toEqual([
			'Bearer token-0-opaque',
			'Bearer token-2-opaque',
		]);
	});

	test('that is refused again is an error that names the credential', async () => {
		service.useScript(() => ({ status: 401, body: { message: 'Who are you' } }));
		const { error } = await executeOperation(service, 'funding.create', funding());
		expect(error?.message).toBe(
			'Could not create the funding: the service answered "Who are you" (status 401) [item 0]',
		);
		expect(error?.description).toContain('Check the credential');
		expect([service.requests.length, service.tokensIssued]).toEqual([2, 2]);
	});

	test('of another process is refused, and the own one as well: a new one is requested once', async () => {
		service.useScript(() => ({ body: { id: 'p1' } }));
		const credentials = { clientId: 'client-of-two-processes' };
		await executeOperation(service, 'payable.create', payable(), { credentials });

		const revoked = ['Bearer token-1-opaque', 'Bearer token-of-other-process'];
		service.script = ({ authorization = '' }) =>
			revoked.includes(authorization)
				? { status: 401, body: { message: 'Revoked' } }
				: { body: { id: 'p2' } };
		const { items, error } = await executeOperation(service, 'payable.create', payable(), {
			credentials: { ...credentials, accessToken: 'token-of-other-process' },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ id: 'p2' }]);
		expect(service.tokensIssued).toBe(2);
	});

	test.each<[what: string, answer: Answer, message: string]>([
		[
			'a wrong secret',
			{ status: 401, body: { error: 'invalid_client' } },
			'client secret is wrong',
		],
		['a wrong audience', { status: 403, body: { error: 'denied' } }, 'audience is not accepted'],
		['a wrong address', { status: 404, body: 'Not found' }, 'there is no token endpoint'],
		['a broken server', { status: 502, body: '<h1>Bad</h1>' }, 'a problem of its own'],
		['a page', { body: '<html></html>' }, 'not with a token'],
		['a cut connection', 'cut', 'cannot be reached, the connection was closed'],
	])(
		'that cannot be requested because of %s leaves nothing in doubt',
		async (_, answer, message) => {
			service.useScript(() => ({ body: {} }));
			service.tokenAnswer = answer;
			const { items } = await executeOperation(service, 'funding.create', funding(), {
				onError: 'continueRegularOutput',
			});
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^No access token: .*\[item 0\]$/),
					details: { hint: expect.stringMatching(/\w.*\.$/), in_doubt: false },
				},
			]);
			expect(items[0]?.json.error).toContain(message);
			expect(service.requests).toEqual([]);
		},
	);
});
