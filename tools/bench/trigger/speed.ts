import { formatMedian, formatSpread } from '../../statistics';
import { type Competitor, SECRET, type TriggerBench, waitForEnded } from './competitors';
import { makeEvents } from './events';
import { executionStarts } from './executions';
import { MAX_IN_FLIGHT, Sender } from './sender';

const ROUNDS = 4;
const ROUND_EVENTS = 500;
const WARM_UP_EVENTS = 200;
const SINGLE_EVENTS = 200;

/** Sends as many events to each alternately, and measures until their executions have ended. */
export async function measureThroughput(bench: TriggerBench): Promise<void> {
	const { program, partnerPayments, webhook, webhookV1, scaled } = bench;
	const roundEvents = scaled(ROUND_EVENTS);
	for (const competitor of [partnerPayments, webhook, webhookV1]) {
		await eventsPerSecond(bench, competitor, 'warm', scaled(WARM_UP_EVENTS));
	}
	const rounds: Array<Record<'partnerPayments' | 'webhook' | 'webhookV1', number>> = [];
	for (let index = 0; index < ROUNDS; index += 1) {
		const speed = async (competitor: Competitor): Promise<number> =>
			await eventsPerSecond(bench, competitor, `round${'abcd'[index] ?? ''}`, roundEvents);
		rounds.push({
			webhook: await speed(webhook),
			partnerPayments: await speed(partnerPayments),
			webhookV1: await speed(webhookV1),
		});
	}
	program.row(
		'Throughput',
		`${ROUNDS} rounds of ${roundEvents}, ${MAX_IN_FLIGHT} in flight, median (each)`,
	);
	const report = (what: string, figure: (round: (typeof rounds)[0]) => number, digits: number) => {
		program.row(`  ${what}`, formatMedian(rounds.map(figure), digits));
	};
	report('Partner Payments Trigger, events/s', (round) => round.partnerPayments, 1);
	report('Webhook, events/s', (round) => round.webhook, 1);
	report('Webhook version 1, events/s', (round) => round.webhookV1, 1);
	report('ratio to Webhook', (round) => round.partnerPayments / round.webhook, 2);
	report('ratio to Webhook version 1', (round) => round.partnerPayments / round.webhookV1, 2);
}

async function eventsPerSecond(
	{ n8n, workspaceId }: TriggerBench,
	competitor: Competitor,
	name: string,
	count: number,
): Promise<number> {
	const before = n8n.database.countEnded(competitor.workflowId);
	const start = performance.now();
	const sender = new Sender({ url: competitor.url, secret: SECRET });
	await sender.deliver(makeEvents(name, count, workspaceId));
	await waitForEnded(n8n, competitor, before + count);
	return count / ((performance.now() - start) / 1000);
}

/** Sends one event at a time to both alternately. */
export async function measureLatency(bench: TriggerBench): Promise<void> {
	const { program, n8n, partnerPayments, webhook, workspaceId, scaled } = bench;
	const events = makeEvents('single', scaled(SINGLE_EVENTS), workspaceId);
	const series = [partnerPayments, webhook].map((competitor) => ({
		competitor,
		sender: new Sender({ url: competitor.url, secret: SECRET }),
		endedBefore: n8n.database.countEnded(competitor.workflowId),
		sentAt: new Map<string, number>(),
		answerTimesMs: [] as number[],
	}));
	for (const event of events) {
		for (const { competitor, sender, sentAt, answerTimesMs, endedBefore } of series) {
			sentAt.set(event.id, Date.now());
			answerTimesMs.push(await sender.deliverOne(event));
			await waitForEnded(n8n, competitor, endedBefore + answerTimesMs.length);
		}
	}
	program.row('Latency', `${events.length} one at a time, ms, median / p95`);
	for (const { competitor, sentAt, answerTimesMs } of series) {
		const startedAt = executionStarts(n8n.database.executions(competitor.workflowId));
		const startTimesMs = [...sentAt].map(([id, at]) => (startedAt.get(id) ?? NaN) - at);
		program.row(`  ${competitor.name}, to the start`, formatSpread(startTimesMs));
		program.row(`  ${competitor.name}, to the answer`, formatSpread(answerTimesMs));
	}
}
