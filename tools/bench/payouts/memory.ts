import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Environment } from '../../environment';
import { poll } from '../../n8n/poll';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { memoryMb, peakMemoryMb, resetPeakMemory } from '../../processes/usage';
import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { COLUMNS, type PayoutBench, STORES } from './bench';
import { activateCompetitors, COMPETITORS } from './ledger';
import { type ActiveWorkflow, timeExecution } from './workflows';

const WARM_UP_ITEMS = 50;
/** How long n8n gets after the warm-up before its memory is measured. */
const SETTLING_MS = 2_000;

/**
 * By how much n8n's memory grows at most during one run. n8n is restarted for each, since a process seldom
 * gives memory back.
 */
export async function measureMemory(bench: PayoutBench): Promise<Measured> {
	const { memoryPayouts: count, memoryRounds: rounds } = bench.scale;
	const workflows = await activateCompetitors(bench);
	const figures = await alternately(COMPETITORS, rounds, async (competitor) => {
		await bench.n8n.restart();

		const growthMb = await growthDuring(bench, workflows[competitor], count);
		return (1_000 * growthMb) / count;
	});

	const growths = figuresByName(COMPETITORS, figures);
	const table = new TableBuilder(
		`${count.toLocaleString('en-US')} payouts in a run, n8n restarted before each: ${rounds} rounds`,
		COLUMNS,
	);

	for (const { store, name } of STORES) {
		table.compare({
			name: `${name}, memory for each 1,000 payouts`,
			unit: 'MB',
			own: growths[store],
			peer: growths.httpRequest,
			wanted: 'at most 1.0',
		});
	}

	return { isPassed: true, table: table.build() };
}

async function growthDuring(
	{ n8n, sandbox }: Environment,
	workflow: ActiveWorkflow,
	count: number,
): Promise<number> {
	const name = `memory-${randomUUID()}`;
	const warmUp = makePayouts(`${name}-warm-up`, WARM_UP_ITEMS);
	const payouts = makePayouts(name, count);
	await addPayees(sandbox, warmUp);
	await addPayees(sandbox, payouts);

	await poll('the workflow to be served', async () => {
		const { status } = await n8n.client.callWebhook(workflow.path, { items: itemsOf(warmUp) });
		// Shortly after its start, n8n answers so, and starts nothing.
		return status === 404 ? undefined : status;
	});
	await delay(SETTLING_MS);

	const { pid } = n8n.process;
	resetPeakMemory(pid);

	const before = memoryMb(pid);
	await timeExecution(n8n, workflow, itemsOf(payouts));
	return peakMemoryMb(pid) - before;
}
