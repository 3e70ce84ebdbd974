import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Funding, Payable, Ready, Sandbox } from '../../sandbox/client';
import type { ReportView } from '../../sandbox/proxy/report';
import { characters, type Character, type Settings } from '../../sandbox/shared/settings';
import { poll } from '../../tools/n8n/poll';
import { startSandbox } from '../support/sandbox';
import { demo, http } from './fixture';
import { Receiver } from './receiver';
import { authorizationUrl, CALLBACK, connectAs } from './visitor';

const { workspaceId: workspace_id, secondWorkspaceId, applicationId, applicationSecret } = demo;
const receiver = new Receiver();
const folder = mkdtempSync(join(tmpdir(), 'proxy-test-'));
const report = join(folder, 'report.md');

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** A service of a character, a proxy before it, and the proxy's API. */
async function startProxied(settings: Partial<Settings> & { character?: Character } = {}) {
	const service = await startSandbox({ requestsPerMinute: 1_000_000, ...settings });
	const proxy = await startSandbox({
		proxyTo: service.apiUrl,
		proxyAuthTo: service.authUrl,
		proxyDeliveries: true,
		report,
	});

	const stop = async () => {
		await proxy.stop();
		await service.stop();
	};

	return { service, proxy, stop };
}

const reportOf = async ({ controlUrl }: Ready): Promise<ReportView> =>
	(await http.get<ReportView>(`${controlUrl}/report.json`)).data;

/** Everything that a careful person tries with a service that they do not know. */
async function tryEverything(proxy: Sandbox, service: Sandbox): Promise<void> {
	const api = await proxy.api();
	const workspace = (id: string, rest = '') => `/workspace/${id}${rest}`;
	await api.post(workspace(workspace_id, '/webhook-subscription'), {
		url: receiver.url(),
		events: [
			'payable.approved',
			'payable.paid',
			'payable.status_changed',
			'partner.status_changed',
		],
	});

	const create = async (fields: object) => {
		const body = { workspace_id, amount: 1_000, ...fields };
		return (await api.post<{ payable: Payable }>('/payable', body)).data.payable.id;
	};

	const fund = async (id: string, amount = 1_000) =>
		await api.post<{ funding: Funding }>('/funding', {
			workspace_id,
			method: 'balance',
			amount,
			payable_ids: [id],
		});

	const payee_email = demo.verifiedVendorEmail;
	await api.get(workspace(workspace_id, '/wallet'));
	await api.get(workspace(workspace_id, '/wallet/deposit'));
	await api.post(workspace(workspace_id, '/partner/invite'), {
		invites: [{ payee_email: 'dora@example.com' }],
	});
	await api.get(workspace('99999999-9999-4999-8999-999999999999'));

	// One vendor has joined, another one only the second workspace.
	await service.control.acceptInvitation(secondWorkspaceId, demo.unattachedVendorEmail);
	for (const { id, workspace_id: of } of await service.control.partners()) {
		await api.get(workspace(of, `/partner/${id}`));
	}

	const unaccepted = await create({ payee_service_id: demo.unattachedVendorServiceId });
	await api.post(`/payable/${unaccepted}/approve`);
	await fund(unaccepted);

	const payable = await create({ payee_email });
	await api.post(`/payable/${payable}/approve`);
	await api.post(`/payable/${payable}/approve`);
	await fund(payable);
	await fund(payable);

	const dear = await create({ payee_email, amount: 900_000_000 });
	await api.post(`/payable/${dear}/approve`);
	await fund(dear, 900_000_000);

	await refreshAndUseForms(proxy);
	await delivered(service);
	await service.control.setSettings({ requestsPerMinute: 1 });
	await api.get(workspace(workspace_id));
	await api.get(workspace(workspace_id));
}

/** Waits until the service has nothing more to deliver. */
const delivered = async ({ control }: Sandbox): Promise<true> =>
	await poll('the deliveries', async () => {
		const { waiting, sending } = await control.deliveryCounts();
		return waiting + sending === 0 ? true : undefined;
	});

/** Token requests of each kind, and with each kind of body. */
async function refreshAndUseForms(proxy: Sandbox): Promise<void> {
	const url = `${proxy.authUrl}/oauth/token`;
	const application = { client_id: applicationId, client_secret: applicationSecret };
	const { code = '' } = await connectAs(proxy, demo.userEmail);
	const { data } = await http.post<{ refresh_token: string }>(url, {
		...application,
		grant_type: 'authorization_code',
		code,
		redirect_uri: CALLBACK,
	});

	const { refresh_token } = data;
	await http.post(url, { ...application, grant_type: 'refresh_token', refresh_token });
	await http.post(url, new URLSearchParams({ grant_type: 'client_credentials', ...application }));
	const own = { client_id: demo.clientId, client_secret: demo.clientSecret };
	const grant = { grant_type: 'client_credentials', ...own, audience: proxy.audience };
	await http.post(url, new URLSearchParams(grant));
}

describe.each(Object.keys(characters) as Character[])(
	'before a service that is %s',
	(character) => {
		let found: ReportView;
		let text = '';

		beforeAll(async () => {
			receiver.clear();
			const { service, proxy, stop } = await startProxied({ character });
			await tryEverything(proxy, service);
			found = await reportOf(proxy);
			text = (await http.get<string>(`${proxy.controlUrl}/report`)).data;
			await stop();
		});

		test('the report finds exactly the settings in which it differs', () => {
			expect(found.settings).toEqual(characters[character]);
		});

		test.each(Object.entries(characters[character]))('the report names %s: %s', (point, value) => {
			const row = text.split('\n').find((line) => line.includes(`\`${point}\``)) ?? '';

			expect(row).toContain('**differs**');
			expect(row).toContain(String(value));
			expect(found.points).toContainEqual(expect.objectContaining({ point, differs: true }));
		});

		test('the report is written into its file, and tells neither secrets nor people', () => {
			expect(readFileSync(report, 'utf8')).toBe(text);
			for (const content of [text, JSON.stringify(found)]) {
				expect(content).not.toMatch(/northwind-demo|sandbox-password|@example\.com|Ana Ruiz/);
				expect(content).not.toMatch(/eyJ|[A-Za-z0-9_-]{32}/);
			}
		});

		test('the report repeats each note of the contract, and says whether it was called', () => {
			const contract = readFileSync(join(__dirname, '../../contract/openapi.yaml'), 'utf8');

			expect(found.notes).toHaveLength(contract.split('x-open:').length - 1);
			expect(found.notes.some(({ isSeen }) => isSeen)).toBe(true);
			expect(found.notes.some(({ isSeen }) => !isSeen)).toBe(true);
		});
	},
);

describe('before a service that is as assumed', () => {
	let running: Awaited<ReturnType<typeof startProxied>>;

	beforeAll(async () => {
		receiver.clear();
		running = await startProxied();
	});

	afterAll(async () => {
		await running.stop();
	});

	test('the report has no difference, and says what was not seen', async () => {
		const { proxy, service } = running;
		const before = await reportOf(proxy);
		await tryEverything(proxy, service);

		const { settings, points, differences } = await reportOf(proxy);

		const unseen = points.filter(({ seen }) => seen.length === 0).map(({ point }) => point);
		expect(before.points.flatMap(({ seen }) => seen)).toEqual([]);
		expect(settings).toEqual({});
		expect(differences).toEqual({});
		expect(unseen).toEqual(['batchSize', 'maxAttempts', 'firstRetryMs', 'maxRetryMs', 'timeoutMs']);

		await service.control.setSettings({ requestsPerMinute: 1_000_000 });
	});

	test('requests and answers come through as they are', async () => {
		const { proxy, service } = running;
		const [direct, passed] = await Promise.all([service.api(), proxy.api()]);
		const path = `/workspace/${workspace_id}`;

		const answers = await Promise.all([direct.get<unknown>(path), passed.get<unknown>(path)]);
		const refused = await passed.post('/payable', { workspace_id, amount: 0 });
		const unknown = await passed.get('/no/such/call');
		const noToken = await (await proxy.api(null)).get(path);

		expect(answers.map(({ data }) => data)[1]).toEqual(answers[0].data);
		expect([refused.status, unknown.status, noToken.status]).toEqual([400, 404, 401]);
		expect(noToken.headers['www-authenticate']).toContain('invalid_token');
		expect((await reportOf(proxy)).unknownCalls).toEqual(['GET /api/no/such/call']);
	});

	test.each<[what: string, sent: object, answered: unknown, difference: RegExp]>([
		[
			'a request that it should not take',
			{ amount: '5' },
			null,
			/taken although amount must be int/,
		],
		['an answer without an ID', {}, { payable: {} }, /payable\.id is required/],
		['an answer of another kind', {}, [], /the whole must be object/],
		['a name that is not assumed', {}, { payable: { id: 'x', colour: 1 } }, /has payable\.colour/],
		['a name that is missing', {}, { payable: { id: 'x' } }, /lacks payable\.funding_id/],
	])('the report names %s', async (_, sent, answered, difference) => {
		const { proxy, service } = running;
		const api = await proxy.api();
		const good = { workspace_id, amount: 5, payee_email: demo.verifiedVendorEmail };
		const body = answered ?? { payable: { id: 'pbl_x' } };
		await service.control.addFault({ kind: 'body', body });

		await api.post('/payable', { ...good, ...sent });

		const { differences } = await reportOf(proxy);
		expect(differences['createPayable']?.join(' ')).toMatch(difference);
	});

	test('a subscriber gets what the service has sent, and the caller sees its own address', async () => {
		const { proxy, service } = running;
		receiver.clear();
		const api = await proxy.api();
		const path = `/workspace/${workspace_id}/webhook-subscription`;
		const body = { url: receiver.url('/own'), events: ['payable.approved'] };
		const answer = await api.post<{ webhook_subscription: { url: string } }>(path, body);
		const payable = await api.post<{ payable: Payable }>('/payable', {
			workspace_id,
			amount: 5,
			payee_email: demo.verifiedVendorEmail,
		});
		await api.post(`/payable/${payable.data.payable.id}/approve`);

		const [received] = await poll('the delivery', () =>
			receiver.at('/own').length > 0 ? receiver.at('/own') : undefined,
		);

		expect(answer.data.webhook_subscription.url).toBe(body.url);
		expect(received?.signature).toMatch(/^[0-9a-f]{64}$/);
		expect((await service.control.subscriptions()).at(-1)?.url).toMatch(
			new RegExp(`^${new URL(proxy.apiUrl).origin}/relay/`),
		);
	});

	test('a request can ask the proxy for a fault, of which the service hears nothing', async () => {
		const { proxy, service } = running;
		const api = await proxy.api();
		await service.control.clearRequests();
		const headers = { 'X-Sandbox-Fault': 'status; status=503; after=true' };
		const path = `/workspace/${workspace_id}`;

		const answer = await api.get(path, { headers });

		expect(answer.status).toBe(503);
		expect(await service.control.requests()).toMatchObject([{ path: `/api${path}`, status: 200 }]);
	});

	test('the authorization leads to the identity provider of the service', async () => {
		const { proxy, service } = running;

		const { status, headers } = await http.get(authorizationUrl(proxy));

		expect(status).toBe(302);
		expect(headers['location']).toMatch(new RegExp(`^${service.authUrl}/authorize`));
	});

	test.each(['/_sandbox/state', '/_sandbox/reset', '/elsewhere'])(
		'the proxy passes on calls of the API alone, and not %s',
		async (path) => {
			const { proxy, service } = running;
			await service.control.clearRequests();

			const { status } = await http.post(new URL(path, proxy.apiUrl).href, {});

			expect(status).toBe(404);
			expect(await service.control.requests()).toEqual([]);
		},
	);
});

describe.each<Settings['settlement'][]>([['automatic'], ['manual'], ['due_date']])(
	'before a service whose settlement is %s',
	(settlement) => {
		test('the report says when will_pay becomes paid', async () => {
			receiver.clear();
			const { service, proxy, stop } = await startProxied({ settlement });
			const api = await proxy.api();
			await api.post(`/workspace/${workspace_id}/webhook-subscription`, {
				url: receiver.url(),
				events: ['payable.paid', 'payable.status_changed'],
			});
			for (const due of [{}, { due_date: '2031-01-01T00:00:00Z' }]) {
				const body = { workspace_id, amount: 5, payee_email: demo.verifiedVendorEmail, ...due };
				const { data } = await api.post<{ payable: Payable }>('/payable', body);
				const { id } = data.payable;
				await api.post(`/payable/${id}/approve`);
				await api.post('/funding', {
					workspace_id,
					method: 'balance',
					amount: 5,
					payable_ids: [id],
				});
			}

			await delivered(service);
			const { points } = await reportOf(proxy);
			await stop();

			const point = points.find((one) => one.point === 'settlement');
			expect(point?.seen).toMatchObject([{ value: settlement }]);
			expect(point?.differs).toBe(settlement !== 'automatic');
		});
	},
);

test('a service that does not answer leaves the outcome open', async () => {
	const { service, proxy } = await startProxied();
	const api = await proxy.api();
	await service.stop();

	const answer = await api.post('/payable', {
		workspace_id,
		amount: 5,
		payee_email: 'a@b.example',
	});

	expect(answer).toMatchObject({ status: 502, data: { error: { code: 'no_answer' } } });
	await proxy.stop();
});

test('without being told to, the proxy leaves the addresses of subscriptions as they are', async () => {
	const service = await startSandbox();
	const proxy = await startSandbox({ proxyTo: service.apiUrl, proxyAuthTo: service.authUrl });
	const url = receiver.url('/plain');
	const path = `/workspace/${workspace_id}/webhook-subscription`;

	await (await proxy.api()).post(path, { url, events: ['payable.paid'] });

	expect(await service.control.subscriptions()).toMatchObject([{ url }]);
	await proxy.stop();
	await service.stop();
});
