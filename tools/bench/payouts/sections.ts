import type { Measured } from '../results/table';
import type { PayoutBench } from './bench';
import { measureFull } from './fullLedger';
import { measureAgain } from './knownPayouts';
import { measureLatency, measureLedger } from './ledger';
import { measureMemory } from './memory';
import { measureLimit } from './rateLimit';
import { measureRefused, measureWallet } from './refusals';
import { measureStart } from './start';
import { measureStated, measureWorkers } from './stated';
import { measureTrace } from './trace';

/** What is measured of payouts, section by section, in this order. */
export const PAYOUT_SECTIONS = {
	limit: measureLimit,
	stated: measureStated,
	/** Needs PostgreSQL and Redis. */
	workers: measureWorkers,
	latency: measureLatency,
	trace: measureTrace,
	ledger: measureLedger,
	full: measureFull,
	again: measureAgain,
	wallet: measureWallet,
	refused: measureRefused,
	memory: measureMemory,
	start: measureStart,
} satisfies Record<string, (bench: PayoutBench) => Promise<Measured>>;

export type PayoutSection = keyof typeof PAYOUT_SECTIONS;
