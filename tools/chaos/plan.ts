import type { Fault } from '../../sandbox/client';
import { type Random, seeded } from '../bench/random';
import { makePayouts, type Payout } from '../payouts/payout';

/** What happens while payouts are under way, beside the faults of the service. */
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

/** How the paying node is set: "On Error" continue or stop, or stop with "Retry On Fail". */
export type Setting = 'continue' | 'stop' | 'retry';

/** Payouts that are submitted together. */
export interface Run {
	payouts: Payout[];
	incident: Incident;
	setting: Setting;
	/** The incident comes when the service has got this share of the requests of the run. */
	incidentAt: number;
	/** When the service begins to refuse requests for a while, likewise. */
	stormAt: number;
}

const RUNS: Array<[Incident, Setting]> = [
	['none', 'continue'],
	['kill', 'continue'],
	['twins', 'continue'],
	['cancel', 'continue'],
	['tokens', 'retry'],
	['kill', 'stop'],
	['clock', 'continue'],
	['twins', 'retry'],
	['cancel', 'stop'],
	['none', 'stop'],
];

/** The runs of a seed, each with so many payouts. */
export function makeRuns(seed: number, payoutsPerRun: number, count = RUNS.length): Run[] {
	const random = seeded(seed);
	return RUNS.slice(0, count).map(([incident, setting], index) => ({
		payouts: makePayouts(`chaos-${seed}-${index}-${incident}`, payoutsPerRun),
		incident,
		setting,
		incidentAt: between(0.15, 0.9, random),
		stormAt: between(0.05, 0.8, random),
	}));
}

const between = (least: number, most: number, random: Random): number =>
	least + (most - least) * random();

/** The service answers late, so that things are under way when an incident comes. */
const LATENCY_MS = 10;

/** The faults of the service, from now on until they are called off, for the calls of a payout. */
export const standingFaults = (seed: number): Fault[] => [
	{ kind: 'latency', ms: LATENCY_MS, ratio: 1 },
	...['createPayable', 'approvePayable', 'createFunding'].flatMap((operationId): Fault[] => {
		const at = { match: { operationId }, seed };
		return [
			{ ...at, kind: 'cut_after', ratio: 0.05 },
			{ ...at, kind: 'status', status: 500, after: true, ratio: 0.025 },
			{ ...at, kind: 'status', status: 500, ratio: 0.025 },
			{ ...at, kind: 'cut_before', ratio: 0.02 },
			{ ...at, kind: 'status', status: 429, ratio: 0.02, headers: { 'retry-after': '1' } },
		];
	}),
];

/** So many requests in a row are refused as too many. */
export const STORM: Fault = {
	kind: 'status',
	status: 429,
	times: 20,
	headers: { 'retry-after': '1' },
};
