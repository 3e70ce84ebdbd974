import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/client';
import { checkInvariants, isUnconfirmed } from '../../tools/chaos/invariants';
import type { Incident } from '../../tools/chaos/scenarios';
import { packPackage } from '../../tools/n8n';
import { UNLIMITED } from '../../tools/payouts/credentials';
import { QueueCluster } from '../../tools/queue/cluster';
import { playScenario, QUEUE_SCENARIOS, type QueueScenario } from '../../tools/queue/scenarios';
import { Session } from '../../tools/queue/session';
import { useResource } from '../n8n/support/resource';
import { startSandbox } from '../support/sandbox';
import { testTriggers } from './triggers.suite';

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

/** What the service allows; the window is a tenth of its minute. */
const LIMIT = 100;
const WINDOW_SECONDS = 6;

describe('payouts', () => {
	/** Compares what n8n has reported with what the sandbox knows. */
	const expectPaidOnce = async (
		session: Session,
		title: string,
		isSettled: boolean,
		incident?: Incident,
	): Promise<void> => {
		const results = await session.results(incident);
		const unconfirmed = results.results.filter(isUnconfirmed).length;

		console.log(`${title}: ${results.results.length} payouts, ${unconfirmed} unconfirmed`);

		for (const { invariant, violations } of checkInvariants(results, isSettled)) {
			expect({ invariant, violations }).toEqual({ invariant, violations: [] });
		}
	};

	const play = async (scenario: QueueScenario): Promise<void> => {
		const { cluster, sandbox } = running();
		const rounds = Math.max(scenario.leastRounds, Math.round(scenario.rounds * SCALE));
		const session = await Session.open(cluster, sandbox);
		const isSettled = await playScenario(scenario, session, rounds, SEED);
		const title = `${scenario.title}, ${rounds} rounds`;

		await expectPaidOnce(session, title, isSettled, scenario.isKilled === true ? 'kill' : 'none');
	};

	test.each(QUEUE_SCENARIOS)(
		'$title: no payee is paid twice, or left unpaid without a report',
		async (scenario) => {
			await play(scenario);
		},
		SCENARIO_TIMEOUT_MS,
	);

	test(
		'executions of the same payouts that start every minute pay each once, with few payables in vain #overlapping-executions',
		async () => {
			const { cluster, sandbox } = running();
			const { control } = sandbox;
			const limits = { requestsPerMinute: LIMIT, rateWindowSeconds: WINDOW_SECONDS };
			const session = await Session.open(cluster, sandbox, limits);
			const payouts = await session.add(Math.max(100, 400 * SCALE));
			await control.setSettings({ requestsPerMinute: LIMIT, rateWindowSeconds: WINDOW_SECONDS });
			const submissions = [session.submit(payouts)];
			const first = submissions[0]?.then(() => 'has ended');
			const nextStart = async (): Promise<void> => await delay(WINDOW_SECONDS * 1000);

			while ((await Promise.race([first, nextStart()])) === undefined) {
				submissions.push(session.submit(payouts));
			}

			await Promise.all(submissions);
			await control.setSettings({ requestsPerMinute: UNLIMITED });

			const title = `${WORKERS} workers, ${submissions.length} starts`;
			await expectPaidOnce(session, title, await session.resubmit());

			const payees = new Set(payouts.map(({ payee }) => payee));
			const made = (await control.payables()).filter((one) => payees.has(one.payee_email));

			console.log(`${made.length} payables for ${payouts.length} payouts`);

			expect(made.length).toBeLessThanOrEqual(1.05 * payouts.length);
		},
		SCENARIO_TIMEOUT_MS,
	);

	test('both workers have run executions', () => {
		expect(running().cluster.executionsByWorker()).not.toContain(0);
	});
});

describe('triggers', () => {
	testTriggers(running, SCALE);
});
