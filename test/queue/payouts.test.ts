import { LEDGER_TABLE, type LedgerStore } from '../../tools/payouts/ledgerStore';
import { readOutcome } from '../../tools/queue/figures';
import { QueueReport } from '../../tools/queue/report';
import { playScenario, QUEUE_SCENARIOS } from '../../tools/queue/scenarios';
import { Session } from '../../tools/queue/session';
import { useCluster } from './support/cluster';

/** The part of the rounds that is played: all of them when it is not set. */
const SCALE = Number(process.env['QUEUE_SCALE'] ?? 1);
const STORES: LedgerStore[] = ['node', 'dataTable'];
/** Each scenario is played at least so often, however few are asked for. */
const LEAST_ROUNDS = 3;
const SEED = 1;
const SCENARIO_TIMEOUT_MS = 60 * 60_000;

const report = new QueueReport();

const running = useCluster(() => {
	report.print();
});

describe.each(STORES)('Payouts in queue mode, remembered in the store "%s"', (store) => {
	test.each(QUEUE_SCENARIOS)(
		'$title: nobody is paid twice, or left unpaid without being reported',
		async (scenario) => {
			const { cluster, sandbox } = running();
			const rounds = Math.max(LEAST_ROUNDS, Math.round(scenario.rounds * SCALE));
			const measured = report.start(scenario.title, store, rounds, cluster);
			const session = await Session.open(cluster, sandbox, store);
			const isSettled = await playScenario(scenario, session, rounds, SEED);
			const outcome = await readOutcome(session);
			measured.end(outcome, session);

			expect(outcome).toMatchObject({
				paidTwice: [],
				falselyPaid: [],
				silentlyUnpaid: [],
				unbalanced: [],
				ledgerSum: 0,
			});
			expect(isSettled).toBe(true);
			if (store === 'dataTable' && scenario.isKilled !== true) {
				expect(outcome).toMatchObject({ unsentDoubts: [], answeredDoubts: [] });
			}
		},
		SCENARIO_TIMEOUT_MS,
	);

	test('both workers have run executions', () => {
		expect(running().cluster.startedExecutions()).not.toContain(0);
	});
});

test('Executions that use a ledger table for the first time at once make one table', async () => {
	const { data } = await running().cluster.n8n.client.publicApi<{ data: Array<{ name: string }> }>(
		'GET',
		'/data-tables',
	);

	expect(data.filter(({ name }) => name === LEDGER_TABLE)).toHaveLength(1);
});
