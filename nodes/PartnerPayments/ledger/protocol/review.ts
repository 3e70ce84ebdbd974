import { indexBy } from '../../shared/lists';
import { formatDollars, sum } from '../../shared/money';
import { InputError } from '../../shared/errors';
import { keyOf, LedgerError, type Entry, type Payment, type Rules } from '../ledger';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, type Row } from '../table/rows';
import { isLive } from './judge';

/** An n8n whose database was made anew gives the numbers of executions again: so old rows do not count. */
const EXECUTION_DAYS_MS = 30 * 86_400_000;

/** Judges payments by the rules of a run, over what the ledger knows. */
export class Review {
	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
	) {}

	/**
	 * The entries of payments of one workspace that break rules, in their order; undefined for the others.
	 *
	 * @param token of the payments' own rows, which do not count twice
	 */
	async entries(
		payments: Payment[],
		rules: Rules,
		token?: string,
	): Promise<Array<Entry | undefined>> {
		const [ofDay, ofExecution, reasons] = await Promise.all([
			this.totalOfDay(payments, rules, token),
			this.totalOfExecution(payments, rules, token),
			this.reasonsToHold(payments, rules),
		]);
		const error =
			totalError(ofExecution, rules.maxTotal, 'This execution would pay', 'Maximum Total') ??
			totalError(ofDay, rules.maxPerDay, 'Today, the workspace would pay', 'Maximum per Day');
		if (error !== undefined) {
			return payments.map(() => ({ kind: 'overLimit', error }));
		}
		return reasons.map((reason) => (reason === '' ? undefined : { kind: 'held', reason }));
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
			equals('createdAt', dayBefore(dayStart), 'gte'),
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
			equals('createdAt', since, 'gte'),
		);
		return totalWith(payments, rows, token);
	}

	/** Why each payment waits for a person; an empty text if it does not. */
	private async reasonsToHold(payments: Payment[], rules: Rules): Promise<string[]> {
		const { holdAbove, holdNewPayees, holdDuplicatesSince: since } = rules;
		const conditions = [];
		if (holdNewPayees || since !== undefined) {
			for (const payee of new Set(payments.map((payment) => payment.payee))) {
				conditions.push(equals('payee', payee));
			}
		}
		if (since !== undefined) {
			conditions.push(...payments.map((payment) => equals('key', keyOf(payment))));
		}
		const rows = await this.table.any(conditions);
		const counted = rows.filter((row) => row.environment === this.run.environment && isPaying(row));
		const byPayee = indexBy(counted, ({ payee }) => payee);
		const byKey = indexBy(counted, ({ key }) => key);
		const alikeInRun = indexBy(payments, alikeOf);

		return payments.map((payment) => {
			const ofPayee = (byPayee.get(payment.payee) ?? []).filter(
				({ key }) => key !== keyOf(payment),
			);
			if (payment.amount > holdAbove) {
				return `The amount is above ${formatDollars(holdAbove)}`;
			}
			if (holdNewPayees && !ofPayee.some(wasPaid)) {
				return `This ledger has never paid ${payment.payee}`;
			}
			if (since === undefined) {
				return '';
			}
			const twin = ofPayee.find(
				(row) => row.amount_cents === payment.amount && isSince(since, row),
			);
			const twinInRun = alikeInRun.get(alikeOf(payment))?.[0] ?? payment;
			if (twin !== undefined || twinInRun !== payment) {
				const { reference } = twin ?? twinInRun;
				return `Possible duplicate of "${reference}": same payee and amount`;
			}
			const ofOther = (byKey.get(keyOf(payment)) ?? []).find(
				(row) => row.payee !== payment.payee && isSince(since, row),
			);
			return ofOther === undefined
				? ''
				: `Possible duplicate of "${ofOther.reference}" to ${ofOther.payee}: same invoice number`;
		});
	}
}

const alikeOf = ({ amount, payee }: Payment): string => `${amount} ${payee}`;

/** Whether the money of a row is spent, or may be. */
const isPaying = (row: Row): boolean => isLive(row) && row.state !== 'void';

const wasPaid = ({ state }: Row): boolean => state === 'funded' || state === 'paid';

function totalWith(payments: Payment[], rows: Row[], token: string | undefined): number {
	const others = rows.filter((row) => isPaying(row) && row.attempt !== token);
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
		`${who} ${formatDollars(total)}, above "Limit: ${option}", ${formatDollars(limit)}`,
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
