import { PAYOUT_SECTIONS } from './payouts/sections';
import { TRIGGER_SECTIONS } from './trigger/sections';

/** Every section that is measured, and has a place in the page of the documentation. */
export const SECTION_NAMES = [
	...Object.keys(PAYOUT_SECTIONS),
	...Object.keys(TRIGGER_SECTIONS),
	'sandbox',
	'chaos-project',
	'chaos-shared',
];
