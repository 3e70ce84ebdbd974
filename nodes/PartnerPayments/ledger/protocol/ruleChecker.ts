import { indexBy, type NonEmpty } from '../../shared/lists';
import { hasOwnNumber } from '../../shared/references';
import { dollarText, sum } from '../../shared/money';
import { InputError } from '../../shared/errors';
import { LedgerError, type Rules, type Verdict, type Verdicts } from '../ledger';
import {
	compareNumbers,
	differentInvoiceText,
	isToldApart,
	keyOf,
	nameOf,
	numberKeyOf,
	type Content,
	type Payment,
} from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, where, type Condition, type Row } from '../table/rows';
import { EXECUTION_MS } from '../times';
import { contentOf, isLive, isPaying, isUnconfirmed } from './classifyRows';

/** Applies the rules of a run to payments, over what the ledger knows. */
export class RuleChecker {
	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
	) {}

	/**
	 * The verdicts about payments of one workspace that break rules. The others have none.
	 *
	 * @param claimId of this run's rows for the payments, which do not count twice
	 */
	async apply(payments: Payment[], rules: Rules, claimId?: string): Promise<Verdicts> {
		const [ofDay, ofExecution, holds] = await Promise.all([
			this.totalOfDay(payments, rules, claimId),
			this.totalOfExecution(payments, rules, claimId),
			this.reasonsToHold(payments, rules),
		]);

		const error =
			totalError(ofExecution, rules.maxTotal, 'This execution would pay', 'Maximum Total') ??
			totalError(ofDay, rules.maxPerDay, 'Today, the workspace would pay', 'Maximum per Day');
		const verdicts = new Map<string, Verdict>();
		for (const payment of payments) {
			const hold = holds.get(nameOf(payment));
			if (error !== undefined) {
				verdicts.set(nameOf(payment), { kind: 'overLimit', error });
			} else if (hold !== undefined) {
				verdicts.set(nameOf(payment), { kind: 'held', ...hold });
			}
		}
		return verdicts;
	}

	/** What the workspace of payments pays today, with these payments. */
	private async totalOfDay(
		payments: Payment[],
		{ maxPerDay, dayStart }: Rules,
		claimId?: string,
	): Promise<number> {
		const [first] = payments;
		if (maxPerDay === Infinity || first === undefined) {
			return 0;
		}
		const rows = await this.table.all(
			equals('workspace_id', first.workspaceId.toLowerCase()),
			where('createdAt', 'gte', dayBefore(dayStart)),
		);
		const today = rows.filter((row) => isSince(dayStart, row));
		return totalWith(payments, today, claimId);
	}

	/** What this execution pays, in all its branches and loops, with these payments. */
	private async totalOfExecution(
		payments: Payment[],
		{ maxTotal }: Rules,
		claimId?: string,
	): Promise<number> {
		if (maxTotal === Infinity) {
			return 0;
		}
		const since = new Date(Date.now() - EXECUTION_MS).toISOString();
		const rows = await this.table.all(
			equals('execution', this.run.execution),
			where('createdAt', 'gte', since),
		);
		return totalWith(payments, rows, claimId);
	}

	/** Why payments wait for a person, by `nameOf`. */
	private async reasonsToHold(payments: Payment[], rules: Rules): Promise<Map<string, Hold>> {
		const rows = await this.rowsForHolds(payments, rules);
		// One that is void may have been paid: a person may have been wrong.
		const counted = rows.filter((row) => row.environment === this.run.environment && isLive(row));
		const earlier: Earlier = {
			byPayee: indexBy(counted, ({ payee }) => payee),
			byNumber: indexBy(counted, (row) => row.number_key),
			alikeInRun: indexBy(payments, alikeOf),
			ofNumberInRun: indexBy(payments, numberKeyOf),
		};

		const holds = new Map<string, Hold>();
		for (const payment of payments) {
			const hold = holdOf(payment, rules, earlier);
			if (hold !== undefined) {
				holds.set(nameOf(payment), hold);
			}
		}
		return holds;
	}

	private async rowsForHolds(payments: Payment[], rules: Rules): Promise<Row[]> {
		const { holdNewPayees, holdUnusualTimes, holdDuplicatesSince } = rules;
		const isByPayee = holdNewPayees || holdUnusualTimes < Infinity;
		const conditions: Condition[] = [];
		if (isByPayee || holdDuplicatesSince !== undefined) {
			for (const payee of new Set(payments.map((payment) => payment.payee))) {
				conditions.push(equals('payee', payee));
			}
		}
		if (holdDuplicatesSince !== undefined) {
			for (const payment of payments) {
				conditions.push(equals('number_key', numberKeyOf(payment)));
			}
		}
		return await this.table.any(conditions);
	}
}

/** Why a payment waits for a person, and what to enter if it is no duplicate. */
type Hold = Omit<Extract<Verdict, { kind: 'held' }>, 'kind'>;

/** What was paid earlier, and what a run pays beside. */
interface Earlier {
	byPayee: Map<string, NonEmpty<Row>>;
	/** By `numberKeyOf`. */
	byNumber: Map<string, NonEmpty<Row>>;
	/** By `alikeOf`. */
	alikeInRun: Map<string, NonEmpty<Payment>>;
	/** By `numberKeyOf`. */
	ofNumberInRun: Map<string, NonEmpty<Payment>>;
}

/** All reasons to hold a payment, a possible duplicate first: a person must see that before they agree. */
function holdOf(payment: Payment, rules: Rules, earlier: Earlier): Hold | undefined {
	const { holdAbove, holdNewPayees, holdUnusualTimes, holdDuplicatesSince: since } = rules;
	const ofPayee = (earlier.byPayee.get(payment.payee) ?? []).filter(
		({ key }) => key !== keyOf(payment),
	);
	const duplicate =
		since === undefined ? undefined : duplicateHold(payment, since, ofPayee, earlier);

	const reasons: string[] = [];
	if (duplicate !== undefined) {
		reasons.push(duplicate.reason);
	}
	if (payment.amount > holdAbove) {
		reasons.push(`The amount is above ${dollarText(holdAbove)}`);
	}
	if (holdNewPayees && !ofPayee.some(wasPaid)) {
		reasons.push(`This ledger has never paid ${payment.payee}`);
	}
	const unusual = unusualReason(payment, holdUnusualTimes, ofPayee);
	if (unusual !== undefined) {
		reasons.push(unusual);
	}
	if (reasons.length === 0) {
		return undefined;
	}

	const hold: Hold = { reason: reasons.join('; ') };
	if (duplicate?.differentInvoice !== undefined) {
		hold.differentInvoice = duplicate.differentInvoice;
	}
	return hold;
}

/**
 * Why an amount is unusual for its payee, such as 950 after payouts of 9.50. A payee that was never paid has
 * no usual amount.
 *
 * @param ofPayee the payee's rows of other references
 */
function unusualReason(payment: Payment, times: number, ofPayee: Row[]): string | undefined {
	const amounts = ofPayee.filter(wasPaid).flatMap(({ amount_cents: amount }) => amount ?? []);
	if (amounts.length === 0) {
		return undefined;
	}
	const highest = amounts.reduce((one, other) => Math.max(one, other));
	if (payment.amount <= highest * times) {
		return undefined;
	}
	return `The amount is more than ${times} times the highest that ${payment.payee} got, ${dollarText(highest)}`;
}

/** @param ofPayee the payee's rows of other references */
function duplicateHold(
	payment: Payment,
	since: string,
	ofPayee: Row[],
	{ byNumber, alikeInRun, ofNumberInRun }: Earlier,
): Hold | undefined {
	const isPossible = (row: Row): boolean =>
		isSince(since, row) && (isUnconfirmed(row) || !isToldApart(payment, contentOf(row)));

	const twin = ofPayee.find((row) => row.amount_cents === payment.amount && isPossible(row));
	if (twin !== undefined) {
		return holdForRow(payment, twin, 'same payee and amount');
	}
	const alike = alikeInRun.get(alikeOf(payment)) ?? [payment];
	const earlierAlike = earlierInRun(payment, alike, () => true);
	if (earlierAlike !== undefined) {
		return holdForPayment(payment, earlierAlike, 'same payee and amount');
	}

	// A month's name is that of many payments.
	if (!hasOwnNumber(payment.reference)) {
		return undefined;
	}
	const key = keyOf(payment);
	const rows = byNumber.get(numberKeyOf(payment)) ?? [];
	const ofNumber = rows.find(
		(row) => mayShareNumber(payment, key, contentOf(row), row.key) && isPossible(row),
	);
	if (ofNumber !== undefined) {
		return holdForRow(payment, ofNumber, 'same invoice number');
	}
	const sameNumber = ofNumberInRun.get(numberKeyOf(payment)) ?? [payment];
	const earlierOfNumber = earlierInRun(payment, sameNumber, (other) =>
		mayShareNumber(payment, key, other, keyOf(other)),
	);
	return earlierOfNumber === undefined
		? undefined
		: holdForPayment(payment, earlierOfNumber, 'same invoice number');
}

/**
 * Whether a payment may be the invoice of another one, by their numbers: of another payee with the same number,
 * or with other words around the number and one of payee and amount the same.
 */
function mayShareNumber(payment: Payment, key: string, other: Content, otherKey: string): boolean {
	const isSamePayee = payment.payee === other.payee;
	switch (compareNumbers(key, otherKey)) {
		case 'same':
			return !isSamePayee;
		case 'similar':
			return isSamePayee || payment.amount === other.amount;
		case 'other':
			return false;
	}
}

/**
 * An earlier payment of this run that this one may repeat. The first of two is not held.
 *
 * @param candidates payments of the run in their order, with this one among them
 */
function earlierInRun(
	payment: Payment,
	candidates: Payment[],
	mayBe: (other: Payment) => boolean,
): Payment | undefined {
	const earlier = candidates.slice(0, candidates.indexOf(payment));
	return earlier.find((other) => mayBe(other) && !isToldApart(payment, other));
}

/**
 * What an unconfirmed payment is must be found out first, and the same invoice in another workspace is no other
 * one: then no line tells them apart.
 */
function holdForRow(payment: Payment, row: Row, shared: string): Hold {
	const known = contentOf(row);
	const isElsewhere = row.workspace_id !== payment.workspaceId.toLowerCase();
	const place = isElsewhere ? ` in workspace ${row.workspace_id}` : '';
	if (isUnconfirmed(row)) {
		return {
			reason: `Possible duplicate of "${row.reference}"${place}, which is unconfirmed and may have been paid: ${shared}`,
		};
	}

	const voidText = row.state === 'void' ? ', which is void' : '';
	const hold: Hold = {
		reason: `Possible duplicate of "${row.reference}" to ${row.payee}${place}${voidText}: ${shared}`,
	};
	if (known.reference !== payment.reference || known.payee !== payment.payee) {
		hold.differentInvoice = differentInvoiceText(payment, known);
	}
	return hold;
}

const holdForPayment = (payment: Payment, other: Payment, shared: string): Hold => ({
	reason: `Possible duplicate of "${other.reference}" to ${other.payee}: ${shared}`,
	differentInvoice: differentInvoiceText(payment, other),
});

const alikeOf = ({ amount, payee }: Payment): string => `${amount} ${payee}`;

const wasPaid = ({ state }: Row): boolean => state === 'funded' || state === 'paid';

function totalWith(payments: Payment[], rows: Row[], claimId: string | undefined): number {
	const others = rows.filter((row) => isPaying(row) && row.claim !== claimId);
	const amounts = others.map((row) => row.amount_cents ?? unknownAmount(row));
	return sum([...amounts, ...payments.map(({ amount }) => amount)]);
}

function totalError(
	total: number,
	limit: number,
	who: string,
	option: string,
): InputError | undefined {
	if (total <= limit) {
		return undefined;
	}
	return new InputError(
		`${who} ${dollarText(total)}, above "Limit: ${option}", ${dollarText(limit)}`,
		'Run it again later with the same unique references, or ask the person responsible for this workflow to raise the limit.',
	);
}

const isSince = (time: string, { createdAt }: Row): boolean =>
	Date.parse(createdAt) >= Date.parse(time);

function unknownAmount({ reference }: Row): never {
	throw new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a number of cents`,
		'It was edited, so what was paid is unknown. Correct it, such as 25000 for 250.00. Then run it again with the same unique references.',
	);
}
