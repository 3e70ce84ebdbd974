import type { Release } from '../../ledger/ledger';

/**
 * What a person does about held payouts, in sentences that are safe to follow word by word.
 *
 * @param releases of one payout, or of several that are told together
 */
export function releaseHint(releases: Release[]): string {
	const sentences: string[] = [];
	const ifDifferent = releases.filter(isIfDifferent);
	const isUnknown = releases.some(({ kind }) => kind === 'findOutFirst');
	const isSame = releases.some(({ kind }) => kind === 'sameInvoice');
	const isSeveral = releases.length > 1;

	if (isSeveral && (isUnknown || isSame || ifDifferent.length > 0)) {
		sentences.push('Decide about each possible duplicate on its own.');
	}

	if (ifDifferent.some(({ hasResolved }) => hasResolved)) {
		sentences.push(
			'A person resolved the other one as "Not Paid" or "Void": ask them why, and the operator of the service whether it was paid. Only if it never was or will be, and they agree to this one, add its line, and skip the rest.',
		);
	}

	if (ifDifferent.length > 0) {
		// What pays comes last: some people read only the beginning.
		sentences.push(COMPARE, oneInvoiceText(ifDifferent), WRONG_NUMBER, differentText(ifDifferent));
	}

	if (isUnknown) {
		sentences.push(
			'It is not known whether the other one was paid. Ask the operator of the service, and resolve the other one. Then run this one again: it says what to do next.',
		);
	}

	if (isSame) {
		sentences.push(
			'The same invoice is in another workspace: resolve it as "Not Paid" in this one, and leave it out. If it is not paid there, ask who agrees to payments there. If only this workspace can pay it, ask the person responsible for this workflow.',
		);
	}

	if (releases.some(({ kind }) => kind === 'afterYes')) {
		const which = sentences.length === 0 ? 'it' : 'the others';
		sentences.push(
			COMPARE_WITH_INVOICE,
			`After a yes, send ${which} in a second node, with the same reference, payee, and amount. Set "Hold: Duplicates (Days)" there, and no other hold.`,
			WRONG_ONE,
		);
	}

	return sentences.join(' ');
}

type IfDifferent = Extract<Release, { kind: 'ifDifferent' }>;

const isIfDifferent = (release: Release): release is IfDifferent => release.kind === 'ifDifferent';

/** The narrow way comes first: it passes nothing else. */
function differentText(releases: IfDifferent[]): string {
	const [line, ...more] = releases.flatMap(({ lines }) => lines);
	const what =
		more.length === 0 ? `the line "${line}"` : 'each line of its own "different_invoice"';

	return `Another invoice, or a rest that is not paid yet: add ${what} to the option "Different Invoice".`;
}

const COMPARE = 'Compare both invoices, not only their numbers.';

const COMPARE_WITH_INVOICE =
	'Before a yes, compare the payee, number, date, and amount with the invoice.';

function oneInvoiceText(releases: IfDifferent[]): string {
	const canChoose = releases.some(({ mayBePaid }) => !mayBePaid);
	const mustLeave = releases.some(({ mayBePaid }) => mayBePaid);
	if (!mustLeave) {
		return 'One invoice, or one includes the other: use "Resolve" of "Payout" as "Not Paid" for the wrong one, and leave it out permanently.';
	}

	return canChoose ? `${LEAVE_THIS_ONE} ${UNLESS_OTHER_IS_WRONG}` : LEAVE_THIS_ONE;
}

const LEAVE_THIS_ONE =
	'One invoice, or one includes or corrects the other: use "Resolve" of "Payout" as "Not Paid" for this one, and never send its amount again. If a correction is higher, then send only what is missing, under this number, and add its line.';

const UNLESS_OTHER_IS_WRONG =
	'Only if the other one is wrong and was not paid, do this for that one instead, then run this one again.';

const WRONG_NUMBER =
	'If the number is wrong here, resolve this one as "Not Paid". Then send this invoice with its right number only.';

const WRONG_ONE =
	'What is wrong: say no to each question about it, use "Resolve" of "Payout" as "Not Paid" for it, and leave it out permanently. Then send the right one.';
