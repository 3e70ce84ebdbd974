import axios from 'axios';
import type { Fault } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

beforeEach(async () => await fixture.sandbox.control.reset());

const create = async () =>
	// Not through the checked client: a fault's answer is not in the contract.
	await (
		await fixture.sandbox.api(await fixture.sandbox.token())
	).post<unknown>('/payable', {
		workspace_id: fixture.sandbox.workspaceId,
		payee_email: 'ana@example.com',
		amount: 1000,
	});

const inject = async (fault: Fault) =>
	await fixture.sandbox.control.addFault({ match: { operationId: 'createPayable' }, ...fault });

const created = async () => (await fixture.sandbox.control.payables()).length;

test.each([
	['cut_before', 0],
	['cut_after', 1],
] as const)('%s: the connection breaks, with %d payables made', async (kind, effect) => {
	await inject({ kind });
	await expect(create()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(await created()).toBe(effect);
	expect(await fixture.sandbox.control.requests('createPayable')).toMatchObject([
		{ status: null, faults: [kind] },
	]);
	expect((await create()).status).toBe(200);
});

test.each([
	[false, 0],
	[true, 1],
])('status, after the effect: %s', async (after, effect) => {
	await inject({ kind: 'status', status: 503, after, headers: { 'retry-after': '7' } });
	const response = await create();
	expect(response.status).toBe(503);
	expect(response.headers['retry-after']).toBe('7');
	expect(response.data).toMatchObject({ error: { code: 'injected_fault' } });
	expect(await created()).toBe(effect);
});

test('status with a body of its own', async () => {
	const body = '<html><body>Bad gateway</body></html>';
	await inject({ kind: 'status', status: 502, body, contentType: 'text/html' });
	const response = await create();
	expect(response).toMatchObject({ status: 502, data: body });
	expect(response.headers['content-type']).toBe('text/html');
});

test.each([
	['empty', '', 'text/plain'],
	['HTML', '<p>Hello</p>', 'text/html'],
	['cut JSON', '{"payable":', 'application/json'],
])('body: %s in place of the answer, after the effect', async (_, body, contentType) => {
	await inject({ kind: 'body', body, contentType });
	expect(await create()).toMatchObject({ status: 200, data: body });
	expect(await created()).toBe(1);
});

test('body: other JSON', async () => {
	await inject({ kind: 'body', body: { id: 5 }, status: 201 });
	expect(await create()).toMatchObject({ status: 201, data: { id: 5 } });
});

test('latency comes before another fault', async () => {
	await inject({ kind: 'latency', ms: 5 });
	await inject({ kind: 'status', status: 500 });
	expect((await create()).status).toBe(500);
	expect(await fixture.sandbox.control.requests('createPayable')).toMatchObject([
		{ faults: ['latency', 'status'] },
	]);
	expect(await fixture.sandbox.control.faults()).toEqual([]);
});

test('latency alone changes nothing else', async () => {
	await inject({ kind: 'latency', ms: 5 });
	expect((await create()).status).toBe(200);
});

test('a fault strikes as often as it was injected to, and faults strike in order', async () => {
	await inject({ kind: 'status', status: 500, times: 2 });
	await inject({ kind: 'status', status: 502 });
	const statuses = [];
	for (let i = 0; i < 4; i++) statuses.push((await create()).status);
	expect(statuses).toEqual([500, 500, 502, 200]);
});

describe('a fault strikes only what it matches', () => {
	const strikes: [string, Fault['match'], number][] = [
		['the method', { method: 'POST' }, 500],
		['the method, in small letters', { method: 'post' }, 500],
		['another method', { method: 'GET' }, 200],
		['the path', { path: '/payable' }, 500],
		['another path', { path: '/payable/{id}/approve' }, 200],
		['everything', {}, 500],
	];
	test.each(strikes)('%s', async (_, match, status) => {
		const token = await fixture.sandbox.token();
		await fixture.sandbox.control.addFault({ kind: 'status', status: 500, match: match ?? {} });
		const api = await fixture.sandbox.api(token);
		const body = {
			workspace_id: fixture.sandbox.workspaceId,
			payee_email: 'a@b.example',
			amount: 1,
		};
		expect((await api.post('/payable', body)).status).toBe(status);
	});

	test('a template with parameters', async () => {
		const { id } = await fixture.payable();
		const path = '/payable/{id}/approve';
		await fixture.sandbox.control.addFault({ kind: 'cut_after', match: { path } });
		await expect(fixture.api.post(`/payable/${id}/approve`)).rejects.toThrow();
		expect((await fixture.current({ id })).status).toBe('approved');
	});
});

describe('a ratio', () => {
	const statuses = async (count: number) => {
		const list: number[] = [];
		for (let i = 0; i < count; i++) list.push((await create()).status);
		return list;
	};
	const countFailed = (list: number[]) => list.filter((status) => status === 500).length;

	test('strikes that share of the requests, the same ones for the same seed', async () => {
		await inject({ kind: 'status', status: 500, ratio: 0.3 });
		const first = await statuses(60);
		expect(countFailed(first)).toBeGreaterThan(8);
		expect(countFailed(first)).toBeLessThan(30);
		await fixture.sandbox.control.clearFaults();
		await inject({ kind: 'status', status: 500, ratio: 0.3 });
		expect(await statuses(60)).toEqual(first);
		await fixture.sandbox.control.clearFaults();
		await inject({ kind: 'status', status: 500, ratio: 0.3, seed: 2 });
		expect(await statuses(60)).not.toEqual(first);
	});

	test('strikes until it is cleared', async () => {
		await inject({ kind: 'status', status: 500, ratio: 1 });
		expect(countFailed(await statuses(5))).toBe(5);
		expect(await fixture.sandbox.control.faults()).toMatchObject([{ ratio: 1, remaining: null }]);
		await fixture.sandbox.control.clearFaults();
		expect(countFailed(await statuses(5))).toBe(0);
	});

	test('ends earlier when it has struck so often', async () => {
		await inject({ kind: 'status', status: 500, ratio: 1, times: 2 });
		expect(countFailed(await statuses(5))).toBe(2);
	});

	test('leaves to the next fault what it does not strike', async () => {
		await inject({ kind: 'status', status: 500, ratio: 0 });
		await inject({ kind: 'status', status: 502 });
		expect(await statuses(2)).toEqual([502, 200]);
	});
});

describe('the request log tells what the service did', () => {
	test.each([
		[{ kind: 'cut_before' }, null, null],
		[{ kind: 'cut_after' }, null, 200],
		[{ kind: 'status', status: 503 }, 503, null],
		[{ kind: 'status', status: 503, after: true }, 503, 200],
		[{ kind: 'body', body: '' }, 200, 200],
	] as [Fault, number | null, number | null][])('%j', async (fault, status, serviceStatus) => {
		await inject(fault);
		await create().catch(() => undefined);
		expect(await fixture.sandbox.control.requests('createPayable')).toMatchObject([
			{ status, serviceStatus, faults: [fault.kind], body: { payee_email: 'ana@example.com' } },
		]);
	});

	test('a refusal that a fault has hidden is no effect', async () => {
		const { id } = await fixture.approved();
		await inject({ kind: 'cut_after', match: { operationId: 'approvePayable' } });
		await expect(fixture.api.post(`/payable/${id}/approve`)).rejects.toThrow();
		const log = await fixture.sandbox.control.requests('approvePayable');
		expect(log.at(-1)).toMatchObject({ status: null, serviceStatus: 409 });
	});

	test('an answer that nobody has waited for', async () => {
		await inject({ kind: 'latency', ms: 300 });
		const api = await fixture.sandbox.api();
		const body = {
			workspace_id: fixture.sandbox.workspaceId,
			payee_email: 'ana@example.com',
			amount: 1,
		};
		await expect(api.post('/payable', body, { timeout: 100 })).rejects.toThrow('timeout');
		const log = await poll('the service to have answered', async () => {
			const entries = await fixture.sandbox.control.requests('createPayable');
			return entries[0]?.serviceStatus === null ? undefined : entries;
		});
		expect(log).toMatchObject([{ status: null, serviceStatus: 200 }]);
	});
});

test('the token endpoint can fail as well', async () => {
	const match = { operationId: 'requestToken' };
	await fixture.sandbox.control.addFault({ kind: 'cut_before', match });
	await expect(fixture.sandbox.token()).rejects.toThrow();
	await fixture.sandbox.control.addFault({ kind: 'status', status: 503, match });
	await expect(fixture.sandbox.token()).rejects.toMatchObject({ response: { status: 503 } });
	expect(await fixture.sandbox.token()).not.toBe('');
});

test('faults can be listed and cleared', async () => {
	await inject({ kind: 'cut_before', times: 3 });
	expect(await fixture.sandbox.control.faults()).toMatchObject([
		{ kind: 'cut_before', remaining: 3 },
	]);
	await fixture.sandbox.control.clearFaults();
	expect((await create()).status).toBe(200);
});

test('a fault that makes no sense is refused', async () => {
	const { controlUrl } = fixture.sandbox;
	const wrong = [
		{},
		{ kind: 'flood' },
		{ kind: 'latency' },
		{ kind: 'cut_after', status: 500 },
		{ kind: 'cut_after', ratio: 5 },
	];
	for (const fault of wrong) {
		const response = await axios.post(`${controlUrl}/faults`, fault, {
			validateStatus: () => true,
		});
		expect(response.status).toBe(400);
	}
	ok(await axios.get(`${controlUrl}/faults`));
});
