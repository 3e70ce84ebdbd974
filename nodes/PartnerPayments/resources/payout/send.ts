import type { IDataObject } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import { readAll, type Operation } from '../../execution/operation';
import { payoutFields } from './fields';
import { payoutJson, reasonOf } from './output';
import { pay } from './pay';
import { isPreviewed, readRequest } from './request';
import { rejectPossibleDuplicates } from './sharedReferences';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send payout',
	description: 'Create, approve and fund a payable per item. Each invoice is paid once.',
	fields: payoutFields,
	plan: async (items, rejectWith) => {
		const isPreview = items.some(isPreviewed);
		const rejectItem = (item: ItemParameters, error: unknown): void => {
			const output = { json: rejectedJson(item, error, isPreview) };
			rejectWith(isPreview ? { item, output } : { item, output, error });
		};

		const unread: ItemParameters[] = [];
		const read = await readAll(items, readRequest, ({ item, error }) => {
			unread.push(item);
			rejectItem(item, error);
		});
		const entries = rejectPossibleDuplicates(read, unread, rejectItem);
		if (entries.length === 0) {
			return [];
		}
		const accepted = entries.map(({ item }) => item);
		const leftOut = items.filter((item) => !accepted.includes(item));
		return [
			{
				items: accepted,
				run: async (context) => await pay(entries, { isPreview, leftOut }, context),
			},
		];
	},
};

/** The item of a payout that could not be read, or must not be sent. */
function rejectedJson(item: ItemParameters, error: unknown, isPreview: boolean): IDataObject {
	const uniqueReference = item.referenceOrEmpty();
	if (!isPreview) {
		return payoutJson({ status: 'failed', uniqueReference });
	}

	const { reason, hint } = reasonOf(error);
	return payoutJson({ status: 'refused', reason, hint, uniqueReference });
}
