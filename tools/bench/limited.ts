import type { LoggedRequest } from '../../sandbox/client';
import { ourCredential } from '../payouts/credentials';
import { ourPayouts } from '../payouts/ours';
import { itemsOf, makePayouts, prepare } from '../payouts/payout';
import { type Batches, peerPayables, peerPayouts } from '../payouts/peer';
import { addWay, run, type Stage, type Way } from './ways';

/** The limit: so many requests in any window. The window stands for the service's minute. */
export const LIMIT = 100;
export const WINDOW_SECONDS = 6;

/** Payables in one funding. */
const PER_FUNDING = 50;

/** The payouts that fit into one window in the long run: two calls each, and a share of a third. */
export const MOST_PER_WINDOW = LIMIT / (2 + 1 / PER_FUNDING);

/**
 * By how many milliseconds the interval between batches of HTTP Request nodes differs from the window,
 * the best first. It may be shorter, as n8n takes a while to prepare a batch after the interval; but
 * batches that come less than a window apart are refused.
 */
const MARGINS_MS = [-600, -450, -300, -150, 0, 150, 300, 600];

/** Batches with which an interval is tried before it is used. */
const TRIAL_BATCHES = 4;

/** What a run under the limit was like. */
export interface Limited {
	seconds: number;
	requestsPerPayout: number;
	/** Over the whole run, whose first window is a gift: everything in it is sent at once. */
	payoutsPerWindow: number;
	/**
	 * Over as many whole windows as the run has: from the first request to the first one that comes
	 * after a multiple of the limit. No sender can have more than the limit allows by this measure.
	 */
	sustainedPerWindow: number;
	/** The most requests within any window, as the sandbox counted. */
	largestWindow: number;
	/** Requests that the sandbox answered with 429. */
	refused: number;
}

/** Pays under the limit with this package's node. */
export async function payWithinLimit(stage: Stage, count: number): Promise<Limited> {
	const { n8n, sandbox } = stage;
	const credential = await ourCredential(n8n, sandbox, LIMIT, WINDOW_SECONDS);
	const { workspaceId } = sandbox;
	const way = await addWay(n8n, (path) =>
		ourPayouts({
			path,
			answer: 'firstEntryJson',
			workspaceId,
			credential,
			options: { payablesPerFunding: PER_FUNDING },
		}),
	);
	return await measure(stage, way, 'limited-ours', count);
}

/** Pays with HTTP Request nodes at the best of their settings at which nothing is refused. */
export async function payInBatches(
	stage: Stage,
	count: number,
): Promise<Limited & { settings: string }> {
	for (const margin of MARGINS_MS) {
		const windowMs = WINDOW_SECONDS * 1000;
		const batches = { size: LIMIT, intervalMs: windowMs + margin, waitMs: windowMs };
		const trial = await attempt(stage, peerPayables, batches, TRIAL_BATCHES * LIMIT);
		if (trial === undefined) continue;
		const limited = await attempt(stage, peerPayouts, batches, count);
		if (limited === undefined) continue;
		return { ...limited, settings: `${LIMIT} every ${batches.intervalMs / 1000} s` };
	}
	throw new Error('HTTP Request nodes are refused at all of these settings.');
}

/** Undefined when requests were refused. */
async function attempt(
	stage: Stage,
	make: typeof peerPayouts,
	batches: Batches,
	count: number,
): Promise<Limited | undefined> {
	const { n8n, sandbox, theirs } = stage;
	const { apiUrl, workspaceId } = sandbox;
	const way = await addWay(n8n, (path) =>
		make({ path, answer: 'firstEntryJson', apiUrl, workspaceId, credential: theirs }, batches),
	);
	try {
		const limited = await measure(stage, way, `limited-${way.path}`, count);
		return limited.refused === 0 ? limited : undefined;
	} catch (error) {
		if ((await refusals(stage)).refused === 0) throw error;
		return undefined;
	}
}

async function measure(stage: Stage, way: Way, name: string, count: number): Promise<Limited> {
	const { n8n, sandbox } = stage;
	const { control } = sandbox;
	const payouts = makePayouts(name, count);
	await prepare(sandbox, payouts);
	await control.setRequestsPerMinute(LIMIT, WINDOW_SECONDS);
	await control.clearRequests();
	const seconds = (await run(n8n, way, itemsOf(payouts))) / 1000;
	const requests = (await control.requests()).filter(({ host }) => host === 'api');
	const requestsPerPayout = requests.length / count;
	return {
		seconds,
		requestsPerPayout,
		payoutsPerWindow: (count / seconds) * WINDOW_SECONDS,
		sustainedPerWindow: sustainedPerWindow(requests) / requestsPerPayout,
		...(await refusals(stage)),
	};
}

async function refusals({ sandbox }: Stage): Promise<Pick<Limited, 'largestWindow' | 'refused'>> {
	const { accounts } = await sandbox.control.rateLimit();
	return {
		largestWindow: Math.max(...accounts.map(({ largestWindow }) => largestWindow)),
		refused: accounts.reduce((sum, { refused }) => sum + refused, 0),
	};
}

/** Requests per window, over the whole windows of a run; NaN when it was over within the first. */
function sustainedPerWindow(requests: LoggedRequest[]): number {
	const times = requests.map(({ at }) => Date.parse(at)).sort((one, other) => one - other);
	const whole = Math.floor((times.length - 1) / LIMIT) * LIMIT;
	const [first = NaN, last = NaN] = [times[0], times[whole]];
	return (whole / (last - first)) * WINDOW_SECONDS * 1000;
}
