import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import type { LoggedRequest } from '../../../sandbox/http/requestLog';
import { type Measured, TableBuilder } from '../results/table';
import type { PayoutBench } from './bench';
import { activateCompetitors, type Competitor } from './ledger';
import { timeExecution } from './workflows';

const LATENCY_MS = 150;
const WARM_UP_PAYOUTS = 50;

/** What a run asks of the service, in the order in which it first does. */
const STEPS = [
	{ operationId: 'getWallet', name: 'ask for the wallet' },
	{ operationId: 'createPayable', name: 'create payables' },
	{ operationId: 'approvePayable', name: 'approve payables' },
	{ operationId: 'createFunding', name: 'fund' },
];

const NAMES: Record<Competitor, string> = {
	httpRequest: 'HTTP Request',
	project: "Project's ledger",
	shared: 'Shared ledger',
};

/** When one run of many payouts asks the service for what, at a service that is slow: shows where its time goes. */
export async function measureTrace(bench: PayoutBench): Promise<Measured> {
	const { n8n, sandbox, scale } = bench;
	const { control } = sandbox;
	const workflows = await activateCompetitors(bench);
	const table = new TableBuilder(
		`When one run of ${scale.latencyPayouts} payouts sends its requests, and when it has their answers, at ${LATENCY_MS} ms a request`,
		{ own: 'milliseconds since the start', peer: '' },
	);

	const run = async (competitor: Competitor, count: number, name: string) => {
		const payouts = makePayouts(`trace-${name}-${competitor}`, count);
		await addPayees(sandbox, payouts);
		await control.clearRequests();
		const startedAt = Date.now();
		const { elapsedMs } = await timeExecution(n8n, workflows[competitor], itemsOf(payouts));
		return { startedAt, elapsedMs, requests: await control.requests() };
	};

	for (const competitor of ['httpRequest', 'project', 'shared'] as const) {
		await run(competitor, WARM_UP_PAYOUTS, 'warm-up');
		await control.addFault({ kind: 'latency', ms: LATENCY_MS, ratio: 1 });
		const { startedAt, elapsedMs, requests } = await run(competitor, scale.latencyPayouts, 'run');
		await control.clearFaults();

		for (const { operationId, name } of STEPS) {
			const sent = requests.filter((request) => request.operationId === operationId);
			if (sent.length > 0) {
				table.add({
					name: `${NAMES[competitor]}: ${name}, ${sent.length} times`,
					own: sent.length > 2 ? spanOf(sent, startedAt) : eachOf(sent, startedAt),
				});
			}
		}
		table.add({ name: `${NAMES[competitor]}: the run`, own: `0–${Math.round(elapsedMs)}` });
	}

	return { isPassed: true, table: table.build() };
}

/** From the first request until the last answer. */
function spanOf(requests: LoggedRequest[], startedAt: number): string {
	const starts = requests.map(({ at }) => Date.parse(at) - startedAt);
	const ends = requests.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0) - startedAt);
	return `${Math.round(Math.min(...starts))}–${Math.round(Math.max(...ends))}`;
}

/** Each request on its own. */
const eachOf = (requests: LoggedRequest[], startedAt: number): string =>
	requests.map((request) => spanOf([request], startedAt)).join(', ');
