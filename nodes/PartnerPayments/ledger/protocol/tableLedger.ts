import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { indexBy } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import { InputError } from '../../shared/values';
import {
	isDone,
	isOpen,
	keyOf,
	LedgerError,
	type Attempt,
	type Beginning,
	type Entry,
	type Ledger,
	type Payment,
	type Rules,
	type State,
} from '../ledger';
import { isLive, isSending, judge } from './judge';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, rowOf, type Condition, type Row, type RowValues } from '../table/rows';
import type { Step } from '../table/tableStore';

const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 250;
const RENEWAL_SECONDS = 120;
const MAX_BEGINNINGS = 5;

const SENDING = equals('state', 'sending');

/** The ledger in a Data Table. docs/contributing/at-most-once.md explains why at most one run sends a funding. */
export class TableLedger implements Ledger {
	private readonly announcedTokens = new Set<string>();

	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		private readonly patienceMs = PATIENCE_MS,
	) {}

	async locate(): Promise<void> {
		await this.table.locate();
	}

	async find(payments: Payment[]): Promise<Entry[]> {
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const found = await this.read(payments);
			if (!found.flat().some(isSending) || Date.now() >= patientUntil) {
				return this.judge(payments, found, ({ attempt }) => !this.announcedTokens.has(attempt));
			}
			await pause();
		}
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const token = randomUUID();
		this.announcedTokens.add(token);
		await this.insert(payments, 'preparing', token);
		void this.renew(token);
		return async () => {
			this.announcedTokens.delete(token);
			await this.table.change([
				{ kind: 'delete', all: [equals('attempt', token), equals('state', 'preparing')] },
			]);
		};
	}

	async keep(payments: Payment[], state: 'prepared' | 'held'): Promise<void> {
		const rows = await this.read(payments);
		const missing = payments.filter(
			({ payableId = '' }, index) =>
				!rows[index]?.some((row) => row.state !== 'preparing' && row.payable_id === payableId),
		);
		if (missing.length > 0) await this.insert(missing, state, randomUUID());
	}

	async begin(payments: Payment[], rules?: Rules): Promise<Beginning> {
		for (let beginnings = 1; ; beginnings += 1) {
			const token = randomUUID();
			const withdraw = async (): Promise<void> => {
				await this.table.record([{ kind: 'delete', all: [equals('attempt', token), SENDING] }]);
			};
			const found = await this.attempt(payments, token, rules).catch(async (error: unknown) => {
				await withdraw().catch(() => undefined);
				throw error;
			});
			if (Array.isArray(found)) return { attempt: this.attemptOf(token, found) };
			await withdraw();
			if (found !== undefined) return found;
			await pause();
			const entries = await this.find(payments);
			if (!entries.every(isOpen) || beginnings === MAX_BEGINNINGS) return { blocked: entries };
		}
	}

	async review(payments: Payment[], rules: Rules): Promise<Array<Entry | undefined>> {
		const [total, reasons] = await Promise.all([
			this.totalOfDay(payments, rules),
			this.reasonsToHold(payments, rules),
		]);
		if (total <= rules.maxPerDay)
			return reasons.map((reason) => (reason ? { status: 'held', reason } : undefined));
		const limit = inMajorUnits(rules.maxPerDay);
		const error = new InputError(
			`The workspace would pay ${inMajorUnits(total)} today, above "Limit: Maximum per Day", ${limit}`,
			'Run it again tomorrow with the same unique references, or ask the person responsible for this workflow to raise the limit.',
		);
		return payments.map(() => ({ status: 'busy', error }));
	}

	/** What the workspace of payments pays today, with these payments. */
	private async totalOfDay(payments: Payment[], { maxPerDay, dayStart }: Rules): Promise<number> {
		const [first] = payments;
		if (maxPerDay === Infinity || first === undefined) return 0;
		const keys = new Set(payments.map(keyOf));
		const workspace = equals('workspace_id', first.workspaceId.toLowerCase());
		const rows = await this.table.all(workspace, equals('createdAt', dayBefore(dayStart), 'gte'));
		const spent = rows.filter((row) => isLive(row) && isSince(dayStart, row) && !keys.has(row.key));
		return sum([
			...spent.map((row) => row.amount_cents ?? unknownAmount(row)),
			...payments.map(({ amount }) => amount),
		]);
	}

	private async reasonsToHold(payments: Payment[], rules: Rules): Promise<string[]> {
		const { holdAbove, holdNewPayees, holdDuplicatesSince: since = '' } = rules;
		const judged = holdNewPayees || since !== '' ? payments : [];
		const payees = new Set(judged.map(({ payee }) => payee));
		const rows = await this.table.any([...payees].map((payee) => equals('payee', payee)));
		const isOfRun = ({ environment }: Row): boolean => environment === this.run.environment;
		const counted = rows.filter((row) => isOfRun(row) && isLive(row) && row.state !== 'void');
		const byPayee = indexBy(counted, ({ payee }) => payee);
		const alikeOf = ({ payee, amount }: Payment): string => `${amount} ${payee}`;
		const inRun = indexBy(payments, alikeOf);
		return payments.map((payment) => {
			const { payee, amount } = payment;
			const own = keyOf(payment);
			const paid = (byPayee.get(payee) ?? []).filter(({ key }) => key !== own);
			if (amount > holdAbove) return `The amount is above ${inMajorUnits(holdAbove)}`;
			if (holdNewPayees && !paid.some(isDone)) return `This ledger has never paid ${payee}`;
			if (since === '') return '';
			const isAlike = (row: Row): boolean => row.amount_cents === amount && isSince(since, row);
			const twin = paid.find(isAlike) ?? inRun.get(alikeOf(payment))?.[0] ?? payment;
			if (twin === payment) return '';
			return `Possible duplicate of "${twin.reference}": same payee and amount`;
		});
	}

	/** Inserts rows. Returns all rows of the payments when the funding may be sent; otherwise the attempt must withdraw. */
	private async attempt(
		payments: Payment[],
		token: string,
		rules: Rules | undefined,
	): Promise<Row[] | { blocked: Entry[] } | undefined> {
		const rows = this.rowsOf(payments, 'sending', token);
		let missing: unknown = vanishedError();
		let byPayment: Row[][];
		try {
			const found = await this.table.insertAndFind(rows, conditionsFor(payments));
			byPayment = byPaymentOf(payments, found);
		} catch (error) {
			// An insert without an answer is looked for, not repeated: a row that appears later only blocks.
			missing = error;
			byPayment = await this.read(payments);
		}
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const found = byPayment.flat();
			const isOwn = ({ attempt }: Row): boolean => attempt === token;
			if (!byPayment.every((rows) => rows.some(isOwn))) throw missing;
			// A person or an event may have changed its own rows, which then block it too.
			const rivals = found.filter((row) => (isOwn(row) ? row.state !== 'sending' : isLive(row)));
			const counts = (row: Row): boolean => !isOwn(row) && row.state !== 'preparing';
			const entries = this.judge(payments, byPayment, counts);
			if (rivals.length === 0 && entries.every(isOpen)) {
				const reviewed = rules && (await this.review(payments, rules));
				if (!reviewed?.some((entry) => entry !== undefined)) return found;
				return { blocked: entries.map((entry, index) => reviewed[index] ?? entry) };
			}
			// A lower ID may be committed later: the first one waits, and never sends while it sees another.
			const isFirst = byPayment.every((rows) => {
				const first = Math.min(...rows.filter(isSending).map(({ id }) => id));
				return rows.every((row) => row.id !== first || isOwn(row));
			});
			const isWorthWaiting = rivals.length > 0 && rivals.every(isSending);
			if (!isFirst || !isWorthWaiting || Date.now() > patientUntil) return undefined;
			await pause();
			byPayment = await this.read(payments);
		}
	}

	private attemptOf(token: string, found: Row[]): Attempt {
		const own = found.filter(({ attempt }) => attempt === token);
		const replaced = found.filter(
			({ key, payable_id: payable, state }) =>
				['prepared', 'not_paid', 'held'].includes(state) &&
				own.some((row) => row.key === key && (row.payable_id === payable || state === 'held')),
		);
		// With the lowest ID, the database does not scan all rows.
		const firstId = Math.min(...own.map(({ id }) => id));
		const its = [equals('attempt', token), equals('id', firstId, 'gte')];
		// An event or a person may have changed a row that was `sending`.
		const sending = [...its, SENDING];
		const unpaid = [...its, equals('state', 'paid', 'neq'), equals('state', 'void', 'neq')];
		const replacing = replaced.map(({ id, attempt, state }): Step => ({
			kind: 'delete',
			all: [equals('id', id), equals('attempt', attempt), equals('state', state)],
		}));
		const update = (values: Partial<RowValues>, all: Condition[]): Step => ({
			kind: 'update',
			all,
			values,
		});
		return {
			complete: async (state, fundingId) => {
				const answered = update({ state, funding_id: fundingId }, unpaid);
				await this.table.record([answered, ...replacing]);
			},
			addInvoice: async (pdfUrl) => {
				await this.table.record([update({ pdf_url: pdfUrl }, its)]);
			},
			withdraw: async () => {
				const isPayout = own.every(({ reference }) => reference !== '');
				if (!isPayout) {
					await this.table.record([{ kind: 'delete', all: sending }]);
					return;
				}
				// A person or an event can then find the payable of a waiting payout.
				await this.table.record([update({ state: 'prepared' }, sending), ...replacing]);
			},
			leaveUnconfirmed: async () => {
				await this.table.record([update({ state: 'unconfirmed' }, sending)]);
			},
		};
	}

	private async renew(token: string): Promise<void> {
		for (let seconds = 1; this.announcedTokens.has(token); seconds += 1) {
			if (seconds % RENEWAL_SECONDS === 0) {
				const renewal: Step = {
					kind: 'update',
					all: [equals('attempt', token), equals('state', 'preparing')],
					values: this.run,
				};
				await this.table.change([renewal]).catch(() => undefined);
			}
			await sleep(1000);
		}
	}

	private async insert(payments: Payment[], state: State, attempt: string): Promise<void> {
		await this.table.insert(this.rowsOf(payments, state, attempt));
	}

	private rowsOf(payments: Payment[], state: State, attempt: string): RowValues[] {
		const { execution, environment } = this.run;
		return payments.map((payment) => rowOf(payment, { state, attempt, execution, environment }));
	}

	private judge(payments: Payment[], found: Row[][], counts: (row: Row) => boolean): Entry[] {
		return payments.map((payment, index) =>
			judge(payment, found[index]?.filter(counts) ?? [], this.run.environment),
		);
	}

	private async read(payments: Payment[]): Promise<Row[][]> {
		return byPaymentOf(payments, await this.table.any(conditionsFor(payments)));
	}
}

/** The conditions of the rows that may concern payments: by their keys, and by their payables. */
const conditionsFor = (payments: Payment[]): Condition[] =>
	payments.flatMap((payment) => {
		const byKey = equals('key', keyOf(payment));
		const { payableId } = payment;
		return payableId === undefined ? [byKey] : [byKey, equals('payable_id', payableId)];
	});

/** The rows of each payment, in the order of the payments. */
function byPaymentOf(payments: Payment[], rows: Row[]): Row[][] {
	const byKey = indexBy(rows, ({ key }) => key);
	const byPayable = indexBy(rows, (row) => row.payable_id);
	return payments.map((payment) => {
		const ofKey = byKey.get(keyOf(payment)) ?? [];
		const ofPayable = payment.payableId ? (byPayable.get(payment.payableId) ?? []) : [];
		return [...new Set([...ofKey, ...ofPayable])];
	});
}

const isSince = (time: string, { createdAt }: Row): boolean =>
	Date.parse(createdAt) >= Date.parse(time);

const pause = async (): Promise<void> => {
	await sleep(20 + Math.random() * MAX_PAUSE_MS);
};

const vanishedError = (): LedgerError =>
	new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again with the same unique references. If it fails again, check what is between this n8n and its database or, with an n8n API key, its public API.',
	);

function unknownAmount({ reference }: Row): never {
	throw new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a number of cents`,
		'It was edited, so the total of today is unknown. Correct it, such as 25000 for 250.00. Then run it again with the same unique references.',
	);
}
