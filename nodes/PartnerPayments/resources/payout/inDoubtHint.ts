import type { LedgerEntry } from '../../ledger/ledger';
import type { PayoutRequest } from './request';

/**
 * What a person does about a payout in doubt. It proposes no other payment and concludes nothing from
 * the state of a payable, since a payable can be funded and still look unpaid.
 */
export function inDoubtHint(
	{ claim, isReferenceShown, rememberIn }: PayoutRequest,
	{ facts: { payable_id: payableId }, isOutsideTable }: LedgerEntry,
): string {
	const { reference, content } = claim;
	const which = isReferenceShown
		? `whose description names "${reference}" (${content})`
		: `${payableId === undefined ? 'of' : `for the payable ${payableId},`} ${content}`;
	const [ifFound, ifConfirmed] =
		rememberIn === 'dataTable' && isOutsideTable !== true
			? [
					'close it in a node of its own with the operation Settle, outcome Paid',
					'close it with Settle, outcome Not Paid, and run it again with the same unique reference',
				]
			: [
					'nothing is left to do, though this node goes on saying that it is in doubt',
					'pay it by hand in the service itself, once',
				];
	return `It may have been paid, so it is not sent again. Look in the service for a funding ${which}. It may pay several payouts, so that its amount is larger. Conclude nothing from the state of the payable: it can look unpaid although it was funded. If you find one, it was paid: ${ifFound}. If you find none, ask the operator of the service. Only when they confirm that no such funding was made, and that none is on its way any more, ${ifConfirmed}. Until then, pay it in no other way.`;
}
