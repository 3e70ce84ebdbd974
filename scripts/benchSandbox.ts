/**
 * `npm run bench:sandbox`: fills a sandbox, which runs in a process of its own on this machine, and
 * measures its pages, what an open tab costs the API, and its memory. It exits with 1 when a bound is
 * broken. A number scales the 100,000 payables down, and `--save` keeps the results as in bench.ts. It takes
 * about 5 minutes.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { median } from 'simple-statistics';
import { startSandbox } from '../sandbox/client';
import { readCommandLine } from '../tools/bench/results/commandLine';
import { runSections } from '../tools/bench/results/run';
import { type Measured, TableBuilder } from '../tools/bench/results/table';
import { memoryMb } from '../tools/processes/usage';
import { alternately, figuresByName } from '../tools/statistics';

const SECTION = 'sandbox';
const commandLine = readCommandLine(process.argv.slice(2), [SECTION]);
const PAYABLES = Math.max(100, Math.round(100_000 * commandLine.scale));
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

/** The figures of a sandbox, each with the most that it may be. */
class Report {
	private isPassed = true;

	private readonly table = new TableBuilder(
		`The sandbox with ${PAYABLES.toLocaleString('en-US')} payables`,
		{ own: 'measured', peer: '' },
	);

	add(name: string, own: number, unit: string, bound = Infinity): void {
		this.isPassed &&= own <= bound;

		const wanted = bound === Infinity ? '' : `at most ${bound}`;
		this.table.add({ name, unit, digits: 1, own, wanted });
	}

	get measured(): Measured {
		return { isPassed: this.isPassed, table: this.table.build() };
	}
}

async function measureSandbox(): Promise<Measured> {
	const report = new Report();
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

		const rate = await ratePerSecond((count) => count >= PAYABLES, create);
		report.add('payables made', rate, 'a second');
		report.add('memory', memoryMb(pid), 'MB', MEMORY_MB);

		const root = `${controlUrl}/console`;
		const workspacePath = `/workspaces/${workspaceId}`;
		await reportPages(report, root, workspacePath);
		await reportTab(report, `${root}${workspacePath}`, create);
		return report.measured;
	} finally {
		await sandbox.stop();
	}
}

const LISTS = ['payables', 'events', 'requests', 'deliveries', 'outbox', 'vendors', 'fundings'];
const PAYABLE_QUERIES = ['status=draft', 'sort=amount', 'q=LOAD-77', 'q=zzz'];

/** How long each page of the console takes. */
async function reportPages(report: Report, root: string, workspacePath: string): Promise<void> {
	const lists = LISTS.map((name) => `/${name}`);
	const queries = PAYABLE_QUERIES.map((query) => `/payables?${query}`);
	for (const path of ['', workspacePath, ...lists, ...queries]) {
		// The ID of a workspace is long, and the same for all.
		const name = path === workspacePath ? 'a workspace' : path || '/';
		report.add(`page: ${name}`, await pageMs(`${root}${path}`), 'ms', PAGE_MS);
	}
}

/** How much slower the API is while a tab is open. */
async function reportTab(
	report: Report,
	url: string,
	create: (index: number) => Promise<unknown>,
): Promise<void> {
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
	report.add('payables made without a tab', alone, 'a second');
	report.add('payables made with an open tab', withTab, 'a second');
	report.add('slower with a tab by', 100 * Math.max(0, 1 - withTab / alone), '%', TAB_PERCENT);
}

async function main(): Promise<void> {
	const section = { name: SECTION, measure: measureSandbox };
	const options = { ...commandLine, script: 'bench:sandbox', n8n: null };
	const isPassed = await runSections([section], options);
	process.exitCode = isPassed ? 0 : 1;
}

void main();
