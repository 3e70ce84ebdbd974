import { setTimeout as delay } from 'node:timers/promises';

import { seeded } from '../../random';
import { formatCounts } from '../../statistics';
import { SECRET, type TriggerBench } from './competitors';
import { atLeastOnce, makeEvents } from './events';
import { tallyExecutions } from './executions';
import { Sender } from './sender';

const SEED = 20_260_101;
const EVENTS = 5_000;
const DUPLICATE_SHARE = 0.2;
const DROPPED_SHARE = 0.02;
/** n8n is restarted when this share of the deliveries is accepted. */
const RESTART_AT = 0.5;
const SETTLE_INTERVAL_MS = 2_000;
/** Events that are named when they were not executed exactly once. */
const MAX_NAMED = 20;

/**
 * Sends events twice, drops connections and restarts n8n: abruptly, or with a pause in the deliveries in
 * which it ends its executions. Returns whether each event was executed once.
 */
export async function measureExactlyOnce(
	{ program, n8n, partnerPayments, workspaceId, scaled }: TriggerBench,
	isAbrupt: boolean,
): Promise<boolean> {
	const random = seeded(SEED);
	const events = makeEvents('once', scaled(EVENTS), workspaceId);
	const deliveries = atLeastOnce(events, DUPLICATE_SHARE, random);
	let restart: Promise<void> | undefined;
	const sender = new Sender({
		url: partnerPayments.url,
		secret: SECRET,
		dropping: { share: DROPPED_SHARE, random },
		onAccepted: (accepted) => {
			if (restart !== undefined || accepted < deliveries.length * RESTART_AT) return;
			if (!isAbrupt) sender.pause();
			restart = n8n.restart();
		},
	});
	const start = Date.now();
	await sender.deliver(deliveries);
	await restart;
	await waitUntilSettled(() => n8n.database.countEnded(partnerPayments.workflowId));
	const seconds = (Date.now() - start) / 1000;

	const tally = tallyExecutions(
		n8n.database.executions(partnerPayments.workflowId),
		events.map(({ id }) => id),
	);
	const { figures } = sender;
	program.row('Exactly once: distinct events', events.length);
	program.row('  deliveries (seconds)', `${deliveries.length} (${seconds.toFixed(0)})`);
	program.row('  requests sent', figures.attempts);
	program.row('  answered 2xx', figures.accepted);
	program.row('  duplicates ignored', figures.ignored);
	program.row('  sender retries', figures.retries);
	program.row('  answered otherwise', formatCounts(figures.refused));
	program.row('  connections broken / dropped by sender', `${figures.broken} / ${figures.dropped}`);
	program.row('  executed once', tally.once);
	program.row('  executed twice', tally.twice.length);
	program.row('  lost', tally.lost.length);
	program.row('  of those executed once, cut off before', tally.repeated);
	program.row('  cut off and not executed again', tally.unfinished.length);
	const failures = { 'Executed twice': tally.twice, Lost: tally.lost, 'Cut off': tally.unfinished };
	for (const [what, ids] of Object.entries(failures)) {
		if (ids.length > 0) console.error(`${what}: ${ids.slice(0, MAX_NAMED).join(' ')}`);
	}
	return Object.values(failures).every((ids) => ids.length === 0);
}

/** Waits until a count has not changed for a while. */
async function waitUntilSettled(read: () => number): Promise<void> {
	let before = -1;
	for (let now = read(); now !== before; now = read()) {
		before = now;
		await delay(SETTLE_INTERVAL_MS);
	}
}
