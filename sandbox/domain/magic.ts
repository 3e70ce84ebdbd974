import type { Network } from '../network/network';

export type MagicStep = 'invite' | 'create' | 'approve' | 'fund' | 'link';
export type MagicFailure = 'refused' | 'unavailable' | 'timeout' | 'cut' | 'busy';

export const magicFailures: Record<MagicFailure, string> = {
	refused: 'Answer 422. Nothing is done.',
	unavailable: 'Answer 503. Nothing is done.',
	timeout: 'No answer for ten minutes. Nothing is done.',
	cut: 'The request is carried out, then the connection breaks.',
	busy: 'Answer 429 to the first request; the same request passes after that.',
};

export const magicSteps: Record<MagicStep, string> = {
	invite: 'POST /workspace/{id}/partner/invite',
	create: 'POST /payable',
	approve: 'POST /payable/{id}/approve',
	fund: 'POST /funding',
	link: 'POST /funding/{id}/link-deposit',
};

/** A step that fails, and how. */
export interface FailingStep {
	step: MagicStep;
	failure: MagicFailure;
}

/** Amounts of a payable, in minor units: below what a new payout may pay. */
export const magicAmounts: (FailingStep & { amount: number })[] = [
	{ amount: 44_401, step: 'create', failure: 'refused' },
	{ amount: 44_402, step: 'create', failure: 'cut' },
	{ amount: 44_403, step: 'fund', failure: 'refused' },
	{ amount: 44_404, step: 'fund', failure: 'timeout' },
	{ amount: 44_405, step: 'fund', failure: 'cut' },
	{ amount: 44_406, step: 'fund', failure: 'busy' },
	{ amount: 44_407, step: 'fund', failure: 'unavailable' },
];

/** What a vendor's address says of how the vendor joins: `ana+pending@example.com`. */
export const magicVendors = {
	pending: 'Signs up, and is not verified.',
	verified: 'Accepts each invitation at once, and is verified.',
} as const;

const isKey = <T extends object>(record: T, key: string | undefined): key is keyof T & string =>
	key !== undefined && Object.hasOwn(record, key);

/** The tag of an address: `fund-cut` of `ana+fund-cut@example.com`. */
function tagOf(email: string): string | undefined {
	const [, tag] = /\+([a-z-]+)@/i.exec(email) ?? [];
	return tag?.toLowerCase();
}

/** At which step an address or amount fails, and how; undefined for one that does not. */
export function magicFailure(
	{ settings }: Network,
	{ email, amount }: { email?: string | null | undefined; amount?: number | undefined },
): FailingStep | undefined {
	if (!settings.values.magicValues) {
		return undefined;
	}

	const tag = tagOf(email ?? '') ?? '';
	const [step, failure] = tag.split('-');
	if (isKey(magicSteps, step) && isKey(magicFailures, failure)) {
		return { step, failure };
	}

	return magicAmounts.find((magic) => magic.amount === amount);
}

/** How a vendor with a magic address joins; undefined for any other address. */
export function magicVendor(
	{ settings }: Network,
	email: string,
): keyof typeof magicVendors | undefined {
	const tag = tagOf(email);
	return settings.values.magicValues && isKey(magicVendors, tag) ? tag : undefined;
}
