import { alternately, figuresByName, formatMedian } from '../../statistics';
import { emitEvents, type TriggerBench } from './competitors';

const ROUNDS = 4;
const ROUND_EVENTS = 500;
const WARM_UP_EVENTS = 200;

/** Has as many events delivered to each alternately, and measures until their executions have ended. */
export async function measureThroughput(bench: TriggerBench): Promise<void> {
	const { table, n8n, sandbox, scaled } = bench;
	const eventsPerSecond = async (name: 'partnerPayments' | 'webhook', count: number) => {
		const competitor = bench[name];
		const { workflowId } = competitor;
		const before = n8n.database.countEnded(workflowId);
		const start = performance.now();
		await emitEvents(sandbox, competitor, count);
		await n8n.executions.untilEnded(workflowId, before + count);

		const seconds = (performance.now() - start) / 1000;
		return count / seconds;
	};

	const both = ['webhook', 'partnerPayments'] as const;
	await alternately(both, 1, async (name) => await eventsPerSecond(name, scaled(WARM_UP_EVENTS)));

	const count = scaled(ROUND_EVENTS);
	const rounds = await alternately(
		both,
		ROUNDS,
		async (name) => await eventsPerSecond(name, count),
	);

	const speeds = figuresByName(both, rounds);
	const ratios = rounds.map(({ partnerPayments, webhook }) => partnerPayments / webhook);
	table.row('Throughput', `${ROUNDS} rounds of ${count}, median (each)`);
	table.row('  Partner Payments Trigger, events/s', formatMedian(speeds.partnerPayments, 1));
	table.row('  Webhook, events/s', formatMedian(speeds.webhook, 1));
	table.row('  ratio', formatMedian(ratios, 2));
}
