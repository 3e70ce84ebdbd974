import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { emitEvents, type TriggerBench } from './competitors';

const ROUNDS = 4;
const ROUND_EVENTS = 500;
const WARM_UP_EVENTS = 200;

const NAMES = ['webhook', 'stripe', 'partnerPayments', 'withoutLedger'] as const;

/** Has as many events delivered to each alternately, and measures until their executions have ended. */
export async function measureSpeed(bench: TriggerBench): Promise<Measured> {
	const { n8n, sandbox, scaled } = bench;
	const eventsPerSecond = async (name: (typeof NAMES)[number], count: number): Promise<number> => {
		const competitor = bench[name];
		const { workflowId } = competitor;
		const before = n8n.database.countEnded(workflowId);
		const start = performance.now();
		await emitEvents(sandbox, competitor, count);
		await n8n.executions.untilEnded(workflowId, before + count);

		const seconds = (performance.now() - start) / 1000;
		return count / seconds;
	};

	await alternately(NAMES, 1, async (name) => await eventsPerSecond(name, scaled(WARM_UP_EVENTS)));

	const count = scaled(ROUND_EVENTS);
	const rounds = await alternately(
		NAMES,
		ROUNDS,
		async (name) => await eventsPerSecond(name, count),
	);

	const speeds = figuresByName(NAMES, rounds);
	const table = new TableBuilder(`${count} events at once: ${ROUNDS} rounds`, {
		own: 'Partner Payments Trigger',
		peer: "n8n's trigger",
	});

	const peers = [
		{
			name: 'Stripe Trigger, which checks signatures',
			peer: speeds.stripe,
			wanted: 'at least 1.0',
		},
		{ name: 'Webhook, which checks nothing', peer: speeds.webhook, wanted: '' },
	];

	for (const { name, peer, wanted } of peers) {
		const unit = 'events a second';
		table.compare({
			name: `beside ${name}`,
			unit,
			digits: 1,
			own: speeds.partnerPayments,
			peer,
			wanted,
		});
		table.compare({
			name: `asking no ledger, beside ${name}`,
			unit,
			digits: 1,
			own: speeds.withoutLedger,
			peer,
		});
	}

	return { isPassed: true, table: table.build() };
}
