import { measurePartnerPayments, LIMIT } from '../../tools/bench/payouts/rateLimit';
import { Sections } from '../../tools/bench/payouts/sections';
import { addCompetitors } from '../../tools/bench/trigger/competitors';
import { measureExactlyOnce } from '../../tools/bench/trigger/exactlyOnce';
import { measureThroughput } from '../../tools/bench/trigger/speed';
import { UNLIMITED } from '../../tools/payouts/credentials';
import { addLedgerTable } from '../../tools/payouts/ledgerStore';
import { countValues } from '../../tools/statistics';
import { useOwnN8n } from '../n8n/support/fixture';
import { useResource } from '../n8n/support/resource';
import { startSandbox } from '../support/sandbox';

/** The least that still compares: everything is measured twice, and more than a first burst. */
const SCALE = {
	limitedPayouts: 60,
	latencyPayouts: 5,
	latencyRounds: 2,
	singleRounds: 2,
	payouts: 10,
	payoutRounds: 2,
	fullRows: 1_200,
	fullPayouts: 5,
	fullRounds: 2,
	againPayouts: 600,
	againRounds: 2,
};

const EVENTS = 10;
const STORES = ["Project's ledger", 'Shared ledger'];

const n8n = useOwnN8n();
const sandbox = useResource(
	async () => await startSandbox({ requestsPerMinute: UNLIMITED }),
	async ({ stop }) => {
		await stop();
	},
);

/** The table that a benchmark prints. */
let rows: string[][];
const table = {
	row: (...cells: Array<string | number>): void => void rows.push(cells.map(String)),
};

beforeEach(() => {
	rows = [];
});

/** The cells behind a name, with which one row of the table has to begin. */
function cellsOf(name: string): string[] {
	const found = rows.filter(([what = '']) => what.trim().startsWith(name));

	expect(found).toHaveLength(1);

	return found.flatMap(([, ...cells]) => cells);
}

/** Expects that each cell begins with a number above zero. */
function expectNumbers(...cells: Array<string | undefined>): void {
	for (const cell of cells) {
		expect(Number.parseFloat(cell ?? '')).toBeGreaterThan(0);
	}

	expect(cells.join()).not.toMatch(/NaN|Infinity/);
}

/** Expects figures of both, and their ratio. */
const expectComparison = (name: string): void => expectNumbers(...cellsOf(name).slice(0, 3));

describe('benchmarks of payouts', () => {
	const environment = () => ({ n8n: n8n(), sandbox: sandbox() });
	let sections: Sections;

	beforeAll(async () => {
		await addLedgerTable(n8n());
		sections = new Sections(table, environment(), SCALE);
	});

	// Every vendor that a benchmark adds is to be paid by one payout.
	afterEach(async () => {
		const { control } = sandbox();
		const paid = countValues((await control.allocations()).map(({ payee }) => payee));
		const added = (await control.vendors()).map(({ email }) => email).filter(isOfBenchmark);

		expect(added.map((email) => [email, paid.get(email)])).toEqual(
			added.map((email) => [email, 1]),
		);
	});

	const isOfBenchmark = (email: string): boolean => /-\d+@example\.com$/.test(email);

	test('at a slow service both pay each vendor once, and are compared', async () => {
		expect(await sections.latency()).toBe(true);

		for (const store of STORES) {
			expectComparison(`${store}: ms at 150 ms`);
		}
	});

	test('within the limit every payout is paid, and no request is refused', async () => {
		const figures = await measurePartnerPayments(environment(), SCALE.limitedPayouts);
		await sandbox().control.setSettings({ requestsPerMinute: UNLIMITED });

		expect(figures.largestWindow).toBeLessThanOrEqual(LIMIT);
		expect(figures.refused).toBe(0);
		expectNumbers(...Object.values(figures).filter(Boolean).map(String));
	});

	test('what remembering costs is measured with each ledger', async () => {
		expect(await sections.ledger()).toBe(true);

		for (const store of STORES) {
			expectComparison(`${store}: ms per payout`);
		}
	});

	test('what a full ledger costs is measured beside an empty one', async () => {
		expect(await sections.full()).toBe(true);

		for (const store of STORES) {
			expectComparison(`${store}: ms, full`);
		}
	});

	test('what is known is not paid again, and how long that takes is measured', async () => {
		expect(await sections.again()).toBe(true);

		for (const store of STORES) {
			expectNumbers(...cellsOf(`${store}: seconds, again`).slice(0, 1));
		}
	});
});

describe('benchmarks of the trigger', () => {
	test('each event is executed once, and the speed is measured beside a Webhook node', async () => {
		const environment = { n8n: n8n(), sandbox: sandbox() };
		const competitors = await addCompetitors(environment);
		const bench = { ...environment, ...competitors, table, scaled: () => EVENTS };

		expect(await measureExactlyOnce(bench, false)).toBe(true);
		expect(cellsOf('executed once')).toEqual([String(2 * EVENTS)]);

		await measureThroughput(bench);

		const figures = ['Partner Payments Trigger, events/s', 'Webhook, events/s', 'ratio'];
		expectNumbers(...figures.flatMap(cellsOf));
	});
});
