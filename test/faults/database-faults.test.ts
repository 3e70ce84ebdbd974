import { type RunningEnvironment, startEnvironment } from '../../tools/environment';
import { DatabaseFaults, writesTo } from '../../tools/n8n';
import type { LedgerStore } from '../../tools/payouts/ledgerStore';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import {
	contradictions,
	type Mode,
	notPaidOnce,
	PayoutTrial,
	type TrialEnvironment,
} from '../n8n/support/payoutTrial';
import { useResource } from '../n8n/support/resource';

interface Resource extends TrialEnvironment, RunningEnvironment {
	faults: DatabaseFaults;
}

/** There is a run for every statement, and n8n may wait before it repeats one. */
const TIMEOUT_MS = 600_000;

const resource = useResource<Resource>(
	async () => {
		const faults = await DatabaseFaults.prepare();
		const environment = await startEnvironment({
			sandbox: { requestsPerMinute: 100_000, secondFunding: 'accept' },
			n8n: faults.startOptions,
		});
		const { n8n, sandbox } = environment;
		const data = sandboxCredentialData(sandbox);
		const credential = await n8n.createCredential('Client', 'partnerPaymentsApi', data);
		await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
		return { ...environment, faults, credential };
	},
	async ({ stop }) => {
		await stop();
	},
);

beforeEach(async () => {
	await resource().faults.clear();
});

/** How the names of a store's tables in n8n's database begin. */
const tables: Record<LedgerStore, string> = {
	node: 'processed_data',
	dataTable: 'data_table_user_',
};

/** Every statement that reads or writes a table whose name begins like this. */
const statementsOn = (table: string): string => `"${table}`;

/** A run in which a statement fails, and what came before it. */
interface Scenario {
	title: string;
	mode: Mode;
	/** The statements of which one fails. */
	statements: (table: string) => string;
	/** What came before n8n was restarted; nothing, and no restart, when left out. */
	before?: (trial: PayoutTrial) => Promise<unknown>;
}

// The later runs are manual ones in an n8n that was restarted: neither its memory nor static data
// spares them the look into the store.
const scenarios: Scenario[] = [
	{ title: 'a first run', mode: 'production', statements: writesTo },
	{ title: 'a first manual run', mode: 'manual', statements: writesTo },
	{
		...{ title: 'a run after refusals', mode: 'manual', statements: writesTo },
		before: async (trial) => {
			await trial.runRefused();
		},
	},
	{
		...{ title: 'a run after payment', mode: 'manual', statements: statementsOn },
		before: async (trial) => await trial.run(),
	},
];

/** Makes trials that are ready for the run in which a statement fails. */
async function prepare(
	count: number,
	store: LedgerStore,
	{ mode, before }: Scenario,
): Promise<PayoutTrial[]> {
	const trials: PayoutTrial[] = [];
	for (let made = 0; made < count; made++) {
		const trial = await PayoutTrial.create(resource(), store, mode);
		await before?.(trial);
		trials.push(trial);
	}
	if (before !== undefined) await resource().n8n.restart();
	return trials;
}

/** How many statements match in a run of a scenario. */
async function countStatements(
	statement: string,
	store: LedgerStore,
	scenario: Scenario,
): Promise<number> {
	const { faults } = resource();
	const [trial] = await prepare(1, store, scenario);
	const counter = await faults.inject({ statement });
	await trial?.run();
	const { matched } = await faults.read(counter);
	await faults.clear();
	return matched;
}

/** What goes wrong in a run in which one statement fails, and in the run after it. */
async function violationsOf(
	trial: PayoutTrial,
	statement: string,
	nth: number,
): Promise<{ statement: string; violations: string[] }> {
	const { faults } = resource();
	const fault = await faults.inject({ statement, nth, fail: true });
	const now = contradictions(await trial.run(), await trial.timesFunded());
	const { latest = 'none' } = await faults.read(fault);
	await faults.clear();
	const later = contradictions(await trial.run(), await trial.timesFunded());
	return {
		statement: `${nth}: ${latest.slice(0, 30)}`,
		violations: [
			...now,
			...later.map((text) => `in the run after it: ${text}`),
			...notPaidOnce(await trial.timesFunded()),
		],
	};
}

describe.each<LedgerStore>(['node', 'dataTable'])(
	'a failing statement to the store %s',
	(store) => {
		test.each(scenarios)(
			'in $title: nothing unsent is in doubt, nothing paid has failed, and a later run pays the rest once',
			async (scenario) => {
				const statement = scenario.statements(tables[store]);
				const count = await countStatements(statement, store, scenario);
				expect(count).toBeGreaterThan(0);
				const results = [];
				for (const [index, trial] of (await prepare(count, store, scenario)).entries()) {
					results.push(await violationsOf(trial, statement, index + 1));
				}
				expect(results.filter(({ violations }) => violations.length > 0)).toEqual([]);
			},
			TIMEOUT_MS,
		);
	},
);
