import { LIMIT, prepareSection } from '../../tools/bench/payouts/bench';
import { measurePartnerPayments } from '../../tools/bench/payouts/rateLimit';
import { PAYOUT_SECTIONS, type PayoutSection } from '../../tools/bench/payouts/sections';
import type { Figure, ResultRow, ResultTable } from '../../tools/bench/results/table';
import { addCompetitors } from '../../tools/bench/trigger/competitors';
import { measureExactlyOnce } from '../../tools/bench/trigger/exactlyOnce';
import { measureSpeed } from '../../tools/bench/trigger/speed';
import { UNLIMITED } from '../../tools/payouts/credentials';
import { addLedgerTable } from '../../tools/payouts/ledgerStore';
import { countValues } from '../../tools/statistics';
import { useServices } from '../examples/support/services';
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
	refusedPayouts: 20,
	refusedRounds: 2,
	memoryPayouts: 100,
	memoryRounds: 1,
	startRounds: 1,
};

const EVENTS = 10;
const STORES = ["Project's ledger", 'Shared ledger'];

const services = useServices();
const n8n = useOwnN8n(() => ({ env: services().environment }));
const sandbox = useResource(
	async () => await startSandbox({ requestsPerMinute: UNLIMITED }),
	async ({ stop }) => {
		await stop();
	},
);

let ledgerId: string;

beforeAll(async () => {
	ledgerId = await addLedgerTable(n8n());
});

/** The rows whose name begins like this, of which there are some. */
function rowsOf({ rows }: ResultTable, name: string): ResultRow[] {
	const found = rows.filter((row) => row.name.startsWith(name));

	expect(found).not.toEqual([]);

	return found;
}

/** The number that a figure is; NaN for a text, and where there is none. */
const numberOf = (figure: Figure | null): number =>
	figure?.kind === 'number' ? figure.value : Number.NaN;

/** The figures of both in the one row with this name. */
function countsOf(table: ResultTable, name: string): { own: number; peer: number } {
	const [row] = rowsOf(table, name);

	return { own: numberOf(row?.own ?? null), peer: numberOf(row?.peer ?? null) };
}

/** Expects that the rows whose name begins like this compare two numbers above zero. */
function expectComparison(table: ResultTable, name: string): void {
	const compared = rowsOf(table, name).filter(({ ratio }) => ratio !== null);

	expect(compared).not.toEqual([]);

	for (const { own, peer, ratio } of compared) {
		expect(numberOf(own)).toBeGreaterThan(0);
		expect(numberOf(peer)).toBeGreaterThan(0);
		expect(ratio).toBeCloseTo(numberOf(own) / numberOf(peer), 1);
	}
}

describe('benchmarks of payouts', () => {
	const environment = () => ({ n8n: n8n(), sandbox: sandbox() });

	/** Measures a section, which has to pass. */
	async function measure(name: PayoutSection): Promise<ResultTable> {
		const { isPassed, table } = await PAYOUT_SECTIONS[name]({ ...environment(), scale: SCALE });

		expect(isPassed).toBe(true);

		return table;
	}

	beforeEach(async () => {
		await prepareSection(environment());
	});

	/** How often each vendor was paid that a benchmark has added. */
	async function paymentsOfVendors(): Promise<number[]> {
		const { control } = sandbox();
		const paid = countValues((await control.allocations()).map(({ payee }) => payee));
		const vendors = await control.vendors();

		return vendors
			.map(({ email }) => email)
			.filter((email) => /-\d+@example\.com$/.test(email))
			.map((email) => paid.get(email) ?? 0);
	}

	async function expectEachPaidOnce(): Promise<void> {
		const payments = await paymentsOfVendors();

		expect(payments).not.toEqual([]);
		expect(payments.filter((count) => count !== 1)).toEqual([]);
	}

	test('at a slow service both pay each vendor once, and are compared', async () => {
		const table = await measure('latency');

		for (const store of STORES) {
			expectComparison(table, `${store}, 150 ms`);
		}

		await expectEachPaidOnce();
	});

	test('the trace of a run at a slow service names each kind of request', async () => {
		const table = await measure('trace');

		for (const competitor of ['HTTP Request', ...STORES]) {
			const [funding] = rowsOf(table, `${competitor}: fund`);
			expect(funding?.own).toMatchObject({ kind: 'text', text: expect.stringMatching(/^\d+–\d+/) });
		}

		await expectEachPaidOnce();
	});

	test('within the limit every payout is paid, and no request is refused', async () => {
		const figures = await measurePartnerPayments(environment(), SCALE.limitedPayouts);

		expect(figures.largestWindow).toBeLessThanOrEqual(LIMIT);
		expect(figures.refused).toBe(0);
		expect(figures.seconds).toBeGreaterThan(0);

		await expectEachPaidOnce();
	});

	test('what remembering costs is measured with each ledger', async () => {
		const table = await measure('ledger');

		for (const store of STORES) {
			expectComparison(table, `${store}, a single payout`);
			expectComparison(table, `${store}, each of ${SCALE.payouts}`);
		}

		await expectEachPaidOnce();
	});

	test('what a full ledger costs is measured beside an empty one, whatever the age of its rows', async () => {
		const table = await measure('full');

		for (const store of STORES) {
			expectComparison(table, `${store}, one payout, rows of two days`);
			expectComparison(table, `${store}, ${SCALE.fullPayouts} payouts, rows a year old`);
		}

		await expectEachPaidOnce();
	});

	test('what is known is not paid again, and how long that takes is measured', async () => {
		const table = await measure('again');

		for (const store of STORES) {
			expect(countsOf(table, store).own).toBeGreaterThan(0);
		}
	});

	test('an empty wallet pays no one, and costs one request beside three for each payout', async () => {
		const { refusedPayouts: count } = SCALE;

		const table = await measure('wallet');

		expectComparison(table, 'the whole run');
		expect(countsOf(table, 'requests')).toEqual({ own: 1, peer: 3 * count });
		expect(countsOf(table, 'payables made')).toEqual({ own: 0, peer: count });
		expect(await paymentsOfVendors()).not.toContain(1);
	});

	test('all are paid but the one that cannot be funded, which both leave out', async () => {
		const paid = SCALE.refusedPayouts - 1;

		const table = await measure('refused');

		expectComparison(table, 'the whole run');
		expect(countsOf(table, 'vendors paid')).toEqual({ own: paid, peer: paid });
		await expectEachPaidOnce();
	});

	test('the memory of a run is measured after a restart', async () => {
		const table = await measure('memory');

		for (const store of STORES) {
			expectComparison(table, store);
		}
	});

	test('a start of n8n is measured with the package and without', async () => {
		const table = await measure('start');

		expectComparison(table, 'until n8n answers');
		expectComparison(table, 'memory');
	});
});

describe('benchmarks of the trigger', () => {
	test('each event is executed once, and the speed is measured beside triggers of n8n', async () => {
		const environment = { n8n: n8n(), sandbox: sandbox() };
		await sandbox().control.reset();
		const competitors = await addCompetitors(environment, services());
		const bench = { ...environment, ...competitors, ledgerId, scaled: () => EVENTS };

		const once = await measureExactlyOnce(bench, false);
		const speed = await measureSpeed(bench);

		expect(once.isPassed).toBe(true);
		expect(countsOf(once.table, 'executed once').own).toBe(2 * EVENTS);
		expectComparison(speed.table, 'beside Stripe Trigger');
		expectComparison(speed.table, 'beside Webhook');
	});
});
