import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/client';
import { byId, packPackage, workflowWithNode } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { partnerPaymentsCredential, UNLIMITED } from '../../tools/payouts/credentials';
import type { LedgerStore } from '../../tools/payouts/ledgerStore';
import {
	addPayees,
	itemsOf,
	makePayouts,
	partnerPaymentsPayouts,
} from '../../tools/payouts/payout';
import { QueueCluster } from '../../tools/queue/cluster';
import { formatOutcome, type Outcome, readOutcome } from '../../tools/queue/outcome';
import { playScenario, QUEUE_SCENARIOS, type QueueScenario } from '../../tools/queue/scenarios';
import { Session } from '../../tools/queue/session';
import { useResource } from '../n8n/support/resource';
import { startSandbox } from '../support/sandbox';
import { testTriggers } from './triggers';

/** The part of the rounds that is played: all of them when it is not set. */
const SCALE = Number(process.env['QUEUE_SCALE'] ?? 1);
const WORKERS = Number(process.env['QUEUE_WORKERS'] ?? 2);
const SEED = 1;
const START_TIMEOUT_MS = 5 * 60_000;
const SCENARIO_TIMEOUT_MS = 60 * 60_000;

/** One n8n in queue mode for everything, and a service that it pays with. */
const running = useResource(
	async (): Promise<{ cluster: QueueCluster; sandbox: Sandbox }> => {
		const sandbox = await startSandbox({ requestsPerMinute: UNLIMITED, secondFunding: 'accept' });
		try {
			return { cluster: await QueueCluster.start(packPackage(), WORKERS), sandbox };
		} catch (error) {
			await sandbox.stop();
			throw error;
		}
	},
	async ({ cluster, sandbox }) => {
		await cluster.stop();
		await sandbox.stop();
	},
	START_TIMEOUT_MS,
);

/** A worker runs ten executions at once: of more than these, the other one has to run some. */
const MORE_THAN_ONE_WORKER_RUNS = 12;
/** Longer than it takes until all executions have started. */
const HOLD_MS = 2_000;

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

/**
 * Starts more executions at once than one worker runs, none of which ends before all have started, since
 * the service holds up the requests that every one of them waits for.
 */
async function startTogether(
	operationId: string,
	path: string,
	itemsOfEach: object[][],
): Promise<Array<{ status: number; data: unknown }>> {
	const { cluster, sandbox } = running();
	const before = cluster.executionsByWorker('started');
	await sandbox.control.addFault({
		...{ kind: 'latency', ms: HOLD_MS, ratio: 1 },
		match: { operationId },
	});
	const answers = Promise.all(
		itemsOfEach.map(async (items, index) => {
			const webhook = cluster.webhooks[index % 2 === 0 ? 0 : 1];
			return await webhook.callWebhook(path, { items });
		}),
	);
	const byWorker = await poll('all executions to start', () => {
		const now = cluster.executionsByWorker('started');
		const started = now.map((count, index) => count - (before[index] ?? 0));
		return sum(started) === itemsOfEach.length ? started : undefined;
	});
	await sandbox.control.clearFaults();
	expect(byWorker).not.toContain(0);
	return await answers;
}

// Before all others: the workers have no token yet, and the rate limiters have learned nothing.
describe('tokens', () => {
	const ROUNDS = 3;
	const path = randomUUID();

	beforeAll(async () => {
		const { cluster, sandbox } = running();
		const workflow = await cluster.n8n.createWorkflow(
			workflowWithNode({
				webhookPath: path,
				// A limiter of the process is forgotten a second after its last request.
				credential: await partnerPaymentsCredential(cluster.n8n, sandbox, { rateWindowSeconds: 1 }),
				parameters: {
					resource: 'wallet',
					operation: 'get',
					workspaceId: byId(sandbox.workspaceId),
				},
			}),
		);
		await cluster.n8n.activate(workflow.id);
	});

	/** Runs executions at once that all have no token, or one that was revoked. */
	const expectOneTokenForEachWorker = async (): Promise<void> => {
		const { control } = running().sandbox;
		await control.clearRequests();
		const items = Array.from({ length: MORE_THAN_ONE_WORKER_RUNS }, () => [{}]);
		const answers = await startTogether('requestToken', path, items);
		expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200));
		const requested = await control.requests('requestToken');
		expect(requested.length).toBeGreaterThan(0);
		expect(requested.length).toBeLessThanOrEqual(WORKERS);
	};

	test(`${MORE_THAN_ONE_WORKER_RUNS} executions at once on two workers request a token for each worker at most`, async () => {
		await expectOneTokenForEachWorker();
	});

	test(`after all tokens were revoked no execution fails, ${ROUNDS} times in a row`, async () => {
		for (let round = 0; round < ROUNDS; round += 1) {
			await running().sandbox.control.expireTokens();
			await expectOneTokenForEachWorker();
		}
	});
});

/** What the service allows; the window is a tenth of its minute. */
const LIMIT = 100;
const WINDOW_SECONDS = 6;

describe('an account that the service limits', () => {
	afterEach(async () => {
		await running().sandbox.control.setRequestsPerMinute(UNLIMITED);
	});

	/** Makes payouts with a credential that states a limit, and returns their statuses. */
	const pay = async (
		statedRequests: number,
		sizes: number[],
		start: (path: string, items: object[][]) => Promise<Array<{ data: unknown }>>,
	): Promise<string[]> => {
		const { cluster, sandbox } = running();
		const { n8n } = cluster;
		const { control, workspaceId } = sandbox;
		const webhookPath = randomUUID();
		const workflow = await n8n.createWorkflow(
			partnerPaymentsPayouts({
				...{ webhookPath, answer: 'allEntries', workspaceId },
				credential: await partnerPaymentsCredential(n8n, sandbox, {
					requestsPerMinute: statedRequests,
					rateWindowSeconds: WINDOW_SECONDS,
				}),
			}),
		);
		await n8n.activate(workflow.id);
		const batches = sizes.map((size) => makePayouts(randomUUID(), size));
		await addPayees(sandbox, batches.flat());
		await control.setRequestsPerMinute(LIMIT, WINDOW_SECONDS);
		await control.clearRequests();
		const answers = await start(webhookPath, batches.map(itemsOf));
		return answers.flatMap(({ data }) =>
			(data as Array<{ status: string }>).map(({ status }) => status),
		);
	};

	test('two workers that share an account pay everything', async () => {
		const sizes = Array.from({ length: MORE_THAN_ONE_WORKER_RUNS }, () => 12);
		const statuses = await pay(
			LIMIT,
			sizes,
			async (path, items) => await startTogether('createPayable', path, items),
		);
		expect(statuses).toEqual(Array(sum(sizes)).fill('funded'));
	});
});

describe('payouts', () => {
	const expectPaidOnce = async (session: Session, title: string): Promise<Outcome> => {
		const outcome = await readOutcome(session);
		console.log(`${title}: ${formatOutcome(outcome, session)}`);
		expect(outcome).toMatchObject({
			paidTwice: [],
			falselyPaid: [],
			silentlyUnpaid: [],
			unbalanced: [],
			ledgerSum: 0,
		});
		return outcome;
	};

	const play = async (store: LedgerStore, scenario: QueueScenario): Promise<void> => {
		const { cluster, sandbox } = running();
		const rounds = Math.max(scenario.leastRounds, Math.round(scenario.rounds * SCALE));
		const session = await Session.open(cluster, sandbox, { store });
		const isSettled = await playScenario(scenario, session, rounds, SEED);
		const outcome = await expectPaidOnce(session, `${store}, ${scenario.title}, ${rounds} rounds`);
		expect(isSettled).toBe(true);
		if (store === 'dataTable' && scenario.isKilled !== true) {
			expect(outcome).toMatchObject({ unsentUnconfirmed: [], answeredUnconfirmed: [] });
		}
	};

	test.each(QUEUE_SCENARIOS)(
		'$title: no payee is paid twice, or left unpaid without a report',
		async (scenario) => {
			await play('dataTable', scenario);
		},
		SCENARIO_TIMEOUT_MS,
	);

	test(
		"20 executions at once with the same 20 references, in n8n's own store: no payee is paid twice, or left unpaid without a report",
		async () => {
			await play('node', QUEUE_SCENARIOS[0]);
		},
		SCENARIO_TIMEOUT_MS,
	);

	test(
		'executions of the same payouts that start every minute pay each once, with few payables in vain #overlapping-executions',
		async () => {
			const { cluster, sandbox } = running();
			const { control } = sandbox;
			const limits = { requestsPerMinute: LIMIT, rateWindowSeconds: WINDOW_SECONDS };
			const session = await Session.open(cluster, sandbox, { store: 'dataTable', ...limits });
			const payouts = await session.add(Math.max(100, 400 * SCALE));
			await control.setRequestsPerMinute(LIMIT, WINDOW_SECONDS);
			const submissions = [session.submit(payouts)];
			const first = submissions[0]?.then(() => 'has ended');
			const nextStart = async (): Promise<void> => await delay(WINDOW_SECONDS * 1000);
			while ((await Promise.race([first, nextStart()])) === undefined)
				submissions.push(session.submit(payouts));
			await Promise.all(submissions);
			await control.setRequestsPerMinute(UNLIMITED);
			expect(await session.resubmit()).toBe(true);
			await expectPaidOnce(session, `${WORKERS} workers, ${submissions.length} starts`);
			const payees = new Set(payouts.map(({ payee }) => payee));
			const made = (await control.payables()).filter((one) => payees.has(one.payee_email ?? ''));
			console.log(`${made.length} payables for ${payouts.length} payouts`);
			expect(made.length).toBeLessThanOrEqual(1.05 * payouts.length);
		},
		SCENARIO_TIMEOUT_MS,
	);

	test('both workers have run executions', () => {
		expect(running().cluster.executionsByWorker('finished')).not.toContain(0);
	});
});

describe('triggers', () => {
	testTriggers(running, SCALE);
});
