import { randomUUID } from 'node:crypto';

import { rowOf, type RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { addLedgerRows, databaseTableOf } from '../../payouts/ledgerStore';
import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { emitEvents, payableIdOf, type TriggerBench } from './competitors';

const ROUNDS = 4;
const ROUND_EVENTS = 500;
const WARM_UP_EVENTS = 200;

const NAMES = ['webhook', 'stripe', 'partnerPayments', 'withoutLedger'] as const;

/**
 * Has as many events delivered to each alternately, and measures until their executions have ended. The ledger has
 * a row for each event, which its own trigger marks as paid.
 */
export async function measureSpeed(bench: TriggerBench): Promise<Measured> {
	const { n8n, sandbox, scaled } = bench;
	const eventsPerSecond = async (name: (typeof NAMES)[number], count: number): Promise<number> => {
		const competitor = bench[name];
		const { workflowId } = competitor;
		if (name === 'partnerPayments') {
			expectPayments(bench);
		}
		const before = n8n.database.countEnded(workflowId);
		const start = performance.now();
		await emitEvents(sandbox, competitor, count);
		await n8n.executions.untilEnded(workflowId, before + count);

		const seconds = (performance.now() - start) / 1000;
		return count / seconds;
	};

	const count = scaled(ROUND_EVENTS);
	await addLedgerRows(n8n, bench.ledgerId, rowsOfEvents(sandbox.workspaceId, count));
	await alternately(NAMES, 1, async (name) => await eventsPerSecond(name, scaled(WARM_UP_EVENTS)));

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

/** The rows of the payables that the events of a round are about. */
const rowsOfEvents = (workspaceId: string, count: number): RowValues[] =>
	Array.from({ length: count }, (_, index) => {
		const payment = {
			reference: `INV-${index}`,
			workspaceId,
			payee: 'vendor@example.com',
			amount: 10_000 + index,
			payableId: payableIdOf(index),
		};
		return rowOf(payment, {
			state: 'funded',
			claim: randomUUID(),
			execution: '1',
			environment: 'sandbox',
		});
	});

/** The ledger waits for the payment of all its payables again. */
function expectPayments({ n8n }: TriggerBench): void {
	n8n.database.change(`UPDATE ${databaseTableOf(n8n)} SET state = 'funded', paid_at = ''`);
}
