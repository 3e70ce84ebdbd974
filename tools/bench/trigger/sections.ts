import type { Measured } from '../results/table';
import type { TriggerBench } from './competitors';
import { measureExactlyOnce } from './exactlyOnce';
import { measureSpeed } from './speed';

/** What is measured of the trigger, in this order. */
export const TRIGGER_SECTIONS = {
	once: async (bench) => await measureExactlyOnce(bench, true),
	speed: measureSpeed,
} satisfies Record<string, (bench: TriggerBench) => Promise<Measured>>;

export type TriggerSection = keyof typeof TRIGGER_SECTIONS;
