import type { PayoutRequest } from './request';

/**
 * What a person does about a payout in doubt. It proposes no other payment and concludes nothing from
 * the state of a payable, since a payable can be funded and still look unpaid.
 */
export function inDoubtHint({ claim, isReferenceShown, rememberIn }: PayoutRequest): string {
	const { reference, content } = claim;
	const where = isReferenceShown
		? `Look in the service for a funding whose description names "${reference}" (${content}).`
		: `Look in the service for a funding of ${content}.`;
	const [ifFound, ifConfirmed] =
		rememberIn === 'dataTable'
			? [
					'close it with the operation Settle, outcome Paid',
					'close it with Settle, outcome Not Paid, and run it again with the same unique reference',
				]
			: ['nothing is left to do', 'pay it by hand in the service itself'];
	return `It may have been paid, so it is not sent again. ${where} If you find one, it was paid: ${ifFound}. If you find none, ask the operator of the service. Only when they confirm that no such funding was made, ${ifConfirmed}. Until then, pay it in no other way.`;
}
