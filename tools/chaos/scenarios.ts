import type { Fault } from '../../sandbox/client';
import { makePayouts, type PayoutRequest } from '../payouts/payout';
import { type Random, seeded } from '../random';

/** What happens during an execution, beside the faults of the service. */
export type Incident =
	| 'none'
	/** n8n is killed, and started again. */
	| 'kill'
	/** The execution is stopped by hand. */
	| 'cancel'
	/** A second execution of the workflow has the same payouts at the same time. */
	| 'twins'
	/** Every token of the service expires. */
	| 'tokens'
	/** The service's clock jumps ahead. */
	| 'clock';

/** The paying node's settings: "On Error" continue or stop, or stop with "Retry On Fail". */
export type FailureMode = 'continue' | 'stop' | 'retry';

/** Payouts that are submitted together, and what happens meanwhile. */
export interface Scenario {
	payouts: PayoutRequest[];
	incident: Incident;
	failureMode: FailureMode;
	/** The incident happens when the service has got this share of the scenario's requests. */
	incidentAt: number;
	/** When the service begins to refuse requests for a while, likewise. */
	stormAt: number;
}

const KINDS: Array<Pick<Scenario, 'incident' | 'failureMode'>> = [
	{ incident: 'none', failureMode: 'continue' },
	{ incident: 'kill', failureMode: 'continue' },
	{ incident: 'twins', failureMode: 'continue' },
	{ incident: 'cancel', failureMode: 'continue' },
	{ incident: 'tokens', failureMode: 'retry' },
	{ incident: 'kill', failureMode: 'stop' },
	{ incident: 'clock', failureMode: 'continue' },
	{ incident: 'twins', failureMode: 'retry' },
	{ incident: 'cancel', failureMode: 'stop' },
	{ incident: 'none', failureMode: 'stop' },
];

/**
 * The scenarios of a seed, each with so many payouts; the first `count` of them. The name keeps their
 * payouts apart from others.
 */
export function makeScenarios(
	seed: number,
	payoutsPerScenario: number,
	{ count = KINDS.length, name = 'chaos' } = {},
): Scenario[] {
	const random = seeded(seed);
	return KINDS.slice(0, count).map(({ incident, failureMode }, index) => ({
		payouts: makePayouts(`${name}-${seed}-${index}-${incident}`, payoutsPerScenario),
		incident,
		failureMode,
		incidentAt: between(0.15, 0.9, random),
		stormAt: between(0.05, 0.8, random),
	}));
}

/** A number from the least to below the most. */
export const between = (least: number, most: number, random: Random): number =>
	least + (most - least) * random();

/** The service answers late, so that requests are in flight when an incident happens. */
const LATENCY_MS = 10;

/** The calls of a payout that change something. */
const WRITING = ['createPayable', 'approvePayable', 'createFunding'];
/** Statuses below 500 that do not say whether a request was carried out. */
const UNCLEAR_STATUSES = [303, 408, 499];

/** The service's faults until they are cleared, for the requests of a payout. */
export const backgroundFaults = (seed: number): Fault[] => [
	{ kind: 'latency', ms: LATENCY_MS, ratio: 1 },
	...WRITING.flatMap((operationId) => faultsOfCall(operationId, seed)),
];

/** The first that strikes a request decides, so their order is part of their shares. */
function faultsOfCall(operationId: string, seed: number): Fault[] {
	const common = { match: { operationId }, seed };
	const unclear = UNCLEAR_STATUSES.map((status): Fault => ({
		...common,
		kind: 'status',
		status,
		after: true,
		ratio: 0.007,
	}));

	return [
		{ ...common, kind: 'cut_after', ratio: 0.05 },
		{ ...common, kind: 'status', status: 500, after: true, ratio: 0.025 },
		{ ...common, kind: 'status', status: 500, ratio: 0.025 },
		...unclear,
		{ ...common, kind: 'cut_before', ratio: 0.02 },
		{ ...common, kind: 'status', status: 429, ratio: 0.02, headers: { 'retry-after': '1' } },
	];
}

/** Refuses so many requests in a row with 429. */
export const STORM: Fault = {
	kind: 'status',
	status: 429,
	times: 20,
	headers: { 'retry-after': '1' },
};
