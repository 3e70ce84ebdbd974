import { setTimeout as delay } from 'node:timers/promises';

import type { Environment } from '../../environment';
import type { N8n, StoredExecution } from '../../n8n';
import { poll } from '../../n8n/poll';
import { countValues, formatCounts } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { emitEvents, type TriggerBench } from './competitors';

/** As many as the trigger remembers: of more, a late repetition would start the oldest again. */
const EVENTS = 5_000;
/** Shares of the deliveries: sent twice at once, together with an old one, and later than others. */
const DUPLICATE_SHARE = 0.1;
const STALE_SHARE = 0.1;
const REORDERED_SHARE = 0.2;
const REORDERED_MS = 2_000;
/** For so many events the sandbox gives up connections early, and sends again as it does after refusals. */
const IMPATIENT_SHARE = 0.05;
const IMPATIENT_MS = 2_000;
const IMPATIENT = { timeoutMs: 100, maxAttempts: 60, firstRetryMs: 200, maxRetryMs: 3_000 };
/** How long nothing changes before the executions are counted: when all have ended, and when not. */
const SETTLE_MS = 2_000;
const GIVE_UP_MS = 60_000;
/** Events that are named when they were not executed exactly once. */
const MAX_NAMED = 20;

/**
 * Has events delivered at least once, in any order, over connections that are given up early and, when
 * asked to, over a restart of n8n, with a pause in the deliveries in which it ends its executions.
 * Passes when each event was executed once.
 */
export async function measureExactlyOnce(
	bench: TriggerBench,
	isRestarted: boolean,
): Promise<Measured> {
	const { n8n, sandbox, partnerPayments, scaled } = bench;
	const { control } = sandbox;
	const { workflowId } = partnerPayments;
	const { timeoutMs, maxAttempts, firstRetryMs, maxRetryMs } = await control.settings();
	await control.addDeliveryFault({ kind: 'reorder', ms: REORDERED_MS, ratio: REORDERED_SHARE });
	await control.addDeliveryFault({ kind: 'duplicate', copies: 2, ratio: DUPLICATE_SHARE });
	await control.addDeliveryFault({ kind: 'stale', ratio: STALE_SHARE });
	await control.setSettings(IMPATIENT);

	const start = Date.now();
	const impatient = await emitEvents(sandbox, partnerPayments, scaled(EVENTS * IMPATIENT_SHARE));
	await delay(IMPATIENT_MS);
	await control.setSettings({ timeoutMs });

	const count = scaled(EVENTS * (1 - IMPATIENT_SHARE));
	const patient = await emitEvents(sandbox, partnerPayments, count);
	const events = [...impatient, ...patient];
	if (isRestarted) {
		await restartAfter(bench, events.length / 2);
	}

	await untilCount(bench, ({ delivered }) => delivered === events.length);
	await waitUntilSettled(n8n, workflowId);

	const seconds = (Date.now() - start) / 1000;
	await control.clearDeliveryFaults();
	await control.setSettings({ timeoutMs, maxAttempts, firstRetryMs, maxRetryMs });

	const attempts = await control.deliveryAttempts();
	const tally = tallyExecutions(
		n8n.database.executions(workflowId),
		events.map(({ id }) => id),
	);

	const answers = countValues(attempts.map(({ status }) => status ?? 'none'));
	const faults = countValues(attempts.flatMap((attempt) => attempt.faults));
	const table = new TableBuilder('Events over faults and a restart of n8n', {
		own: 'Partner Payments Trigger',
		peer: '',
	});

	table.add({ name: 'distinct events', own: events.length });
	table.add({ name: 'requests sent', own: attempts.length });
	table.add({ name: 'until all executions had ended', unit: 's', own: seconds });
	table.add({ name: 'answers', own: formatCounts(answers) });
	table.add({ name: 'faults', own: formatCounts(faults) });
	table.add({ name: 'executed once', own: tally.once, wanted: 'all' });
	table.add({ name: 'executed twice', own: tally.twice.length, wanted: '0' });
	table.add({ name: 'lost', own: tally.lost.length, wanted: '0' });
	table.add({ name: 'executed once, and cut off before', own: tally.repeated });
	table.add({
		name: 'cut off and not executed again',
		own: tally.unfinished.length,
		wanted: '0',
	});

	const failures = { 'Executed twice': tally.twice, Lost: tally.lost, 'Cut off': tally.unfinished };
	for (const [what, ids] of Object.entries(failures)) {
		if (ids.length > 0) {
			console.error(`${what}: ${ids.slice(0, MAX_NAMED).join(' ')}`);
		}
	}

	const isPassed = Object.values(failures).every((ids) => ids.length === 0);
	return { isPassed, table: table.build() };
}

type DeliveryCounts = Awaited<ReturnType<TriggerBench['sandbox']['control']['deliveryCounts']>>;

const untilCount = async (
	{ sandbox }: Environment,
	isReached: (counts: DeliveryCounts) => boolean,
): Promise<true> =>
	await poll(
		'the deliveries',
		async () => isReached(await sandbox.control.deliveryCounts()) || undefined,
		{ timeoutMs: 10 * 60_000 },
	);

/** Restarts n8n after so many deliveries, in a pause: n8n exits only when it is idle. */
async function restartAfter(environment: Environment, count: number): Promise<void> {
	const { control } = environment.sandbox;
	await untilCount(environment, ({ delivered }) => delivered >= count);
	await control.setSettings({ paused: true });
	await untilCount(environment, ({ sending }) => sending === 0);
	await environment.n8n.restart();
	await control.setSettings({ paused: false });
}

/**
 * Waits until every execution has ended and no other one has begun for a while. What n8n has left behind
 * when it ended stays unfinished: it is given up when nothing changes for long.
 */
async function waitUntilSettled({ database }: N8n, workflowId: string): Promise<void> {
	const read = (): string =>
		`${database.countUnfinished(workflowId)} of ${database.executionIds(workflowId).length}`;

	let before = '';
	let unchangedMs = 0;
	while (unchangedMs < (database.countUnfinished(workflowId) === 0 ? SETTLE_MS : GIVE_UP_MS)) {
		const now = read();
		unchangedMs = now === before ? unchangedMs + SETTLE_MS : 0;
		before = now;
		await delay(SETTLE_MS);
	}
}

/** The executions of an event. */
interface ExecutionsOfEvent {
	id: string;
	ended: number;
	cutOff: number;
}

/** Counts the executions of each event; n8n marks those that were cut off when it ended as crashed. */
function tallyExecutions(executions: StoredExecution[], ids: string[]) {
	const counts = new Map(
		ids.map((id): [string, ExecutionsOfEvent] => [id, { id, ended: 0, cutOff: 0 }]),
	);
	for (const { data, status } of executions) {
		const mentioned = new Set(data.match(/evt_[0-9a-f]{32}/g));
		const outcome = status === 'success' ? 'ended' : 'cutOff';
		for (const count of [...mentioned].flatMap((id) => counts.get(id) ?? [])) {
			count[outcome] += 1;
		}
	}

	const events = [...counts.values()];
	const idsWhere = (matches: (event: ExecutionsOfEvent) => boolean): string[] =>
		events.filter(matches).map(({ id }) => id);

	return {
		once: idsWhere(({ ended }) => ended === 1).length,
		twice: idsWhere(({ ended }) => ended > 1),
		/** Events without any execution. */
		lost: idsWhere(({ ended, cutOff }) => ended + cutOff === 0),
		/** Of those executed once: another execution had been started, and was cut off when n8n ended. */
		repeated: idsWhere(({ ended, cutOff }) => ended === 1 && cutOff > 0).length,
		/** Events whose only execution was cut off or failed. */
		unfinished: idsWhere(({ ended, cutOff }) => ended === 0 && cutOff > 0),
	};
}
