import type { IDataObject } from 'n8n-workflow';

import { stringOrEmpty } from '../../nodes/PartnerPayments/shared/typeGuards';
import type { Done, Played } from './round';
import { payoutOf } from './plan';
import { numberIn, type Funding, type Payable, type Truth } from './truth';

const FUNDED = ['funded', 'awaiting_deposit'];
const NOT_FUNDED = ['not_sent', 'failed', 'prepared', 'held'];
const DONE = [...FUNDED, 'paid'];

/** What a payout is of. */
type Content = Pick<Payable, 'reference' | 'payee' | 'amount'>;

/** The promises that a round has broken, in words. */
export function violationsOf(played: Played, truth: Truth): string[] {
	return [
		...fundedTwice(played, truth),
		...lostAnswers(played, truth),
		...falseRows(played, truth),
		...falseItems(played, truth),
		...paidVoid(played, truth),
		...leftUnpaid(played, truth),
	];
}

const fundingsOf = ({ index }: Played, truth: Truth): Funding[] =>
	truth.fundings.filter(({ round }) => round === index);

/** An invoice is funded at most once, and so is a payable, unless a person has said falsely that it is not paid. */
function fundedTwice(played: Played, truth: Truth): string[] {
	const funded = fundingsOf(played, truth)
		.filter(({ isCanceled }) => !isCanceled)
		.flatMap(({ id, payableIds }) =>
			payableIds.flatMap((payableId) => {
				const payable = truth.payables.get(payableId);
				return payable === undefined ? [] : [{ id, payable }];
			}),
		);
	return funded.flatMap(({ id, payable }, index) => {
		const again = funded.slice(index + 1).find((other) => isSame(payable, other.payable));
		const isExcused = isNamedIn(played.misled, payable);
		return again === undefined || isExcused
			? []
			: [`${textOf(payable)} is funded twice, by ${id} and ${again.id}`];
	});
}

/** What was answered to an execution that lives is in the ledger, or its item says that it is not. */
function lostAnswers(played: Played, truth: Truth): string[] {
	return fundingsOf(played, truth).flatMap(({ id, taskId, payableIds, isAnswered }) => {
		const result = played.done.find(({ task }) => task.id === taskId)?.result;
		const isSaid =
			result?.kind === 'ended' && result.items.some((item) => item['recorded'] === false);
		if (!isAnswered || result?.kind !== 'ended' || isSaid) {
			return [];
		}

		return payableIds.flatMap((payableId) => {
			const isMisled = isNamedIn(played.misled, truth.payables.get(payableId));
			const isThere = played.rows.some(
				(row) => row.payable_id === payableId && row.funding_id === id,
			);
			return isThere || isMisled ? [] : [`the ledger lacks ${id} of ${payableId}`];
		});
	});
}

/** What the ledger says is paid is funded, unless a person has said so falsely. */
function falseRows(played: Played, truth: Truth): string[] {
	return played.rows.flatMap((row) => {
		const content = { reference: row.reference, payee: row.payee, amount: row.amount_cents ?? 0 };
		const isBacked = payablesOf(played, truth, content, row.payable_id).some(
			({ id }) => truth.fundingsOf(id).length > 0,
		);
		const isExcused =
			played.saidPaid.has(row.payable_id) || played.saidPaid.has(numberIn(row.reference));
		return !DONE.includes(row.state) || isBacked || isExcused
			? []
			: [`the ledger says ${row.state} of ${textOf(content)} (${row.payable_id}), which is unpaid`];
	});
}

/** An item says what has happened. */
function falseItems(played: Played, truth: Truth): string[] {
	return played.done.flatMap((done) => {
		if (done.result.kind === 'died') {
			return [];
		}

		const { items } = done.result;
		switch (done.task.work.kind) {
			case 'send':
				return items.flatMap((item) => falsePayout(played, truth, done, item));
			case 'fund':
				return items.flatMap((item) => falseFunding(truth, done, item));
			default:
				return [];
		}
	});
}

function falsePayout(played: Played, truth: Truth, { task }: Done, item: IDataObject): string[] {
	const status = stringOrEmpty(item['status']);
	const content: Content = {
		reference: stringOrEmpty(item['unique_reference']),
		payee: stringOrEmpty(item['payee']),
		amount: Number(item['amount_cents']),
	};
	const payables = payablesOf(played, truth, content).map(({ id }) => id);
	const fundings = truth.fundings.filter((one) =>
		one.payableIds.some((id) => payables.includes(id)),
	);
	const own = truth.fundings.filter(
		({ taskId, payableIds }) =>
			taskId === task.id && payableIds.some((id) => isOf(truth.payables.get(id), content)),
	);

	const isSaidFunded = FUNDED.includes(status);
	const isUnfunded = isSaidFunded && !own.some(({ id }) => id === item['funding_id']);
	const isFunded = NOT_FUNDED.includes(status) && own.length > 0;
	const isSaidDone = status === 'duplicate' && DONE.includes(stringOrEmpty(item['first_status']));
	const isNotDone =
		isSaidDone && fundings.length === 0 && !played.saidPaid.has(numberIn(content.reference));
	return isUnfunded || isFunded || isNotDone
		? [`execution ${task.id} says ${status} of ${textOf(content)}, which is false`]
		: [];
}

function falseFunding(truth: Truth, { task }: Done, item: IDataObject): string[] {
	const own = truth.fundings.filter(({ taskId }) => taskId === task.id);
	const error = stringOrEmpty(item['error']);
	const isFalse =
		error === ''
			? !own.some(({ id }) => id === item['id'])
			: own.length > 0 && !error.startsWith('Unconfirmed');
	return isFalse
		? [`execution ${task.id} says "${error || stringOrEmpty(item['id'])}", which is false`]
		: [];
}

/** What a person has made void is not paid by a request that begins later. */
function paidVoid(played: Played, truth: Truth): string[] {
	return played.voided.flatMap(({ row, at }) => {
		const content = { reference: row.reference, payee: row.payee, amount: row.amount_cents ?? 0 };
		const payables = payablesOf(played, truth, content, row.payable_id).map(({ id }) => id);
		const later = fundingsOf(played, truth).find(
			({ sentAt, payableIds }) => sentAt > at && payableIds.some((id) => payables.includes(id)),
		);
		return later === undefined ? [] : [`${textOf(content)} was void, and then paid by ${later.id}`];
	});
}

/** An invoice that was only ever sent as it is, and of which no person has said anything, is paid in the end. */
function leftUnpaid({ plan, done, decisions, index }: Played, truth: Truth): string[] {
	const sent = done.flatMap(({ task: { work } }) => (work.kind === 'send' ? work.payouts : []));
	return plan.invoices.flatMap((invoice) => {
		const { reference, payee, amount } = payoutOf(invoice);
		const isPlain = sent
			.filter((payout) => numberIn(payout.reference) === invoice.number)
			.every(
				(payout) =>
					payout.reference === reference && payout.payee === payee && payout.amount === amount,
			);
		const isDecided = decisions.some(
			({ rows, isTrue, work }) =>
				rows.some((row) => numberIn(row.reference) === invoice.number) &&
				(!isTrue || work.outcome === 'void'),
		);
		const payables = truth.payablesOf(index).filter((one) => one.reference === reference);
		const isPaid = payables.some(({ id }) => truth.fundingsOf(id).length > 0);
		const isUnpayable = payee.startsWith('unpayable');
		return !isPlain || isDecided || isUnpayable || isPaid ? [] : [`${reference} is not paid`];
	});
}

/** The payables that are, or may be, of the same invoice, or have this ID. */
const payablesOf = ({ index }: Played, truth: Truth, content: Content, id = ''): Payable[] =>
	truth.payablesOf(index).filter((one) => one.id === id || isSame(one, content));

/**
 * Whether two payouts are of one invoice, or may be: of number, vendor and amount only one differs. A number
 * without the words before it is nearly the same. Written anew, not taken from the package.
 */
function isSame(one: Content & { id?: string }, other: Content & { id?: string }): boolean {
	if (one.id !== undefined && one.id === other.id) {
		return true;
	}

	if (one.reference === '' || numberIn(one.reference) !== numberIn(other.reference)) {
		return false;
	}

	const isSamePayee = one.payee === other.payee;
	const isSameAmount = one.amount === other.amount;
	const isSameName = wordsIn(one.reference) === wordsIn(other.reference);
	return isSameName ? isSamePayee || isSameAmount : isSamePayee && isSameAmount;
}

const wordsIn = (reference: string): string => reference.toLowerCase().replace(/[^a-z]/g, '');

const isOf = (payable: Payable | undefined, { reference, payee, amount }: Content): boolean =>
	payable?.reference === reference && payable.payee === payee && payable.amount === amount;

const isNamedIn = (names: Set<string>, payable: Payable | undefined): boolean =>
	payable !== undefined && (names.has(payable.id) || names.has(numberIn(payable.reference)));

const textOf = ({ reference, payee, amount }: Content): string =>
	`${reference || 'a payable'} of ${payee} (${amount / 100})`;
