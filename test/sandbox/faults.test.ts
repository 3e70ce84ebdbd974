import type { AxiosInstance } from 'axios';
import type { Fault } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { demo, SandboxFixture } from './fixture';
import { buyerOperations, successfulRequests } from './requests';

const fixture = new SandboxFixture();
/** Not checked against the contract, which has no answer of a fault, and follows no redirect. */
let api: AxiosInstance;

beforeEach(async () => {
	api = await fixture.sandbox.api();
	api.defaults.maxRedirects = 0;
});

const newPayable = {
	workspace_id: demo.workspaceId,
	payee_email: demo.verifiedVendorEmail,
	amount: 1000,
};

const create = async () => await api.post<unknown>('/payable', newPayable);
const inject = async (fault: Fault) =>
	await fixture.control.addFault({ match: { operationId: 'createPayable' }, ...fault });
const created = async () => (await fixture.control.payables()).length;
const requests = async () => await fixture.control.requests('createPayable');

/** The statuses of `count` creations, one after the other. */
const statuses = async (count: number) => {
	const list: number[] = [];
	for (let sent = 0; sent < count; sent += 1) {
		list.push((await create()).status);
	}

	return list;
};

type Content = { body?: unknown; contentType?: string; headers?: Record<string, string> };

const headers = { 'retry-after': '7' };
const page = { body: '<html><body>Bad gateway</body></html>', contentType: 'text/html' };

test.each<[fault: Fault, serviceStatus: number | null, effect: number]>([
	[{ kind: 'cut_before' }, null, 0],
	[{ kind: 'cut_after' }, 200, 1],
])(
	'%j: no answer comes, and the request log tells what the service did',
	async (fault, serviceStatus, effect) => {
		await inject(fault);

		await expect(create()).rejects.toMatchObject({ code: 'ECONNRESET' });

		expect(await created()).toBe(effect);
		expect(await requests()).toMatchObject([
			{ status: null, serviceStatus, faults: [fault.kind], body: newPayable },
		]);
		expect((await create()).status).toBe(200);
	},
);

/** A fault, what the client gets of it, what the service did, and how many payables there are then. */
test.each<[Fault & Content, status: number, serviceStatus: number | null, effect: number]>([
	[{ kind: 'status', status: 503, headers }, 503, null, 0],
	[{ kind: 'status', status: 503, headers, after: true }, 503, 200, 1],
	[{ kind: 'status', status: 502, ...page }, 502, null, 0],
	[{ kind: 'body', body: '', status: 200 }, 200, 200, 1],
	[{ kind: 'body', body: '<p>Hello</p>', status: 200, contentType: 'text/html' }, 200, 200, 1],
	[{ kind: 'body', body: { id: 5 }, status: 201, contentType: 'application/json' }, 201, 200, 1],
])(
	'%j, and the request log tells what the service did',
	async (fault, status, serviceStatus, effect) => {
		const { body: data = { error: { code: 'injected_fault' } }, contentType: type = '' } = fault;
		const typed = type.startsWith('text/') ? { 'content-type': type } : {};
		await inject(fault);

		const answer = await create();

		expect(answer).toMatchObject({ status, data, headers: { ...fault.headers, ...typed } });
		expect(await created()).toBe(effect);
		expect(await requests()).toMatchObject([
			{ status, serviceStatus, faults: [fault.kind], body: newPayable },
		]);
		expect((await create()).status).toBe(200);
	},
);

test('truncated: half of the answer comes, of a request that took effect #answer-truncated', async () => {
	await inject({ kind: 'truncated' });
	const url = `${fixture.sandbox.apiUrl}/payable`;
	const authorization = String(api.defaults.headers['authorization']);
	const headers = { authorization, 'content-type': 'application/json' };

	const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(newPayable) });

	expect(answer.status).toBe(200);
	await expect(answer.text()).rejects.toThrow('terminated');
	expect(await created()).toBe(1);
	expect(await requests()).toMatchObject([{ status: null, serviceStatus: 200 }]);
});

test('dripping: the whole answer comes, a fortieth at a time #answer-dripping', async () => {
	await inject({ kind: 'dripping', ms: 5 });
	const startedAt = performance.now();

	const answer = await create();

	expect(answer).toMatchObject({ status: 200, data: { payable: { status: 'draft' } } });
	expect(performance.now() - startedAt).toBeGreaterThan(150);
	expect(await created()).toBe(1);
});

test('latency comes before another fault, and alone changes nothing else', async () => {
	await inject({ kind: 'latency', ms: 5, times: 2 });
	await inject({ kind: 'status', status: 500 });

	const answered = await statuses(2);

	const struck = (await requests()).map(({ faults }) => faults);
	expect(answered).toEqual([500, 200]);
	expect(struck).toEqual([['latency', 'status'], ['latency']]);
	expect(await fixture.control.faults()).toEqual([]);
});

test.each<[string, Fault['match'] & object, number]>([
	['the method', { method: 'POST' }, 500],
	['another method', { method: 'GET' }, 200],
	['the path', { path: '/payable' }, 500],
	['another path', { path: '/payable/{id}/approve' }, 200],
	['everything', {}, 500],
])('a fault strikes only what it matches: %s', async (_, match, status) => {
	await fixture.control.addFault({ kind: 'status', status: 500, match });

	expect((await create()).status).toBe(status);
});

describe('a ratio', () => {
	const failing = { kind: 'status', status: 500 } as const;
	const countFailed = (list: number[]) => list.filter((status) => status === 500).length;

	test('strikes that share of the requests, the same ones for the same seed', async () => {
		const struck = async (seed?: number) => {
			await fixture.control.clearFaults();
			await inject({ ...failing, ratio: 0.3, ...(seed === undefined ? {} : { seed }) });

			return await statuses(60);
		};

		const first = await struck();

		expect(countFailed(first)).toBeGreaterThan(8);
		expect(countFailed(first)).toBeLessThan(30);
		expect(await struck()).toEqual(first);
		expect(await struck(2)).not.toEqual(first);
	});

	test('ends when it has struck so often, and leaves to the next what it does not strike', async () => {
		await inject({ ...failing, ratio: 1, times: 2 });
		await inject({ ...failing, ratio: 0 });
		await inject({ kind: 'status', status: 502 });

		expect(await statuses(4)).toEqual([500, 500, 502, 200]);
	});
});

describe('the request log tells of', () => {
	test('a refusal that a fault has hidden is no effect', async () => {
		const { id } = await fixture.approved();
		await inject({ kind: 'cut_after', match: { path: '/payable/{id}/approve' } });

		await expect(fixture.approve(id)).rejects.toMatchObject({ code: 'ECONNRESET' });

		const log = await fixture.control.requests('approvePayable');
		expect(log.at(-1)).toMatchObject({ status: null, serviceStatus: 409 });
	});

	test('an answer that came too late', async () => {
		await inject({ kind: 'latency', ms: 300 });

		await expect(api.post('/payable', newPayable, { timeout: 100 })).rejects.toThrow('timeout');

		const entry = await poll('the service to have answered', async () => {
			const [found] = await requests();
			return found?.serviceStatus === null ? undefined : found;
		});

		expect(entry).toMatchObject({ status: null, serviceStatus: 200 });
	});
});

test('the token endpoint can fail as well', async () => {
	const match = { operationId: 'requestToken' };
	await fixture.control.addFault({ kind: 'cut_before', match });
	await fixture.control.addFault({ kind: 'status', status: 503, match });

	await expect(fixture.sandbox.token()).rejects.toMatchObject({ code: 'ECONNRESET' });
	await expect(fixture.sandbox.token()).rejects.toMatchObject({ response: { status: 503 } });
	expect(await fixture.sandbox.token()).not.toBe('');
});

/** Statuses that do not say whether the request took effect. */
const unclear = [299, 300, 302, 303, 304, 307, 308, 408, 409, 425, 499, 500, 502, 503, 504, 599];

describe('a status after the commit', () => {
	const prepared = successfulRequests(fixture);
	const changing = buyerOperations.filter(({ method }) => method === 'post');

	test.each(changing)('of $operationId', async ({ operationId }) => {
		const { control } = fixture;
		for (const status of unclear) {
			const [path, body] = await prepared[operationId]();
			const before = await control.state();
			await control.clearRequests();
			await control.addFault({ kind: 'status', status, after: true, match: { operationId } });

			expect((await api.post(path, body)).status).toBe(status);
			expect(await control.requests()).toMatchObject([
				{ operationId, status, serviceStatus: 200, faults: ['status'] },
			]);
			expect(await control.state()).not.toEqual(before);
		}
	});

	test('can be a redirect that the client follows, away from the answer', async () => {
		const { control, sandbox } = fixture;
		const location = `${sandbox.apiUrl}${fixture.path('/wallet')}`;
		const [path, body] = await prepared.createFunding();
		const match = { operationId: 'createFunding' };
		await control.clearRequests();
		await inject({ kind: 'status', status: 303, after: true, headers: { location }, match });
		const balance = demo.openingBalance - 1000;

		const answer = await api.post<unknown>(path, body, { maxRedirects: 5 });

		expect(answer).toMatchObject({ status: 200, data: { balance } });
		expect(await control.allocations()).toMatchObject([{ amount: 1000, status: 'paid' }]);
		expect(await control.requests()).toMatchObject([
			{ operationId: 'createFunding', status: 303, serviceStatus: 200 },
			{ operationId: 'getWallet', status: 200 },
		]);
	});
});

describe('a request that asks for its fault itself', () => {
	const asking = async (fault: string) =>
		await api.post<unknown>('/payable', newPayable, { headers: { 'X-Sandbox-Fault': fault } });

	test.each<[fault: string, status: number, created: number]>([
		['status; status=503', 503, 0],
		['status; status=503; after=true', 503, 1],
		['status;status=503', 503, 0],
		['body; status=202; body=odd', 202, 1],
		['latency; ms=1, status; status=418', 418, 0],
	])('gets it, and no other does: %s', async (fault, status, effects) => {
		const answer = await asking(fault);

		expect(answer.status).toBe(status);
		expect(await created()).toBe(effects);
		expect((await create()).status).toBe(200);
		expect((await requests()).map(({ faults }) => faults.length > 0)).toEqual([true, false]);
	});

	test.each<[fault: string, created: number]>([
		['cut_before', 0],
		['cut_after', 1],
		['reset', 1],
	])('gets a connection that breaks: %s', async (fault, effects) => {
		await expect(asking(fault)).rejects.toThrow(/socket hang up|ECONNRESET/);

		expect(await created()).toBe(effects);
	});

	test('does not use up what was injected, where that came first', async () => {
		await inject({ kind: 'status', status: 500, times: 2 });

		const both = await asking('status; status=418');

		expect(both.status).toBe(500);
		expect(await fixture.control.faults()).toMatchObject([{ remaining: 1 }]);
	});

	test.each([
		'flood',
		'status',
		'status; status=99',
		'latency; ms=soon',
		'cut_after; times=5',
		'cut_after; ratio=0.5',
		'status; status=503; match=x',
		'status; status=503; colour=red',
		'; ;',
	])('is refused, and not carried out, when that is none: "%s"', async (fault) => {
		await inject({ kind: 'status', status: 500 });

		const answer = await asking(fault);

		expect(answer).toMatchObject({ status: 400, data: { error: { code: 'invalid_fault' } } });
		expect(await created()).toBe(0);
		expect(await fixture.control.faults()).toHaveLength(1);
	});

	test('can be for a token as well', async () => {
		const { authUrl } = fixture.sandbox;
		const headers = { 'X-Sandbox-Fault': 'status; status=503' };

		const answer = await api.post(`${authUrl}/oauth/token`, {}, { headers });

		expect(answer.status).toBe(503);
	});
});
