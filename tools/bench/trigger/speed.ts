import { formatMedian } from '../../statistics';
import { type Competitor, SECRET, type TriggerBench, waitForEnded } from './competitors';
import { makeEvents } from './events';
import { MAX_IN_FLIGHT, Sender } from './sender';

/** Their names are letters, as in the IDs of events. */
const ROUNDS = ['a', 'b', 'c', 'd'];
const ROUND_EVENTS = 500;
const WARM_UP_EVENTS = 200;

/** Sends as many events to each alternately, and measures until their executions have ended. */
export async function measureThroughput(bench: TriggerBench): Promise<void> {
	const { table, partnerPayments, webhook, scaled } = bench;
	const roundEvents = scaled(ROUND_EVENTS);
	for (const competitor of [partnerPayments, webhook]) {
		await eventsPerSecond(bench, competitor, 'warm', scaled(WARM_UP_EVENTS));
	}
	const [own, peer]: [number[], number[]] = [[], []];
	for (const round of ROUNDS) {
		peer.push(await eventsPerSecond(bench, webhook, `round${round}`, roundEvents));
		own.push(await eventsPerSecond(bench, partnerPayments, `round${round}`, roundEvents));
	}
	const ratios = own.map((speed, index) => speed / (peer[index] ?? NaN));
	const rounds = `${ROUNDS.length} rounds of ${roundEvents}`;
	table.row('Throughput', `${rounds}, ${MAX_IN_FLIGHT} in flight, median (each)`);
	table.row('  Partner Payments Trigger, events/s', formatMedian(own, 1));
	table.row('  Webhook, events/s', formatMedian(peer, 1));
	table.row('  ratio', formatMedian(ratios, 2));
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
