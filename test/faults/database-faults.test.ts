import { checkInvariants, isReportedPaid, isUnconfirmed } from '../../tools/chaos/invariants';
import { makeScenarios } from '../../tools/chaos/scenarios';
import { runTrial } from '../../tools/chaos/trial';
import { type RunningEnvironment, startEnvironment } from '../../tools/environment';
import { type Credential, Probe, writesTo } from '../../tools/n8n';
import { partnerPaymentsCredential } from '../../tools/payouts/credentials';
import { sender } from '../n8n/support/ledgerTable';
import { contradictions, type Mode, notPaidOnce, PayoutTrial } from '../n8n/support/payoutTrial';
import { useResource } from '../n8n/support/resource';
import { testTableFaults } from './ledgerTableFaults.suite';
import { testTableRaces } from './ledgerTableRaces.suite';

interface Resource extends RunningEnvironment {
	faults: Probe;
	/** Its ledger is in the project. */
	credential: Credential;
}

const START_TIMEOUT_MS = 300_000;
/** There is a run for every statement, and n8n may wait before it repeats one. */
const TIMEOUT_MS = 600_000;

/** One n8n for everything that goes wrong with it and around it. */
const resource = useResource<Resource>(
	async () => {
		const faults = await Probe.prepare();
		const environment = await startEnvironment({
			sandbox: { requestsPerMinute: 100_000, secondFunding: 'accept' },
			n8n: faults.startOptions,
		});

		const { n8n, sandbox } = environment;
		await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
		const credential = await partnerPaymentsCredential(n8n, sandbox);

		return { ...environment, faults, credential };
	},
	async ({ stop }) => {
		await stop();
	},
	START_TIMEOUT_MS,
);

beforeEach(async () => {
	await resource().faults.clear();
});

/** How the names of n8n's tables begin that hold the ledger, and which ledger each node has paid with. */
const LEDGER = 'data_table_user_';
const MEMORY = 'processed_data';

/** Every statement that reads or writes a table whose name begins like this. */
const statementsOn = (table: string): string => `"${table}`;

/** A run in which a statement fails, and what came before it. */
interface Scenario {
	title: string;
	mode: Mode;
	/** The statements of which one fails. */
	statements: (table: string) => string;
	/** What came before; nothing when left out. */
	before?: (trial: PayoutTrial) => Promise<unknown>;
}

const firstRuns: Scenario[] = [
	{ title: 'a first run', mode: 'production', statements: writesTo },
	{ title: 'a first manual run', mode: 'manual', statements: writesTo },
];

const laterRuns: Scenario[] = [
	{
		title: 'a run after refusals',
		mode: 'manual',
		statements: writesTo,
		before: async (trial) => {
			await trial.runRefused();
		},
	},
	{
		title: 'a run after payment',
		mode: 'manual',
		statements: statementsOn,
		before: async (trial) => await trial.run(),
	},
];

/** What a run did in which the statement of a number was to fail, and the run after it. */
interface Strike {
	/** How many statements there were. */
	matched: number;
	/** The statement that has failed; undefined when the run had fewer statements. */
	struck: string | undefined;
	violations: string[];
}

async function strike(trial: PayoutTrial, statement: string, nth: number): Promise<Strike> {
	const { faults } = resource();
	await faults.inject({ statement, nth });
	const now = contradictions(await trial.run(), await trial.timesFunded());
	const { struck, matched } = await faults.clear();
	const later = contradictions(await trial.run(), await trial.timesFunded());

	return {
		matched,
		struck,
		violations: [
			...now,
			...later.map((text) => `in the run after it: ${text}`),
			...notPaidOnce(await trial.timesFunded()),
		],
	};
}

/**
 * Has every statement of a run fail, each in a trial of its own: the first, the second, and so on, until
 * a run has no statement of the next number.
 */
async function strikeEach(statement: string, next: () => Promise<PayoutTrial>): Promise<void> {
	const strikes: Strike[] = [];
	do {
		const nth = strikes.length + 1;
		strikes.push(await strike(await next(), statement, nth));
	} while (strikes.at(-1)?.struck !== undefined);

	const undisturbed = strikes.pop();
	// As many have failed, one by one, as a run has that nothing disturbs.
	expect(strikes.length).toBeGreaterThan(0);
	expect(undisturbed).toEqual({ matched: strikes.length, struck: undefined, violations: [] });
	expect(strikes.filter(({ violations }) => violations.length > 0)).toEqual([]);
}

/** A trial in which everything that comes before the failure has happened. */
async function prepare({ mode, before }: Scenario): Promise<PayoutTrial> {
	const trial = await PayoutTrial.create(resource(), mode);
	await before?.(trial);

	return trial;
}

/** Has every statement of a run fail, with as many trials as that takes. */
const strikeAll =
	(table: string) =>
	async (scenario: Scenario): Promise<void> => {
		await strikeEach(scenario.statements(table), async () => await prepare(scenario));
	};

describe('after a failing statement nothing unsent is unconfirmed, nothing paid has failed, and a later run pays the rest once #failing-statement', () => {
	test.each([...firstRuns, ...laterRuns])(
		"in $title, on the project's ledger",
		strikeAll(LEDGER),
		TIMEOUT_MS,
	);

	test.each(firstRuns)(
		"in $title, on the node's memory of its ledger",
		strikeAll(MEMORY),
		TIMEOUT_MS,
	);

	// The process knows the ledger of its nodes, so that the look into the memory needs another process.
	describe('after a restart of n8n', () => {
		/** More than a run has statements on the memory. */
		const MOST_TRIALS = 12;
		const prepared = new Map<string, PayoutTrial[]>();

		beforeAll(async () => {
			for (const scenario of laterRuns) {
				const trials: PayoutTrial[] = [];

				while (trials.length < MOST_TRIALS) {
					trials.push(await prepare(scenario));
				}

				prepared.set(scenario.title, trials);
			}

			await resource().n8n.restart();
		}, TIMEOUT_MS);

		test.each(laterRuns)(
			"in $title, on the node's memory of its ledger",
			async ({ title }) => {
				const trials = prepared.get(title) ?? [];

				await strikeEach(statementsOn(MEMORY), async () => {
					const trial = trials.shift();

					if (trial === undefined) {
						throw new Error(`${MOST_TRIALS} trials are too few`);
					}

					return await Promise.resolve(trial);
				});
			},
			TIMEOUT_MS,
		);
	});
});

const send = () => sender(resource().n8n.url, resource().n8n.client.session.apiKey);

describe('faults of requests to a shared ledger', () => {
	testTableFaults(send);
});

describe('races for a shared ledger', () => {
	testTableRaces(send);
});

// At the end: it empties the sandbox.
describe('chaos', () => {
	test(
		"with the project's ledger, keeps its promises while the service fails and n8n is killed, stopped and started twice",
		async () => {
			const [seed, payoutsPerScenario, count] = [3, 25, 4];
			const scenarios = makeScenarios(seed, payoutsPerScenario, { count });

			const trial = await runTrial(resource(), 'project', scenarios, seed);

			const { results } = trial;
			for (const { invariant, violations } of checkInvariants(trial, trial.isSettled)) {
				expect({ invariant, violations }).toEqual({ invariant, violations: [] });
			}
			expect(results).toHaveLength(count * payoutsPerScenario);
			// A trial without faults that had an effect would prove nothing.
			expect(results.some(isUnconfirmed)).toBe(true);
			expect(results.some(isReportedPaid)).toBe(true);
			expect(trial.executions.get('crashed')).toBe(1);
			expect(trial.executions.get('canceled')).toBe(1);
		},
		TIMEOUT_MS,
	);
});
