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

/** Amounts of a payable, in minor units. */
export const magicAmounts = new Map<number, [MagicStep, MagicFailure]>([
	[444_401, ['create', 'refused']],
	[444_402, ['create', 'cut']],
	[444_403, ['fund', 'refused']],
	[444_404, ['fund', 'timeout']],
	[444_405, ['fund', 'cut']],
	[444_406, ['fund', 'busy']],
	[444_407, ['fund', 'unavailable']],
]);

/** What a vendor's address says of how the vendor joins: `ana+pending@example.com`. */
export const magicVendors = {
	pending: 'Signs up, and is not verified.',
	verified: 'Accepts each invitation at once, and is verified.',
} as const;

const isKey = <T extends object>(record: T, key: string | undefined): key is keyof T & string =>
	key !== undefined && Object.hasOwn(record, key);

/** The tag of an address: `fund-cut` of `ana+fund-cut@example.com`. */
const tagOf = (email: string): string | undefined =>
	/\+([a-z-]+)@/i.exec(email)?.[1]?.toLowerCase();

/** At which step an address or amount fails, and how; undefined for one that does not. */
export function magicFailure(
	{ settings }: Network,
	{ email, amount }: { email?: string | null | undefined; amount?: number | undefined },
): [MagicStep, MagicFailure] | undefined {
	if (!settings.values.magicValues) {
		return undefined;
	}

	const [step, failure] = tagOf(email ?? '')?.split('-') ?? [];
	if (isKey(magicSteps, step) && isKey(magicFailures, failure)) {
		return [step, failure];
	}

	return amount === undefined ? undefined : magicAmounts.get(amount);
}

/** How the vendor with this address joins, when it is not as usual. */
export function magicVendor(
	{ settings }: Network,
	email: string,
): keyof typeof magicVendors | undefined {
	const tag = tagOf(email);
	return settings.values.magicValues && isKey(magicVendors, tag) ? tag : undefined;
}
