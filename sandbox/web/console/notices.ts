import { allDeposits } from '../../domain/deposits';
import type { Network } from '../../network/network';
import { findVendor, type VendorStatus } from '../../domain/vendors';
import { dollars } from '../../shared/money';

/**
 * What has been done stands in the address after a form was sent, as a word and the identifier of a
 * thing, so that a reload does nothing again and a link can put no words of its own on the page.
 */
export type Done = 'verified' | 'rejected' | 'deposit' | 'fault' | 'faults-cleared';

/** Said only of a vendor for whom it is true, whatever the address claims. */
const vendorIs =
	(verdict: VendorStatus) =>
	(network: Network, id: string): string | undefined => {
		const vendor = findVendor(network, id);
		if (vendor?.status !== verdict) return undefined;
		return `${vendor.business_name ?? vendor.email} is ${verdict} now.`;
	};

const sentences: Record<Done, (network: Network, id: string) => string | undefined> = {
	verified: vendorIs('verified'),
	rejected: vendorIs('rejected'),
	deposit: (network, id) => {
		const deposit = allDeposits(network).find((one) => one.id === id);
		return deposit && `A deposit of ${dollars(deposit.amount)} has arrived.`;
	},
	fault: () => 'The fault waits for its requests.',
	'faults-cleared': () => 'All faults are called off.',
};

const isDone = (text: string): text is Done => Object.hasOwn(sentences, text);

/** An address with the word of what has been done. */
export const after = (path: string, done: Done, id = ''): string =>
	`${path}?${new URLSearchParams({ done, ...(id === '' ? {} : { id }) }).toString()}`;

/** The sentence for the word in an address, or undefined. */
export function noticeOf(network: Network, query: URLSearchParams): string | undefined {
	const done = query.get('done') ?? '';
	return isDone(done) ? sentences[done](network, query.get('id') ?? '') : undefined;
}
