import type { Service } from '../../../tools/services';

export interface Charge {
	id: string;
	/** In seconds, as Stripe counts. */
	created: number;
	status: string;
	captured: boolean;
	disputed: boolean;
	currency: string;
	amount_captured: number;
	metadata: { affiliate?: string };
}

export interface Refund {
	id: string;
	created: number;
	status: string;
	currency: string;
	amount: number;
	charge: Charge;
}

/** How many objects a page has, so that few of them need several pages. */
const PAGE_SIZE = 2;

/** Stripe's lists of charges and refunds, the newest first. */
export const stripe =
	(charges: Charge[], refunds: Refund[]): Service =>
	({ path, query }) => {
		const lists: Record<string, Array<Charge | Refund>> = {
			'/v1/charges': charges,
			'/v1/refunds': query.get('expand[]') === 'data.charge' ? refunds : [],
		};
		const from = Number(query.get('created[gte]'));
		const until = Number(query.get('created[lt]'));
		const found = lists[path]
			?.filter(({ created }) => created >= from && created < until)
			.sort((one, other) => other.created - one.created);
		if (found === undefined) {
			return undefined;
		}

		const start = found.findIndex(({ id }) => id === query.get('starting_after')) + 1;
		const end = start + PAGE_SIZE;

		return { object: 'list', data: found.slice(start, end), has_more: end < found.length };
	};
