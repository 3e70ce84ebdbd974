import { indexBy, type NonEmpty } from '../../shared/lists';
import { hasOwnNumber } from '../../shared/references';
import { dollarText, sum } from '../../shared/money';
import { InputError } from '../../shared/errors';
import {
	keyOf,
	LedgerError,
	nameOf,
	type Payment,
	type Rules,
	type Verdict,
	type Verdicts,
} from '../ledger';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, where, type Condition, type Row } from '../table/rows';
import { isLive } from './classifyRows';

/** An n8n whose database was made anew gives the numbers of executions again: so old rows do not count. */
const EXECUTION_DAYS_MS = 30 * 86_400_000;

/** Applies the rules of a run to payments, over what the ledger knows. */
export class RuleChecker {
	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
	) {}

	/**
	 * The verdicts about payments of one workspace that break rules. The others have none.
	 *
	 * @param token of the payments' own rows, which do not count twice
	 */
	async apply(payments: Payment[], rules: Rules, token?: string): Promise<Verdicts> {
		const [ofDay, ofExecution, reasons] = await Promise.all([
			this.totalOfDay(payments, rules, token),
			this.totalOfExecution(payments, rules, token),
			this.reasonsToHold(payments, rules),
		]);

		const error =
			totalError(ofExecution, rules.maxTotal, 'This execution would pay', 'Maximum Total') ??
			totalError(ofDay, rules.maxPerDay, 'Today, the workspace would pay', 'Maximum per Day');
		const verdicts = new Map<string, Verdict>();
		for (const payment of payments) {
			const reason = reasons.get(nameOf(payment));
			if (error !== undefined) {
				verdicts.set(nameOf(payment), { kind: 'overLimit', error });
			} else if (reason !== undefined) {
				verdicts.set(nameOf(payment), { kind: 'held', reason });
			}
		}
		return verdicts;
	}

	/** What the workspace of payments pays today, with these payments. */
	private async totalOfDay(
		payments: Payment[],
		{ maxPerDay, dayStart }: Rules,
		token?: string,
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
		return totalWith(payments, today, token);
	}

	/** What this execution pays, in all its branches and loops, with these payments. */
	private async totalOfExecution(
		payments: Payment[],
		{ maxTotal }: Rules,
		token?: string,
	): Promise<number> {
		if (maxTotal === Infinity) {
			return 0;
		}
		const since = new Date(Date.now() - EXECUTION_DAYS_MS).toISOString();
		const rows = await this.table.all(
			equals('execution', this.run.execution),
			where('createdAt', 'gte', since),
		);
		return totalWith(payments, rows, token);
	}

	/** Why payments wait for a person, by `nameOf`. */
	private async reasonsToHold(payments: Payment[], rules: Rules): Promise<Map<string, string>> {
		const rows = await this.rowsForHolds(payments, rules);
		const counted = rows.filter((row) => row.environment === this.run.environment && isPaying(row));
		const earlier: Earlier = {
			byPayee: indexBy(counted, ({ payee }) => payee),
			byKey: indexBy(counted, ({ key }) => key),
			alikeInRun: indexBy(payments, alikeOf),
		};

		const reasons = new Map<string, string>();
		for (const payment of payments) {
			const reason = reasonToHold(payment, rules, earlier);
			if (reason !== undefined) {
				reasons.set(nameOf(payment), reason);
			}
		}
		return reasons;
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
				conditions.push(equals('key', keyOf(payment)));
			}
		}
		return await this.table.any(conditions);
	}
}

/** What was paid earlier, and what a run pays beside. */
interface Earlier {
	byPayee: Map<string, NonEmpty<Row>>;
	byKey: Map<string, NonEmpty<Row>>;
	/** By `alikeOf`. */
	alikeInRun: Map<string, NonEmpty<Payment>>;
}

function reasonToHold(payment: Payment, rules: Rules, earlier: Earlier): string | undefined {
	const { holdAbove, holdNewPayees, holdDuplicatesSince: since } = rules;
	if (payment.amount > holdAbove) {
		return `The amount is above ${dollarText(holdAbove)}`;
	}

	const ofPayee = (earlier.byPayee.get(payment.payee) ?? []).filter(
		({ key }) => key !== keyOf(payment),
	);
	if (holdNewPayees && !ofPayee.some(wasPaid)) {
		return `This ledger has never paid ${payment.payee}`;
	}
	const unusual = unusualReason(payment, rules.holdUnusualTimes, ofPayee);
	if (unusual !== undefined) {
		return unusual;
	}
	// A person has compared it already.
	const isCompared = payment.isDifferentInvoice === true;
	return since === undefined || isCompared
		? undefined
		: duplicateReason(payment, since, ofPayee, earlier);
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
function duplicateReason(
	payment: Payment,
	since: string,
	ofPayee: Row[],
	{ byKey, alikeInRun }: Earlier,
): string | undefined {
	const twin = ofPayee.find((row) => row.amount_cents === payment.amount && isSince(since, row));
	if (twin !== undefined) {
		return `Possible duplicate of "${twin.reference}": same payee and amount`;
	}

	// Of payments that are alike in one run, the first one is no duplicate.
	const [first] = alikeInRun.get(alikeOf(payment)) ?? [payment];
	if (nameOf(first) !== nameOf(payment)) {
		return `Possible duplicate of "${first.reference}": same payee and amount`;
	}

	// A month's name is that of many payments.
	if (!hasOwnNumber(payment.reference)) {
		return undefined;
	}
	const ofOther = (byKey.get(keyOf(payment)) ?? []).find(
		(row) => row.payee !== payment.payee && isSince(since, row),
	);
	return ofOther === undefined
		? undefined
		: `Possible duplicate of "${ofOther.reference}" to ${ofOther.payee}: same invoice number`;
}

const alikeOf = ({ amount, payee }: Payment): string => `${amount} ${payee}`;

/** Whether the money of a row is spent, or may be. */
const isPaying = (row: Row): boolean => isLive(row) && row.state !== 'void';

const wasPaid = ({ state }: Row): boolean => state === 'funded' || state === 'paid';

function totalWith(payments: Payment[], rows: Row[], token: string | undefined): number {
	const others = rows.filter((row) => isPaying(row) && row.claim !== token);
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
