import type { LoggedRequest, Sandbox } from '../../../sandbox/client';
import type { Environment } from '../../environment';
import { addPayees, itemsOf, makePayouts } from '../../payouts/payout';
import { type Measured, TableBuilder } from '../results/table';
import { COLUMNS, LIMIT, type PayoutBench, WINDOW_SECONDS } from './bench';
import { activateOwn, activatePeer, type ActiveWorkflow, timeExecution } from './workflows';

export const SERVICE_LIMIT = { requestsPerMinute: LIMIT, rateWindowSeconds: WINDOW_SECONDS };
const WINDOW_MS = WINDOW_SECONDS * 1000;

const PAYOUTS_PER_FUNDING = 50;

/** The most payouts per window in the long run: two requests each, and a share of their funding. */
const MAX_PER_WINDOW = LIMIT / (2 + 1 / PAYOUTS_PER_FUNDING);

/**
 * Differences between the interval of HTTP Request nodes' batches and the window, the best first. The
 * interval may be shorter, as n8n takes a while to prepare a batch after it; but batches that come less
 * than a window apart are refused.
 */
const MARGINS_MS = [-600, -450, -300, -150, 0, 150, 300, 600];

/** Figures of an execution under the limit. */
interface RateLimitFigures {
	seconds: number;
	requestsPerPayout: number;
	/**
	 * Over as many whole windows as the execution has: from the first request to the first one that
	 * comes after a multiple of the limit. No sender can exceed the limit by this measure.
	 */
	sustainedPerWindow: number;
	/** The most requests within any window, as the sandbox counted. */
	largestWindow: number;
	/** Requests that the sandbox answered with 429. */
	refused: number;
}

/** Many payouts under the limit. Passes when this package's node keeps to it. */
export async function measureLimit(bench: PayoutBench): Promise<Measured> {
	const { limitedPayouts } = bench.scale;
	const peer = await measureHttpRequest(bench, limitedPayouts);
	const own = await measurePartnerPayments(bench, limitedPayouts);
	const table = new TableBuilder(
		`${limitedPayouts} payouts at ${LIMIT} requests in ${WINDOW_SECONDS} s, a scaled minute`,
		COLUMNS,
	);

	table.add({ name: 'batches of HTTP Request, the best', own: '', peer: peer.settings });
	table.compare({
		name: 'the whole run',
		unit: 's',
		digits: 1,
		own: [own.seconds],
		peer: [peer.seconds],
	});
	table.compare({
		name: 'requests for one payout',
		digits: 2,
		own: [own.requestsPerPayout],
		peer: [peer.requestsPerPayout],
	});
	table.compare({
		name: 'payouts in a scaled minute, in whole windows',
		digits: 1,
		own: [own.sustainedPerWindow],
		peer: [peer.sustainedPerWindow],
		wanted: 'at least 1.45',
	});
	table.add({
		name: 'share of the most possible: 100 / (2 + 1/50)',
		unit: '%',
		digits: 1,
		own: shareOfMax(own),
		peer: shareOfMax(peer),
		wanted: 'at least 99',
	});
	table.add({
		name: 'most requests in any window',
		own: own.largestWindow,
		peer: peer.largestWindow,
		wanted: `at most ${LIMIT}`,
	});
	table.add({ name: 'answers 429', own: own.refused, peer: peer.refused, wanted: '0' });

	return { isPassed: own.largestWindow <= LIMIT && own.refused === 0, table: table.build() };
}

const shareOfMax = ({ sustainedPerWindow }: RateLimitFigures): number =>
	(100 * sustainedPerWindow) / MAX_PER_WINDOW;

/** Makes payouts under the limit with this package's node. */
export async function measurePartnerPayments(
	environment: Environment,
	count: number,
): Promise<RateLimitFigures> {
	const workflow = await activateOwn(environment, SERVICE_LIMIT);
	return await measure(environment, workflow, count);
}

/** Makes payouts with HTTP Request nodes, at the best of their settings at which nothing is refused. */
async function measureHttpRequest(
	environment: Environment,
	count: number,
): Promise<RateLimitFigures & { settings: string }> {
	for (const marginMs of MARGINS_MS) {
		const batches = { size: LIMIT, intervalMs: WINDOW_MS + marginMs, waitMs: WINDOW_MS };
		const workflow = await activatePeer(environment, batches);
		const figures = await measureUnlessRefused(environment, workflow, count);
		if (figures?.refused === 0) {
			return { ...figures, settings: `${LIMIT} every ${batches.intervalMs / 1000} s` };
		}
	}

	throw new Error('HTTP Request nodes are refused at all of these settings.');
}

/** Undefined when the execution has failed because the service refused a request. */
async function measureUnlessRefused(
	environment: Environment,
	workflow: ActiveWorkflow,
	count: number,
): Promise<RateLimitFigures | undefined> {
	try {
		return await measure(environment, workflow, count);
	} catch (error) {
		const { refused } = await readRefusals(environment.sandbox);
		if (refused === 0) {
			throw error;
		}

		return undefined;
	}
}

async function measure(
	environment: Environment,
	workflow: ActiveWorkflow,
	count: number,
): Promise<RateLimitFigures> {
	const { n8n, sandbox } = environment;
	const { control } = sandbox;
	const payouts = makePayouts(`limited-${workflow.path}`, count);
	await addPayees(sandbox, payouts);
	await control.setSettings(SERVICE_LIMIT);
	await control.clearRequests();

	const { elapsedMs } = await timeExecution(n8n, workflow, itemsOf(payouts));
	const logged = await control.requests();
	const requests = logged.filter(({ host }) => host === 'api');
	const requestsPerPayout = requests.length / count;
	const refusals = await readRefusals(sandbox);
	return {
		seconds: elapsedMs / 1000,
		requestsPerPayout,
		sustainedPerWindow: requestsPerWindow(requests) / requestsPerPayout,
		...refusals,
	};
}

/** What the sandbox has counted since the limit was set. */
export async function readRefusals({ control }: Sandbox) {
	const accounts = await control.rateLimit();
	return {
		largestWindow: Math.max(...accounts.map(({ largestWindow }) => largestWindow)),
		refused: accounts.reduce((sum, { refused }) => sum + refused, 0),
	};
}

/** Requests per window, over the whole windows; NaN when there is no more than the first. */
function requestsPerWindow(requests: LoggedRequest[]): number {
	const times = requests.map(({ at }) => Date.parse(at)).sort((one, other) => one - other);
	const count = Math.floor((times.length - 1) / LIMIT) * LIMIT;
	const first = times[0] ?? NaN;
	const last = times[count] ?? NaN;
	return (count / (last - first)) * WINDOW_MS;
}
