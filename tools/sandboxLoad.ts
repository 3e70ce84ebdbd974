import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosInstance } from 'axios';
import { startSandbox, type Sandbox } from '../sandbox/client';

/**
 * Fills a sandbox, which runs in a process of its own on this machine, and measures its pages, what an
 * open tab costs the API, and its memory. It stops by itself, with 1 when a bound is broken.
 */
const [payables = 100_000, waiting = 10_000] = process.argv.slice(2).map(Number);
const CONCURRENCY = 16;
const PAGE_MS = 50;
const TAB_SHARE = 0.05;
const MEMORY_MB = 400;
const TAB_INTERVAL_MS = 3000;
const ROUNDS = 8;
const ROUND_MS = 4000;

/** Does a work so many times, several at once; answers how many a second. */
async function repeat(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	let next = 0;
	await Promise.all(
		Array.from({ length: CONCURRENCY }, async () => {
			while (next < count) await work(next++);
		}),
	);
	return (1000 * count) / (performance.now() - startedAt);
}

/** How many payables a second can be made for a while. */
async function rateFor(ms: number, create: (index: number) => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	let count = 0;
	await Promise.all(
		Array.from({ length: CONCURRENCY }, async () => {
			while (performance.now() - startedAt < ms) await create(count++);
		}),
	);
	return (1000 * count) / (performance.now() - startedAt);
}

/** What a tab does: asks for its page again and again, and takes 304 for an answer. */
function openTab(url: string): () => Promise<void> {
	const tab = new AbortController();
	const polls = (async () => {
		let etag = '';
		while (!tab.signal.aborted) {
			const response = await fetch(url, { headers: { 'if-none-match': etag } });
			await response.text();
			etag = response.headers.get('etag') ?? '';
			await sleep(TAB_INTERVAL_MS, undefined, { signal: tab.signal }).catch(() => undefined);
		}
	})();
	return async () => {
		tab.abort();
		await polls;
	};
}

const median = (numbers: number[]): number =>
	[...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** The median of five reads of a page, in milliseconds. */
async function pageMs(url: string): Promise<number> {
	const times: number[] = [];
	for (let read = 0; read < 5; read++) {
		const startedAt = performance.now();
		const response = await fetch(url);
		await response.text();
		if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
		times.push(performance.now() - startedAt);
	}
	return median(times);
}

const memoryMb = (pid: number): number =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const failures: string[] = [];
function report(what: string, value: number, unit: string, bound?: number): void {
	const isBroken = bound !== undefined && !(value <= bound);
	if (isBroken) failures.push(what);
	const limit = bound === undefined ? '' : ` (at most ${bound} ${unit})`;
	console.log(`${isBroken ? 'FAIL' : '    '} ${what}: ${value.toFixed(1)} ${unit}${limit}`);
}

/** How long other requests wait while a vendor with many waiting payables is verified. */
async function measureVerification(sandbox: Sandbox, api: AxiosInstance): Promise<void> {
	const { control, workspaceId, pendingVendorEmail } = sandbox;
	await control.deposit(workspaceId, waiting * 100);
	await repeat(Math.ceil(waiting / 100), async () => {
		const ids: string[] = [];
		for (let index = 0; index < 100; index++) {
			const body = { workspace_id: workspaceId, payee_email: pendingVendorEmail, amount: 100 };
			const { data } = await api.post<{ payable: { id: string } }>('/payable', body);
			await api.post(`/payable/${data.payable.id}/approve`);
			ids.push(data.payable.id);
		}
		const funding = { workspace_id: workspaceId, method: 'balance', amount: 10_000 };
		await api.post('/funding', { ...funding, payable_ids: ids });
	});
	let longest = 0;
	const work = { isDone: false };
	const verified = control.verifyVendor(pendingVendorEmail).then(() => {
		work.isDone = true;
	});
	while (!work.isDone) {
		const startedAt = performance.now();
		await api.get(`/workspace/${workspaceId}`);
		longest = Math.max(longest, performance.now() - startedAt);
	}
	await verified;
	report(
		`longest wait while a vendor with ${waiting} waiting payables is verified`,
		longest,
		'ms',
		250,
	);
}

async function main(): Promise<void> {
	const sandbox = await startSandbox({ requestsPerMinute: 1_000_000_000 });
	try {
		const { workspaceId, controlUrl, pid, verifiedVendorEmail: payee_email } = sandbox;
		const api = axios.create({
			baseURL: sandbox.apiUrl,
			headers: { authorization: `Bearer ${await sandbox.token()}` },
			httpAgent: new Agent({ keepAlive: true, maxSockets: CONCURRENCY }),
		});
		const create = async (index: number) =>
			await api.post('/payable', {
				workspace_id: workspaceId,
				...{
					payee_email,
					amount: 1 + (index % 5000),
					description: `Payable ${index} [LOAD-${index}]`,
				},
			});
		const rate = await repeat(payables, create);
		report(`${payables} payables made`, rate, 'a second');
		report('memory', memoryMb(pid), 'MB', MEMORY_MB);

		const root = `${controlUrl}/console`;
		const workspace = `${root}/workspaces/${workspaceId}`;
		const lists = ['payables', 'events', 'requests', 'deliveries', 'outbox', 'vendors', 'fundings'];
		const queries = [
			'payables?status=draft',
			'payables?sort=amount',
			'payables?q=LOAD-77',
			'payables?q=zzz',
		];
		const pages = [root, workspace, ...[...lists, ...queries].map((path) => `${root}/${path}`)];
		for (const url of pages) {
			report(url.slice(root.length) || '/', await pageMs(url), 'ms', PAGE_MS);
		}

		const rates: Record<'alone' | 'withTab', number[]> = { alone: [], withTab: [] };
		for (let round = 0; round < ROUNDS; round++) {
			// Each is the first in half of the rounds: the more there is, the slower it gets.
			const order =
				round % 2 === 0 ? (['alone', 'withTab'] as const) : (['withTab', 'alone'] as const);
			for (const each of order) {
				const close = each === 'withTab' ? openTab(workspace) : undefined;
				rates[each].push(await rateFor(ROUND_MS, create));
				await close?.();
			}
		}
		const [alone, withTab] = [median(rates.alone), median(rates.withTab)];
		report('payables without a tab', alone, 'a second');
		report('payables with an open tab', withTab, 'a second');
		report('slower by', 100 * Math.max(0, 1 - withTab / alone), '%', 100 * TAB_SHARE);
		await measureVerification(sandbox, api);
	} finally {
		await sandbox.stop();
	}
	process.exitCode = failures.length === 0 ? 0 : 1;
}

void main();
