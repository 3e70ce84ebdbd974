import { alternately, formatMedian } from '../../statistics';
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
		return count / ((performance.now() - start) / 1000);
	};

	const both = ['webhook', 'partnerPayments'] as const;
	await alternately(both, 1, async (name) => await eventsPerSecond(name, scaled(WARM_UP_EVENTS)));

	const count = scaled(ROUND_EVENTS);
	const speeds = await alternately(
		both,
		ROUNDS,
		async (name) => await eventsPerSecond(name, count),
	);

	const ratios = speeds.partnerPayments.map((own, index) => own / (speeds.webhook[index] ?? NaN));
	table.row('Throughput', `${ROUNDS} rounds of ${count}, median (each)`);
	table.row('  Partner Payments Trigger, events/s', formatMedian(speeds.partnerPayments, 1));
	table.row('  Webhook, events/s', formatMedian(speeds.webhook, 1));
	table.row('  ratio', formatMedian(ratios, 2));
}
