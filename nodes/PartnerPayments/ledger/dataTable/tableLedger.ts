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
import { UnansweredError } from './n8nApi';
import { dayBefore, equals, rowOf, type Row, type RowValues, type TableRows } from './rows';

const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 250;
const RENEWAL_SECONDS = 120;
const MAX_BEGINNINGS = 5;

const SENDING = equals('state', 'sending');

/** The ledger in a Data Table. docs/contributing/at-most-once.md explains why at most one run sends a funding. */
export class TableLedger implements Ledger {
	readonly isShared = true;
	private readonly announcedTokens = new Set<string>();

	constructor(
		private readonly rows: TableRows,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		private readonly earlier?: Pick<Ledger, 'find'>,
		private readonly patienceMs = PATIENCE_MS,
	) {}

	async find(payments: Payment[]): Promise<Entry[]> {
		const [entries, earlier = entries] = await Promise.all([
			this.findRows(payments),
			this.earlier?.find(payments),
		]);
		return earlier.map((entry, index) => (isOpen(entry) ? (entries[index] ?? entry) : entry));
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const token = randomUUID();
		this.announcedTokens.add(token);
		await this.insert(payments, 'preparing', token);
		void this.renew(token);
		return async () => {
			this.announcedTokens.delete(token);
			await this.rows.delete(equals('attempt', token), equals('state', 'preparing'));
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
			const withdraw = async () => {
				await this.rows.delete(equals('attempt', token), SENDING);
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
		const rows = await this.rows.all(workspace, equals('createdAt', dayBefore(dayStart), 'gte'));
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
		const rows = await this.rows.any([...payees].map((payee) => equals('payee', payee)));
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
		// An unanswered insert is looked for, not repeated: a row that appears later only blocks.
		const missing = await this.insert(payments, 'sending', token).then(
			vanishedError,
			(error: unknown) => {
				if (error instanceof UnansweredError) return error;
				throw error;
			},
		);
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const byPayment = await this.read(payments);
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
		const remove = async ({ id, attempt, state }: Row): Promise<void> => {
			await this.rows.delete(equals('id', id), equals('attempt', attempt), equals('state', state));
		};
		const replace = async (values: Partial<RowValues>, conditions = sending): Promise<void> => {
			const replacing = Promise.all(replaced.map(remove)).catch(() => undefined);
			await Promise.all([this.rows.update(conditions, values), replacing]);
		};
		return {
			complete: async (state, fundingId) => {
				await replace({ state, funding_id: fundingId }, unpaid);
			},
			addInvoice: async (pdfUrl) => {
				await this.rows.update(its, { pdf_url: pdfUrl });
			},
			// A person or an event can then find the payable of a waiting payout.
			withdraw: async () => {
				const isPayout = own.every(({ reference }) => reference !== '');
				await (isPayout ? replace({ state: 'prepared' }) : this.rows.delete(...sending));
			},
			leaveUnconfirmed: async () => {
				await this.rows.update(sending, { state: 'unconfirmed' });
			},
		};
	}

	private async renew(token: string): Promise<void> {
		for (let seconds = 1; this.announcedTokens.has(token); seconds += 1) {
			if (seconds % RENEWAL_SECONDS === 0)
				await this.rows.update([equals('attempt', token)], this.run).catch(() => undefined);
			await sleep(1000);
		}
	}

	private async insert(payments: Payment[], state: State, attempt: string): Promise<void> {
		const values = { state, attempt, ...this.run };
		await this.rows.insert(payments.map((payment) => rowOf(payment, values)));
	}

	private async findRows(payments: Payment[]): Promise<Entry[]> {
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const found = await this.read(payments);
			if (!found.flat().some(isSending) || Date.now() >= patientUntil)
				return this.judge(payments, found, ({ attempt }) => !this.announcedTokens.has(attempt));
			await pause();
		}
	}

	private judge(payments: Payment[], found: Row[][], counts: (row: Row) => boolean): Entry[] {
		return payments.map((payment, index) =>
			judge(payment, found[index]?.filter(counts) ?? [], this.run.environment),
		);
	}

	private async read(payments: Payment[]): Promise<Row[][]> {
		const conditions = payments.flatMap((payment) => [
			equals('key', keyOf(payment)),
			...(payment.payableId === undefined ? [] : [equals('payable_id', payment.payableId)]),
		]);
		const rows = await this.rows.any(conditions);
		const byKey = indexBy(rows, ({ key }) => key);
		const byPayable = indexBy(rows, (row) => row.payable_id);
		return payments.map((payment) => {
			const ofPayable = payment.payableId ? byPayable.get(payment.payableId) : undefined;
			return [...new Set([...(byKey.get(keyOf(payment)) ?? []), ...(ofPayable ?? [])])];
		});
	}
}

const isSince = (time: string, { createdAt }: Row): boolean =>
	Date.parse(createdAt) >= Date.parse(time);

const pause = async (): Promise<void> => {
	await sleep(20 + Math.random() * MAX_PAUSE_MS);
};

const vanishedError = (): LedgerError =>
	new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again with the same unique references. If it fails again, check the proxies between this n8n and its public API.',
	);

function unknownAmount({ reference }: Row): never {
	throw new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a number of cents`,
		'It was edited, so the total of today is unknown. Correct it, such as 25000 for 250.00. Then run it again with the same unique references.',
	);
}
