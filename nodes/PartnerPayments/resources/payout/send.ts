import type { IDataObject } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import { readAll, type ReadItem, type Operation } from '../../execution/operation';
import { assertAtMost } from '../../execution/safeguards';
import { nameOf } from '../../ledger/ledger';
import { groupBy } from '../../shared/lists';
import { dollarText, sum } from '../../shared/money';
import { throwInputError } from '../../shared/errors';
import { payoutFields } from './fields';
import { payoutJson } from './output';
import { pay } from './pay';
import { isPreviewed, readRequest, type PayoutRequest } from './request';
import { rejectConflicts } from './sharedReferences';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send payout',
	description: 'Create, approve and fund a payable per item. Each invoice is paid once.',
	fields: payoutFields,
	plan: async (inputs, rejectWith) => {
		const isPreview = inputs.some(isPreviewed);
		const rejectItem = (item: ItemParameters, error: unknown): void => {
			const output = { json: rejectedJson(item, error, isPreview) };
			rejectWith(isPreview ? { item, output } : { item, output, error });
		};

		const unread: ItemParameters[] = [];
		const read = await readAll(inputs, readRequest, ({ item, error }) => {
			unread.push(item);
			rejectItem(item, error);
		});
		const entries = rejectConflicts(read, unread, rejectItem);
		try {
			assertInBounds(entries);
		} catch (error) {
			for (const { item } of entries) {
				rejectItem(item, error);
			}
			return [];
		}
		if (entries.length === 0) {
			return [];
		}
		return [
			{
				items: entries.map(({ item }) => item),
				execute: async (context) => await pay(entries, isPreview, context),
			},
		];
	},
};

/** The item of a payout that could not be read, or must not be sent. */
function rejectedJson(item: ItemParameters, error: unknown, isPreview: boolean): IDataObject {
	const uniqueReference = item.writtenReference();
	if (!isPreview) {
		return payoutJson({ status: 'failed', uniqueReference });
	}
	const reason = error instanceof Error ? error.message : String(error);
	return payoutJson({ status: 'refused', reason, uniqueReference });
}

/** Throws for payouts above a limit. Items that are one payment count once. */
function assertInBounds(entries: Array<ReadItem<PayoutRequest>>): void {
	for (const { input, item } of entries) {
		assertAtMost(input.maxAmount, input.payment.amount, ` in item ${item.index}`);
	}
	const payments = groupBy(entries, ({ input }) => nameOf(input.payment));
	const total = sum(payments.map(([first]) => first.input.payment.amount));
	const limit = Math.min(...entries.map(({ input }) => input.rules.maxTotal));
	if (total <= limit) {
		return;
	}
	throwInputError(
		`The payouts add up to ${dollarText(total)}, above "Limit: Maximum Total", ${dollarText(limit)}`,
		'Correct the amounts, or ask the person responsible for this workflow to raise the limit.',
	);
}
