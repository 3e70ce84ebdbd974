import { timeText } from '../../shared/dates';
import { indexBy } from '../../shared/lists';
import { dollarText, sum } from '../../shared/money';
import { InputError } from '../../shared/errors';
import { LedgerError, type Release, type Rules, type Verdict, type Verdicts } from '../ledger';
import { allAmountKeysOf, nameOf, numberKeyOf, type Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, where, type Condition, type Row } from '../table/rows';
import { EXECUTION_MS } from '../times';
import { isPaying } from './rowStates';
import type { PossibleDuplicate } from './invoiceRows';
import { newPayeeReasons } from './newPayees';
import { DuplicateFinder } from './possibleDuplicates';

/** What a run has done and read before it checks payments. */
interface CheckContext {
	/** The ID of this run's rows for the payments, which do not count twice; undefined before it has any. */
	claimId?: string | undefined;
	/** The rows with the numbers of the payments, if they were read. */
	withNumbers?: Row[] | undefined;
}

/** Checks payments by the rules of a run, over what the ledger knows. */
export class RuleChecker {
	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
	) {}

	/** The verdicts about payments of one workspace that break rules. The others have none. */
	async check(payments: Payment[], rules: Rules, context: CheckContext = {}): Promise<Verdicts> {
		const [ofDay, ofExecution, holds] = await Promise.all([
			this.totalOfDay(payments, rules, context.claimId),
			this.totalOfExecution(payments, rules, context.claimId),
			this.reasonsToHold(payments, rules, context),
		]);

		// Payments that are sent together are above a limit together.
		const limitError =
			totalError(ofExecution, rules.maxTotal, LIMITS.maxTotal) ??
			totalError(ofDay, rules.maxPerDay, LIMITS.maxPerDay);
		const verdicts = new Map<string, Verdict>();
		for (const payment of payments) {
			const hold = holds.get(nameOf(payment));
			if (limitError !== undefined) {
				verdicts.set(nameOf(payment), { kind: 'overLimit', error: limitError });
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
	private async reasonsToHold(
		payments: Payment[],
		rules: Rules,
		{ claimId, withNumbers }: CheckContext,
	): Promise<Map<string, Hold | undefined>> {
		const rows = await this.rowsForHolds(payments, rules, withNumbers);
		// The claim's own rows are of these payments, which are compared with each other as well.
		const others = rows.filter((row) => row.claim !== claimId);
		const ofEnvironment = others.filter(({ environment }) => environment === this.run.environment);
		const byPayee = indexBy(ofEnvironment, ({ payee }) => payee);
		const finder = this.duplicateFinder(others, payments, rules);
		const newPayees = await this.newPayees(payments, rules, byPayee);

		const holds = new Map<string, Hold | undefined>();
		for (const payment of payments) {
			const ofPayee = byPayee.get(payment.payee) ?? [];
			const duplicates = finder?.find(payment) ?? [];
			const resolved = finder?.findResolved(payment);
			const newPayee = newPayees.get(nameOf(payment));
			const findings: Findings = { ofPayee, duplicates, resolved, newPayee };
			holds.set(nameOf(payment), holdOf(payment, rules, findings));
		}
		return holds;
	}

	/** Why payments to payees that were never paid wait, by `nameOf`. */
	private async newPayees(
		payments: Payment[],
		{ holdNewPayees }: Rules,
		byPayee: Map<string, Row[]>,
	): Promise<Map<string, string>> {
		if (!holdNewPayees) {
			return new Map();
		}
		const toNew = payments.filter(({ payee }) => byPayee.get(payee)?.some(wasPaid) !== true);
		return await newPayeeReasons(this.table, toNew, this.run.environment);
	}

	/** @param rows of all environments */
	private duplicateFinder(
		rows: Row[],
		payments: Payment[],
		{ holdDuplicatesSince: since }: Rules,
	): DuplicateFinder | undefined {
		if (since === undefined) {
			return undefined;
		}
		return new DuplicateFinder(this.rowsThatCount(rows, payments), payments, since);
	}

	/** The rows of this environment, or of the workspaces of payments: these belong to it, whatever a row says. */
	private rowsThatCount(rows: Row[], payments: Payment[]): Row[] {
		const workspaces = new Set(payments.map(({ workspaceId }) => workspaceId.toLowerCase()));
		return rows.filter(
			(row) => row.environment === this.run.environment || workspaces.has(row.workspace_id),
		);
	}

	/** @param withNumbers the rows with the numbers of the payments, if they were read */
	private async rowsForHolds(
		payments: Payment[],
		rules: Rules,
		withNumbers: Row[] | undefined,
	): Promise<Row[]> {
		const { holdNewPayees, holdUnusualTimes, holdDuplicatesSince } = rules;
		const isByPayee = holdNewPayees || holdUnusualTimes < Infinity;
		const conditions: Condition[] = [];
		if (isByPayee || holdDuplicatesSince !== undefined) {
			for (const payee of new Set(payments.map((payment) => payment.payee))) {
				conditions.push(equals('payee', payee));
			}
		}
		if (holdDuplicatesSince !== undefined) {
			if (withNumbers === undefined) {
				conditions.push(...payments.map(haveNumberOf));
			}
			conditions.push(...payments.flatMap(haveAmountKeyOf));
		}

		const found = await this.table.any(conditions);
		return eachOnce([...found, ...(withNumbers ?? [])]);
	}
}

const haveNumberOf = (payment: Payment): Condition => equals('number_key', numberKeyOf(payment));

const haveAmountKeyOf = (payment: Payment): Condition[] =>
	allAmountKeysOf(payment).map((amountKey) => equals('amount_key', amountKey));

/** Rows that were read more than once, each once. */
const eachOnce = (rows: Row[]): Row[] => [...new Map(rows.map((row) => [row.id, row])).values()];

/** Why a payment waits for a person, and how it is paid after that. */
type Hold = Omit<Extract<Verdict, { kind: 'held' }>, 'kind'>;

/** What a rule may hold a payment for. */
interface Findings {
	/** The rows of its payee. */
	ofPayee: Row[];
	duplicates: PossibleDuplicate[];
	/** A row of the payment that a person has resolved as not paid. */
	resolved: Row | undefined;
	/** Why it waits if its payee is new. */
	newPayee: string | undefined;
}

/** All reasons to hold a payment, possible duplicates first: a person must see these before they agree. */
function holdOf(
	payment: Payment,
	{ holdAbove, holdUnusualTimes }: Rules,
	{ ofPayee, duplicates, resolved, newPayee }: Findings,
): Hold | undefined {
	const reasons = duplicates.map(({ text }) => `Possible duplicate of ${text}`);
	if (duplicates.length > 0 && resolved !== undefined) {
		reasons.push(resolvedReason(resolved));
	}
	if (payment.amount > holdAbove) {
		reasons.push(`The amount is above ${dollarText(holdAbove)}`);
	}
	if (newPayee !== undefined) {
		reasons.push(newPayee);
	}
	const unusual = unusualReason(payment, holdUnusualTimes, ofPayee.filter(wasPaid));
	if (unusual !== undefined) {
		reasons.push(unusual);
	}
	if (reasons.length === 0) {
		return undefined;
	}
	return { reason: reasons.join('; '), release: releaseOf(duplicates) };
}

/** What a person may have forgotten: without it, they cannot see why this payment is held and others like it are not. */
const resolvedReason = ({ reference, createdAt }: Row): string =>
	`"${reference}" of ${timeText(createdAt)} was resolved as "Not Paid", so what was paid shortly before that time counts, too`;

function releaseOf(duplicates: PossibleDuplicate[]): Release {
	if (duplicates.length === 0) {
		return { kind: 'afterYes' };
	}
	if (duplicates.some(({ apart }) => apart.kind === 'unknown')) {
		return { kind: 'findOutFirst' };
	}
	if (duplicates.some(({ apart }) => apart.kind === 'never')) {
		return { kind: 'sameInvoice' };
	}
	const lines = duplicates.flatMap(({ apart }) => (apart.kind === 'line' ? apart.line : []));
	return {
		kind: 'ifDifferent',
		lines,
		mayBePaid: duplicates.some(({ mayBePaid }) => mayBePaid),
		hasResolved: duplicates.some(({ isResolved }) => isResolved),
	};
}

/**
 * Why an amount is unusual for its payee, such as 950 after payouts of 9.50. A payee that was never paid has
 * no usual amount.
 *
 * @param paid the payee's rows that were paid
 */
function unusualReason(payment: Payment, times: number, paid: Row[]): string | undefined {
	const amounts = paid.flatMap(({ amount_cents: amount }) => amount ?? []);
	if (amounts.length === 0) {
		return undefined;
	}
	const highest = amounts.reduce((one, other) => Math.max(one, other));
	if (payment.amount <= highest * times) {
		return undefined;
	}
	return `The amount is more than ${times} times the highest that ${payment.payee} got, ${dollarText(highest)}`;
}

const wasPaid = ({ state }: Row): boolean => state === 'funded' || state === 'paid';

function totalWith(payments: Payment[], rows: Row[], claimId: string | undefined): number {
	const others = rows.filter((row) => isPaying(row) && row.claim !== claimId);
	const amounts = others.map((row) => row.amount_cents ?? throwUnknownAmount(row));
	return sum([...amounts, ...payments.map(({ amount }) => amount)]);
}

/** What people are told of a limit. */
interface LimitText {
	who: string;
	option: string;
	advice: string;
}

const LIMITS: Record<'maxTotal' | 'maxPerDay', LimitText> = {
	maxTotal: {
		who: 'This execution would pay',
		option: 'Maximum Total',
		advice:
			'Run it again later with the same unique references. Only the person responsible for this workflow raises the limit.',
	},
	maxPerDay: {
		who: 'Today, the workspace would pay',
		option: 'Maximum per Day',
		advice:
			'Run it again tomorrow with the same unique references. Only the person responsible for this workflow raises the limit.',
	},
};

function totalError(
	total: number,
	limit: number,
	{ who, option, advice }: LimitText,
): InputError | undefined {
	if (total <= limit) {
		return undefined;
	}
	return new InputError(
		`${who} ${dollarText(total)}, above "Limit: ${option}", ${dollarText(limit)}`,
		advice,
	);
}

const isSince = (time: string, { createdAt }: Row): boolean =>
	Date.parse(createdAt) >= Date.parse(time);

/** A sum without it would let too much pass. */
function throwUnknownAmount({ reference }: Row): never {
	throw new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a number of cents`,
		'It was edited, so what was paid is unknown. Correct it, such as 25000 for 250.00. Then run it again with the same unique references.',
	);
}
