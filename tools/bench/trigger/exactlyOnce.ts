import { setTimeout as delay } from 'node:timers/promises';

import { seeded } from '../../random';
import { formatCounts } from '../../statistics';
import { SECRET, type TriggerBench } from './competitors';
import { atLeastOnce, makeEvents, tallyExecutions } from './events';
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
 * Sends events twice, drops connections and, when asked to, restarts n8n, with a pause in the deliveries
 * in which it ends its executions. Returns whether each event was executed once.
 */
export async function measureExactlyOnce(
	{ table, n8n, partnerPayments, workspaceId, scaled }: TriggerBench,
	isRestarted: boolean,
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
			if (!isRestarted || restart !== undefined) return;
			if (accepted < deliveries.length * RESTART_AT) return;
			sender.pause();
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
	const rows: Array<[what: string, figure: number | string]> = [
		['Exactly once: distinct events', events.length],
		['  deliveries (seconds)', `${deliveries.length} (${seconds.toFixed(0)})`],
		['  requests sent', figures.attempts],
		['  answered 2xx', figures.accepted],
		['  duplicates ignored', figures.ignored],
		['  answered otherwise', formatCounts(figures.refused)],
		['  connections broken / dropped by sender', `${figures.broken} / ${figures.dropped}`],
		['  executed once', tally.once],
		['  executed twice', tally.twice.length],
		['  lost', tally.lost.length],
		['  of those executed once, cut off before', tally.repeated],
		['  cut off and not executed again', tally.unfinished.length],
	];
	for (const row of rows) table.row(...row);
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
