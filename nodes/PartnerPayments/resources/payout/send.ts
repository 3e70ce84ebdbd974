import type { ItemParameters } from '../../execution/itemParameters';
import {
	readAll,
	type Entry,
	type Operation,
	type Output,
	type Reject,
} from '../../execution/operation';
import { payoutFields } from './fields';
import { checkLimits } from './limits';
import { pay } from './pay';
import { readRequest, type PayoutRequest } from './request';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send payout',
	description:
		'Create, approve and fund a payable per item. However often it runs, each unique reference is paid once.',
	isNonIdempotent: true,
	fields: payoutFields,
	plan: async (inputs, rejectWith) => {
		const reject: Reject = (item, error) => {
			rejectWith(item, error, rejected(item));
		};
		const entries = await readAll(inputs, readRequest, ({ claim }) => claim, reject);
		const items = entries.map(({ item }) => item);
		if (entries.length === 0 || !areWithinLimits(entries, reject)) return [];
		return [{ items, execute: async (context) => await pay(context, entries) }];
	},
};

function areWithinLimits(entries: Array<Entry<PayoutRequest>>, reject: Reject): boolean {
	try {
		checkLimits(entries);
		return true;
	} catch (error) {
		for (const { item } of entries) reject(item, error);
		return false;
	}
}

/** A payout that was rejected comes out like the others, as far as it can be read. */
const rejected = (item: ItemParameters): Output => ({
	json: {
		status: 'failed',
		unique_reference: item.writtenReference(),
		payable_id: null,
		funding_id: null,
	},
});
