/**
 * `npm run bench:sandbox`: fills a sandbox, which runs in a process of its own on this machine, and
 * measures its pages, what an open tab costs the API, and its memory. It exits with 1 when a bound is
 * broken.
 */
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { median } from 'simple-statistics';
import { startSandbox } from '../sandbox/client';
import { alternately, figuresByName } from '../tools/statistics';

const [payables = 100_000] = process.argv.slice(2).map(Number);
const CONCURRENCY = 16;
const PAGE_MS = 50;
const PAGE_READS = 5;
const TAB_PERCENT = 5;
const MEMORY_MB = 400;
const TAB_INTERVAL_MS = 3000;
const ROUNDS = 8;
const ROUND_MS = 4000;

/** Repeats work, several times at once, until it is enough; returns the rate per second. */
async function ratePerSecond(
	isEnough: (count: number, ms: number) => boolean,
	work: (index: number) => Promise<unknown>,
): Promise<number> {
	const startedAt = performance.now();
	const elapsedMs = (): number => performance.now() - startedAt;
	let count = 0;
	await Promise.all(
		Array.from({ length: CONCURRENCY }, async () => {
			while (!isEnough(count, elapsedMs())) {
				const index = count;
				count += 1;
				await work(index);
			}
		}),
	);

	return (1000 * count) / elapsedMs();
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

/** The median of some reads of a page, in milliseconds. */
async function pageMs(url: string): Promise<number> {
	const times: number[] = [];
	while (times.length < PAGE_READS) {
		const startedAt = performance.now();
		const response = await fetch(url);
		await response.text();
		if (!response.ok) {
			throw new Error(`${url} answered ${response.status}.`);
		}

		times.push(performance.now() - startedAt);
	}

	return median(times);
}

function memoryMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
	return Number(kilobytes) / 1024;
}

function report(what: string, value: number, unit: string, bound = Infinity): void {
	const isBroken = !(value <= bound);
	if (isBroken) {
		process.exitCode = 1;
	}

	const limit = bound === Infinity ? '' : ` (at most ${bound} ${unit})`;
	console.log(`${isBroken ? 'FAIL' : '    '} ${what}: ${value.toFixed(1)} ${unit}${limit}`);
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
				payee_email,
				amount: 1 + (index % 5000),
				description: `Payable ${index} [LOAD-${index}]`,
			});

		const rate = await ratePerSecond((count) => count >= payables, create);
		report(`${payables} payables made`, rate, 'a second');
		report('memory', memoryMb(pid), 'MB', MEMORY_MB);

		const root = `${controlUrl}/console`;
		const workspacePath = `/workspaces/${workspaceId}`;
		await reportPages(root, workspacePath);
		await reportTab(`${root}${workspacePath}`, create);
	} finally {
		await sandbox.stop();
	}
}

const LISTS = ['payables', 'events', 'requests', 'deliveries', 'outbox', 'vendors', 'fundings'];
const PAYABLE_QUERIES = ['status=draft', 'sort=amount', 'q=LOAD-77', 'q=zzz'];

/** How long each page of the console takes. */
async function reportPages(root: string, workspacePath: string): Promise<void> {
	const lists = LISTS.map((name) => `/${name}`);
	const queries = PAYABLE_QUERIES.map((query) => `/payables?${query}`);
	for (const path of ['', workspacePath, ...lists, ...queries]) {
		report(path === '' ? '/' : path, await pageMs(`${root}${path}`), 'ms', PAGE_MS);
	}
}

/** How much slower the API is while a tab is open. */
async function reportTab(url: string, create: (index: number) => Promise<unknown>): Promise<void> {
	const names = ['alone', 'withTab'] as const;
	const rounds = await alternately(names, ROUNDS, async (name) => {
		const close = name === 'withTab' ? openTab(url) : undefined;
		const made = await ratePerSecond((_count, ms) => ms >= ROUND_MS, create);
		await close?.();
		return made;
	});

	const rates = figuresByName(names, rounds);
	const alone = median(rates.alone);
	const withTab = median(rates.withTab);
	report('payables without a tab', alone, 'a second');
	report('payables with an open tab', withTab, 'a second');
	report('slower by', 100 * Math.max(0, 1 - withTab / alone), '%', TAB_PERCENT);
}

void main();
