import type { FundingCreate } from '../../api/endpoints';
import type { Rules } from '../../ledger/ledger';
import { chunk, groupBy, type NonEmpty } from '../../shared/lists';
import { DENOMINATION, sum } from '../../shared/money';
import type { Payout } from './payout';
import { withReferences } from './request';

const MAX_PER_FUNDING = 50;

/** Payouts that can share a funding: with the same workspace, method and funding text, in their order. */
export function batchesOf(payouts: Payout[]): Array<NonEmpty<Payout>> {
	const alike = groupBy(payouts, ({ request }) => {
		const { payableBody, method, fundingText } = request;
		return JSON.stringify([payableBody.workspace_id, method, fundingText]);
	});
	return alike.flatMap((all) => chunk(all, MAX_PER_FUNDING));
}

/** The strictest of the rules of several payouts; undefined when they have none. */
export function rulesOf(payouts: NonEmpty<Payout>): Rules | undefined {
	const all = payouts.map(({ request }) => request.rules);
	const maxTotal = Math.min(...all.map((rules) => rules.maxTotal));
	const maxPerDay = Math.min(...all.map((rules) => rules.maxPerDay));
	const holdAbove = Math.min(...all.map((rules) => rules.holdAbove));
	const holdNewPayees = all.some((rules) => rules.holdNewPayees);
	const holdUnusualTimes = Math.min(...all.map((rules) => rules.holdUnusualTimes));
	const [holdDuplicatesSince] = all.flatMap((rules) => rules.holdDuplicatesSince ?? []).sort();
	const { dayStart } = payouts[0].request.rules;

	const isLimited = Math.min(maxTotal, maxPerDay, holdAbove, holdUnusualTimes) < Infinity;
	if (!isLimited && !holdNewPayees && holdDuplicatesSince === undefined) {
		return undefined;
	}
	return {
		maxTotal,
		maxPerDay,
		dayStart,
		holdAbove,
		holdNewPayees,
		holdUnusualTimes,
		holdDuplicatesSince,
	};
}

/** The body of the request that moves money. Throws for a payout that must not be in one. */
export function fundingOf(payouts: NonEmpty<Payout>): FundingCreate {
	const { method, fundingText, payableBody } = payouts[0].request;
	if (method === 'none') {
		throw new Error('A payout without a funding method is not funded');
	}

	const payableIds: string[] = [];
	for (const { payableId, payment } of payouts) {
		if (payableId === undefined) {
			throw new Error(`The payout of "${payment.reference}" has no payable to fund`);
		}
		payableIds.push(payableId);
	}

	const references = payouts.map(({ payment }) => payment.reference);
	return {
		workspace_id: payableBody.workspace_id,
		method,
		amount: sum(payouts.map(({ payment }) => payment.amount)),
		amount_denomination: DENOMINATION,
		...fundingText,
		description: withReferences(fundingText.description, references),
		payable_ids: payableIds,
	};
}
