import type { AxiosResponse } from 'axios';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const unknownId = '99999999-9999-4999-8999-999999999999';
const inWorkspace = (rest: string) => `/workspace/${fixture.sandbox.workspaceId}${rest}`;

beforeEach(async () => await fixture.sandbox.control.reset());

describe('other calls', () => {
	const cases: [string, () => Promise<AxiosResponse>, number, string][] = [
		[
			'a workspace that is no UUID',
			() => fixture.api.get('/workspace/main'),
			400,
			'invalid_request',
		],
		['an unknown workspace', () => fixture.api.get(`/workspace/${unknownId}`), 404, 'not_found'],
		['an unknown partner', () => fixture.api.get(inWorkspace('/partner/prt_x')), 404, 'not_found'],
		['an unknown payable', () => fixture.api.post('/payable/pbl_x/approve'), 404, 'not_found'],
		['an unknown funding', () => fixture.api.get('/funding/fnd_x/pdf-url'), 404, 'not_found'],
		['an unknown query', () => fixture.api.get(inWorkspace('?limit=5')), 400, 'invalid_request'],
		[
			'an invoice of a balance funding',
			async () => {
				const { id } = await fixture.funded([await fixture.approved()]);
				return await fixture.api.get(`/funding/${id}/pdf-url`);
			},
			409,
			'no_invoice',
		],
		[
			'no invitations',
			() => fixture.api.post(inWorkspace('/partner/invite'), { invites: [] }),
			400,
			'invalid_request',
		],
		[
			'an invitation of nobody',
			() => fixture.api.post(inWorkspace('/partner/invite'), { invites: [{ payee_email: 'x' }] }),
			400,
			'invalid_request',
		],
		[
			'a deposit of nothing',
			() => fixture.api.post(inWorkspace('/wallet/deposit'), { amount: 0 }),
			400,
			'invalid_request',
		],
		[
			'more money than can be counted',
			() => fixture.api.post(inWorkspace('/wallet/deposit'), { amount: 9007199254740991 }),
			422,
			'amount_too_large',
		],
		[
			'a subscription to unknown events',
			() =>
				fixture.api.post(inWorkspace('/webhook-subscription'), {
					url: 'https://example.com',
					events: ['payable.lost'],
				}),
			400,
			'invalid_request',
		],
		[
			'a subscription without an address',
			() => fixture.api.post(inWorkspace('/webhook-subscription'), { events: ['payable.paid'] }),
			400,
			'invalid_request',
		],
		[
			'a subscription that is no web address',
			() =>
				fixture.api.post(inWorkspace('/webhook-subscription'), {
					url: 'ftp://example.com',
					events: ['payable.paid'],
				}),
			400,
			'invalid_request',
		],
	];
	test.each(cases)('%s', async (_, act, status, code) => {
		expect(errorOf(await act())).toMatchObject({ status, code });
	});

	test('one bad invitation keeps all from being sent', async () => {
		await fixture.api.post(inWorkspace('/partner/invite'), {
			invites: [{ payee_email: 'good@example.com' }, { payee_email: 'bad' }],
		});
		expect(await fixture.sandbox.control.outbox()).toEqual([]);
	});

	test('an authorization without its parameters names them', async () => {
		const api = await fixture.client(null);
		const response = await api.get('/oauth/authorize?scope=openid');
		expect(response.status).toBe(400);
		const { message } = errorOf(response);
		for (const name of ['client_id', 'redirect_uri', 'response_type', 'state']) {
			expect(message).toContain(name);
		}
	});
});

describe('calls that the contract does not have', () => {
	const calls: [method: string, path: string][] = [
		['GET', '/payable'],
		['PATCH', '/payable/pbl_1'],
		['PUT', '/payable'],
		['DELETE', '/funding/fnd_1'],
		['GET', `/workspace/${unknownId}/webhook-subscription`],
		['DELETE', `/workspace/${unknownId}/webhook-subscription/whs_1`],
		['GET', '/payable/'],
		['GET', '/user//current'],
		['GET', '/%zz'],
		['GET', '/'],
		['OPTIONS', '/payable'],
	];
	test.each(calls)('%s %s', async (method, url) => {
		await fixture.sandbox.control.clearRequests();
		const response = await fixture.api.request({ method, url });
		expect(errorOf(response)).toMatchObject({ status: 404, code: 'unknown_endpoint' });
		expect(await fixture.sandbox.control.requests()).toMatchObject([
			{ method, operationId: null, outsideContract: true, status: 404 },
		]);
	});
});
