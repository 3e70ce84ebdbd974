/**
 * `npm run bench:sandbox`: fills a sandbox, which runs in a process of its own on this machine, and
 * measures its pages, its memory, and what pages cost that are open in a browser. It exits with 1 when a bound is
 * broken. A number scales the 100,000 payables down, and `--save` keeps the results as in bench.ts. It takes
 * about 15 minutes.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosInstance } from 'axios';
import { median } from 'simple-statistics';
import { startSandbox, type Sandbox } from '../sandbox/client';
import { readCommandLine } from '../tools/bench/results/commandLine';
import { runSections } from '../tools/bench/results/run';
import { type Measured, TableBuilder } from '../tools/bench/results/table';
import { launchBrowser } from '../tools/browser';
import { memoryMb, processorSeconds } from '../tools/processes/usage';
import { alternately, figuresByName } from '../tools/statistics';

const SECTION = 'sandbox';
const commandLine = readCommandLine(process.argv.slice(2), [SECTION]);
const PAYABLES = Math.max(100, Math.round(100_000 * commandLine.scale));
const CONCURRENCY = 16;
const PAGE_MS = 50;
const PAGE_READS = 5;
const TAB_PERCENT = 5;
const MEMORY_MB = 400;
const CHANGE_EVERY_MS = 100;
const ROUNDS = 5;
/** Long enough for some renewals of a page. */
const ROUND_MS = 15_000;

/** Repeats work so many times, several at once; returns the rate per second. */
async function ratePerSecond(
	times: number,
	work: (index: number) => Promise<unknown>,
): Promise<number> {
	const startedAt = performance.now();
	let begun = 0;
	await Promise.all(
		Array.from({ length: CONCURRENCY }, async () => {
			while (begun < times) {
				const index = begun;
				begun += 1;
				await work(index);
			}
		}),
	);

	return (1000 * times) / (performance.now() - startedAt);
}

/** Does something again and again, slowly; returns what ends that. */
function repeatSlowly(work: (index: number) => Promise<unknown>): () => Promise<void> {
	const ending = new AbortController();
	const repeated = (async () => {
		for (let index = 0; !ending.signal.aborted; index += 1) {
			await work(index);
			await sleep(CHANGE_EVERY_MS);
		}
	})();

	return async () => {
		ending.abort();
		await repeated;
	};
}

/** How much of a core a process takes for a while, in percent. */
async function percentOfCore(pid: number): Promise<number> {
	const startedAt = performance.now();
	const usedBefore = processorSeconds(pid);
	await sleep(ROUND_MS);

	const used = processorSeconds(pid) - usedBefore;
	const seconds = (performance.now() - startedAt) / 1000;
	return (100 * used) / seconds;
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

		const created: Created[] = [];
		const create = async (index: number) => {
			const amount = 1 + (index % 5000);
			const description = `Payable ${index} [LOAD-${index}]`;
			const body = { workspace_id: workspaceId, payee_email, amount, description };
			const { data } = await api.post<{ payable: Created }>('/payable', body);
			created.push(data.payable);
		};

		const rate = await ratePerSecond(PAYABLES, create);
		report.add('payables made', rate, 'a second');
		report.add('memory', memoryMb(pid), 'MB', MEMORY_MB);

		const root = `${controlUrl}/console`;
		const workspace = `${root}/workspaces/${workspaceId}`;
		for (const [name, url] of [...pagesOf(root), ['a workspace', workspace] as const]) {
			report.add(`page: ${name}`, await pageMs(url), 'ms', PAGE_MS);
		}

		await payAll(sandbox, api, created.splice(0));
		report.add('memory, all paid', memoryMb(pid), 'MB');

		const vendor = new URL(`/vendor/${sandbox.verifiedVendorServiceId}`, root).href;
		const open = { 'the dashboard': root, 'a workspace': workspace, 'a vendor': vendor };
		for (const [name, url] of Object.entries(open)) {
			report.add(`page, all paid: ${name}`, await pageMs(url), 'ms', PAGE_MS);
		}

		await reportTabs(report, pid, open, create);
		return report.measured;
	} finally {
		await sandbox.stop();
	}
}

/** What is needed of a payable to fund it. */
interface Created {
	id: string;
	amount: number;
}

const PAYABLES_PER_FUNDING = 100;

/** Approves and funds payables, so that all are paid. */
async function payAll(sandbox: Sandbox, api: AxiosInstance, payables: Created[]): Promise<void> {
	const { control, workspaceId: workspace_id } = sandbox;
	await control.deposit(workspace_id, sumOf(payables));
	await ratePerSecond(payables.length, async (index) => {
		await api.post(`/payable/${payables[index]?.id ?? ''}/approve`);
	});

	for (let from = 0; from < payables.length; from += PAYABLES_PER_FUNDING) {
		const group = payables.slice(from, from + PAYABLES_PER_FUNDING);
		const payable_ids = group.map(({ id }) => id);
		const funding = { workspace_id, method: 'balance', amount: sumOf(group), payable_ids };
		await api.post('/funding', funding);
	}
}

const sumOf = (payables: Created[]): number =>
	payables.reduce((sum, { amount }) => sum + amount, 0);

const LISTS = ['payables', 'events', 'requests', 'deliveries', 'outbox', 'vendors', 'fundings'];
const PAYABLE_QUERIES = ['status=draft', 'sort=amount', 'q=LOAD-77', 'q=zzz'];

/** The pages of the console that show more when there is more, by their paths. */
const pagesOf = (root: string): (readonly [name: string, url: string])[] => {
	const lists = LISTS.map((name) => `/${name}`);
	const queries = PAYABLE_QUERIES.map((query) => `/payables?${query}`);
	return ['', ...lists, ...queries].map((path) => [path || '/', `${root}${path}`]);
};

/** What the sandbox takes of a core for pages that are open in a browser, while something changes all the time. */
async function reportTabs(
	report: Report,
	pid: number,
	pages: Record<string, string>,
	change: (index: number) => Promise<unknown>,
): Promise<void> {
	const browser = await launchBrowser();
	const endChanges = repeatSlowly(change);
	try {
		const names = ['no page', ...Object.keys(pages)];
		const rounds = await alternately(names, ROUNDS, async (name) => {
			const page = await browser.newPage();
			await page.goto(pages[name] ?? 'about:blank');
			const percent = await percentOfCore(pid);
			await page.close();
			return percent;
		});

		const figures = figuresByName(names, rounds);
		const alone = median(figures['no page'] ?? []);
		report.add('takes of a core with no page open', alone, '%');
		for (const name of Object.keys(pages)) {
			const more = median(figures[name] ?? []) - alone;
			report.add(`more with ${name} open`, Math.max(0, more), '%', TAB_PERCENT);
		}
	} finally {
		await endChanges();
		await browser.close();
	}
}

async function main(): Promise<void> {
	const section = { name: SECTION, measure: measureSandbox };
	const options = { ...commandLine, script: 'bench:sandbox', n8n: null };
	const isPassed = await runSections([section], options);
	process.exitCode = isPassed ? 0 : 1;
}

void main();
