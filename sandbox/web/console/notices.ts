import { allDeposits } from '../../domain/deposits';
import type { Network } from '../../network/network';
import { findVendor, type VendorStatus } from '../../domain/vendors';
import { formatDollars } from '../../shared/money';

/**
 * After a form was sent, the address names the action and the record, so that a reload repeats nothing
 * and a link cannot put its own text on the page.
 */
export type NoticeKind = 'verified' | 'rejected' | 'deposit' | 'fault' | 'faults-cleared';

/** Said only of a vendor for whom it is true, whatever the address claims. */
const vendorIs =
	(decision: VendorStatus) =>
	(network: Network, id: string): string | undefined => {
		const vendor = findVendor(network, id);
		if (vendor?.status !== decision) return undefined;
		return `${vendor.business_name ?? vendor.email} is ${decision} now.`;
	};

const notices: Record<NoticeKind, (network: Network, id: string) => string | undefined> = {
	verified: vendorIs('verified'),
	rejected: vendorIs('rejected'),
	deposit: (network, id) => {
		const deposit = allDeposits(network).find((one) => one.id === id);
		return deposit && `A deposit of ${formatDollars(deposit.amount)} has arrived.`;
	},
	fault: () => 'The fault waits for its requests.',
	'faults-cleared': () => 'All faults are called off.',
};

const isNoticeKind = (text: string): text is NoticeKind => Object.hasOwn(notices, text);

/** An address that says which notice its page shows. */
export const withNotice = (path: string, kind: NoticeKind, id = ''): string =>
	`${path}?${new URLSearchParams({ notice: kind, ...(id === '' ? {} : { id }) }).toString()}`;

/** The notice that an address asks for, or undefined. */
export function noticeOf(network: Network, query: URLSearchParams): string | undefined {
	const kind = query.get('notice') ?? '';
	return isNoticeKind(kind) ? notices[kind](network, query.get('id') ?? '') : undefined;
}
