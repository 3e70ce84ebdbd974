import { setTimeout as delay } from 'node:timers/promises';

import { backgroundFaults, between } from '../chaos/scenarios';
import { poll } from '../n8n/poll';
import type { PayoutRequest } from '../payouts/payout';
import { type Random, seeded } from '../random';
import type { N8nProcess } from '../n8n/process';
import type { Session } from './session';

/** Something that happens in every round of a scenario. */
export interface QueueScenario {
	title: string;
	/** How many rounds there are when nothing scales them down. */
	rounds: number;
	/** How many there are at least: one of each kind. */
	leastRounds: number;
	/** A worker is killed, so that n8n may not know what it has not sent. */
	isKilled?: boolean;
	play: (session: Session, round: number, random: Random) => Promise<void>;
}

/** The sandbox's log of requests has an end. */
const ROUNDS_PER_DRAIN = 10;

/** Plays the rounds of a scenario, then submits everything again until nothing changes. */
export async function playScenario(
	{ play }: QueueScenario,
	session: Session,
	rounds: number,
	seed: number,
): Promise<boolean> {
	const random = seeded(seed);
	try {
		for (let round = 0; round < rounds; round += 1) {
			await play(session, round, random);
			if (round % ROUNDS_PER_DRAIN === ROUNDS_PER_DRAIN - 1) {
				await session.drain();
			}
		}
	} finally {
		await session.sandbox.control.clearFaults();
	}

	return await session.resubmit();
}

const EXECUTIONS_AT_ONCE = 20;
const LEAST_DISTANCE_MS = 10;
const MOST_DISTANCE_MS = 250;
const BATCH_SIZE = 100;
/** So that requests are in flight when a worker is killed. */
const SERVICE_LATENCY_MS = 30;
const POLL_INTERVAL_MS = 20;

/** Many executions at once, all with the same payouts. */
async function submitTogether(session: Session): Promise<void> {
	const payouts = await session.add(20);
	const submissions = Array.from({ length: EXECUTIONS_AT_ONCE }, async () => {
		await session.submit(payouts);
	});

	await Promise.all(submissions);
}

/** Two executions with the same payouts, the second one a little later: all distances in turn. */
async function submitPair(session: Session, round: number): Promise<void> {
	const payouts = await session.add(2);
	const steps = MOST_DISTANCE_MS - LEAST_DISTANCE_MS;
	const first = session.submit(payouts);
	// 37 has no factor in common with the number of distances, so that each comes once.
	await delay(LEAST_DISTANCE_MS + ((round * 37) % (steps + 1)));
	await Promise.all([first, session.submit(payouts)]);
}

/** Three batches, each overlapping the one before by half, at once and then again, under faults. */
async function submitOverlapping(session: Session, round: number): Promise<void> {
	const payouts = await session.add(BATCH_SIZE * 2);
	const batches = [0, BATCH_SIZE / 2, BATCH_SIZE].map((start) =>
		payouts.slice(start, start + BATCH_SIZE),
	);

	for (const fault of backgroundFaults(round + 1)) {
		await session.sandbox.control.addFault(fault);
	}

	const submitAll = async (): Promise<void> => {
		await Promise.all(batches.map(async (batch) => await session.submit(batch)));
	};

	await submitAll();
	await submitAll();

	await session.sandbox.control.clearFaults();
}

/**
 * Two executions with payouts in common, during which a worker is killed and started again: when so
 * many fundings were requested, or while payables are created and approved.
 */
async function killWorker(session: Session, round: number, random: Random): Promise<void> {
	const { control } = session.sandbox;
	const payouts = await session.add(60);
	const isDuringFunding = round % 3 < 2;
	const requestsBefore = isDuringFunding ? between(0, 6, random) : between(10, 110, random);
	const killAfter = Math.ceil(requestsBefore);
	await session.drain();
	await control.addFault({ kind: 'latency', ms: SERVICE_LATENCY_MS, ratio: 1 });

	let hasEnded = false;
	const submissions = submitBoth(session, payouts, 40).then(() => (hasEnded = true));
	await poll(
		'requests',
		async () => {
			const requests = await control.requests(isDuringFunding ? 'createFunding' : undefined);
			return requests.length >= killAfter || hasEnded || undefined;
		},
		{ intervalMs: POLL_INTERVAL_MS },
	);

	const worker = workerOf(session, round);
	await worker.kill();
	await worker.launch();
	await submissions;
	await session.sandbox.control.clearFaults();
	session.cluster.ageLedger();
}

/** Two executions with payouts in common, during which a worker stands still for a while. */
async function stallWorker(session: Session, round: number, random: Random): Promise<void> {
	const payouts = await session.add(4);
	const worker = workerOf(session, round);
	const submissions = submitBoth(session, payouts, 3);
	await delay(between(0, 400, random));
	worker.signal('SIGSTOP');

	try {
		await delay(between(200, 3_000, random));
	} finally {
		worker.signal('SIGCONT');
	}

	await submissions;
}

/** Submits the first of the payouts and the last of them at once, `size` each. */
const submitBoth = async (
	session: Session,
	payouts: PayoutRequest[],
	size: number,
): Promise<unknown> =>
	await Promise.all([session.submit(payouts.slice(0, size)), session.submit(payouts.slice(-size))]);

/** One worker and the other in turn. */
const workerOf = ({ cluster: { workers } }: Session, round: number): N8nProcess =>
	workers[round % 2 === 0 ? 0 : 1];

/** What queue mode has to stand; the first one is where the executions race the most. */
export const QUEUE_SCENARIOS: [QueueScenario, ...QueueScenario[]] = [
	{
		title: '20 executions at once with the same 20 references',
		rounds: 30,
		leastRounds: 2,
		play: submitTogether,
	},
	{
		title: 'pairs of executions with the same references, 10 to 250 ms apart',
		rounds: 241,
		leastRounds: 10,
		play: submitPair,
	},
	{
		title: 'overlapping batches of 100 while the service fails',
		rounds: 6,
		leastRounds: 1,
		play: submitOverlapping,
	},
	{
		title: 'a worker that is killed',
		rounds: 10,
		leastRounds: 1,
		isKilled: true,
		play: killWorker,
	},
	{
		title: 'a worker that stands still for 0.2 to 3 s',
		rounds: 100,
		leastRounds: 5,
		play: stallWorker,
	},
];
