import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { indexBy } from '../../shared/lists';
import { sum } from '../../shared/money';
import { dailyLimitError } from '../errors';
import {
	keyOf,
	LedgerError,
	type Attempt,
	type Beginning,
	type DailyLimit,
	type Entry,
	type FundedState,
	type Ledger,
	type Payment,
	type State,
} from '../ledger';
import { isLive, isSending, judge } from './judge';
import { dayBefore, equals, rowOf, type Condition, type Row, type TableRows } from './rows';

/** For so long another run's funding is waited for. */
const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 250;
const RENEWAL_SECONDS = 120;
/** How often a run tries to begin that met others doing the same. */
const MAX_BEGINNINGS = 5;

const SENDING = equals('state', 'sending');

/** What the rows of a run have in common. */
export interface Run {
	execution: string;
	environment: string;
}

/**
 * The ledger in a Data Table: a journal of attempts. docs/paying-once.md has the argument why at most
 * one run sends a funding.
 */
export class TableLedger implements Ledger {
	readonly isShared = true;
	/** Tokens of this run's announcements. */
	private readonly announcements = new Set<string>();

	/** @param earlier what the node has paid before there was a table */
	constructor(
		private readonly rows: TableRows,
		private readonly run: Run,
		private readonly earlier?: Pick<Ledger, 'find'>,
		private readonly patienceMs = PATIENCE_MS,
	) {}

	async find(payments: Payment[]): Promise<Entry[]> {
		const [entries, earlier] = await Promise.all([
			this.findRows(payments),
			this.earlier?.find(payments),
		]);
		return entries.map((entry, index) => {
			const before = earlier?.[index] ?? entry;
			return before.status === 'new' || before.status === 'prepared' ? entry : before;
		});
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const token = randomUUID();
		this.announcements.add(token);
		await this.insert(payments, 'preparing', token);
		const renewal = { isOver: false };
		void this.renew(token, renewal);
		return async () => {
			renewal.isOver = true;
			await this.rows.delete(equals('attempt', token), equals('state', 'preparing'));
		};
	}

	async keepPrepared(payments: Payment[]): Promise<void> {
		await this.insert(payments, 'prepared', randomUUID());
	}

	async begin(payments: Payment[], daily?: DailyLimit): Promise<Beginning> {
		for (let beginnings = 1; ; beginnings += 1) {
			const token = randomUUID();
			const withdraw = async () => {
				await this.rows.delete(equals('attempt', token), SENDING);
			};
			const found = await this.attempt(payments, token, daily).catch(async (error: unknown) => {
				await withdraw().catch(() => undefined);
				throw error;
			});
			if (Array.isArray(found)) return { attempt: new TableAttempt(this.rows, token, found) };
			await withdraw();
			if (found !== undefined) return found;
			await pause();
			const entries = await this.find(payments);
			const isBlocked = entries.some(({ status }) => status !== 'new' && status !== 'prepared');
			if (isBlocked || beginnings === MAX_BEGINNINGS) return { blocked: entries };
		}
	}

	async spentSince(workspaceId: string, since: string): Promise<number> {
		const workspace = equals('workspace_id', workspaceId.toLowerCase());
		const recent = await this.rows.all(workspace, equals('createdAt', dayBefore(since), 'gte'));
		const amounts = recent
			.filter((row) => isLive(row) && Date.parse(row.createdAt) >= Date.parse(since))
			.map((row) => row.amount_cents ?? unknownAmount(row));
		return sum(amounts);
	}

	/**
	 * Inserts rows, and waits until no other live row is left of these payments, where its own are the first.
	 *
	 * @returns the rows of these payments, when its funding may be sent; else it must be withdrawn
	 */
	private async attempt(
		payments: Payment[],
		token: string,
		daily: DailyLimit | undefined,
	): Promise<Row[] | { blocked: Entry[] } | undefined> {
		await this.insert(payments, 'sending', token);
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const byPayment = await this.read(payments);
			const found = byPayment.flat();
			const isOwn = ({ attempt }: Row): boolean => attempt === token;
			if (!byPayment.every((rows) => rows.some(isOwn))) throw vanishedError();
			const rivals = found.filter((row) => !isOwn(row) && isLive(row));
			if (rivals.length === 0) return (await this.aboveLimit(payments, daily)) ?? found;
			// An ID is given out before its row is committed: the first one waits, and never goes ahead.
			const isFirst = byPayment.every((rows) => {
				const first = Math.min(...rows.filter(isSending).map(({ id }) => id));
				return rows.every((row) => row.id !== first || isOwn(row));
			});
			if (!isFirst || !rivals.every(isSending) || Date.now() > patientUntil) return undefined;
			await pause();
		}
	}

	private async aboveLimit(
		payments: Payment[],
		daily: DailyLimit | undefined,
	): Promise<{ blocked: Entry[] } | undefined> {
		const [first] = payments;
		if (daily === undefined || first === undefined) return undefined;
		const spent = await this.spentSince(first.workspaceId, daily.since);
		if (spent <= daily.limit) return undefined;
		const error = dailyLimitError(spent, daily.limit);
		return { blocked: payments.map(() => ({ status: 'busy', error })) };
	}

	private async renew(token: string, renewal: { isOver: boolean }): Promise<void> {
		for (let seconds = 1; !renewal.isOver; seconds += 1) {
			if (seconds % RENEWAL_SECONDS === 0)
				await this.rows.update([equals('attempt', token)], this.run).catch(() => undefined);
			await sleep(1000);
		}
	}

	private async insert(payments: Payment[], state: State, attempt: string): Promise<void> {
		const rows = payments.map((payment) => rowOf(payment, { state, attempt, ...this.run }));
		await this.rows.insert(rows, attempt);
	}

	private async findRows(payments: Payment[]): Promise<Entry[]> {
		for (const patientUntil = Date.now() + this.patienceMs; ;) {
			const found = await this.read(payments);
			if (!found.flat().some(isSending) || Date.now() >= patientUntil)
				return payments.map((payment, index) => {
					const isOwn = ({ attempt }: Row): boolean => this.announcements.has(attempt);
					const others = found[index]?.filter((row) => !isOwn(row)) ?? [];
					return judge(payment, others, this.run.environment);
				});
			await pause();
		}
	}

	/** The rows with the key or the payable of each payment. */
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

/** Rows of one token. */
class TableAttempt implements Attempt {
	/** By which its rows are found; the lowest ID spares the database a look at all rows. */
	private readonly own: Condition[];
	/** Rows of the same payments that its rows take the place of. */
	private readonly replaced: Row[];
	/** Whether its payables are kept when they are not funded. */
	private readonly isKept: boolean;

	/** @param found its rows, and others of its payments that are not live */
	constructor(
		private readonly rows: TableRows,
		token: string,
		found: Row[],
	) {
		const own = found.filter(({ attempt }) => attempt === token);
		const firstId = Math.min(...own.map(({ id }) => id));
		// An event or a person may have been faster than what changes a row that is `sending`.
		this.own = [equals('attempt', token), equals('id', firstId, 'gte'), SENDING];
		const keys = new Set(own.map(({ key }) => key));
		this.replaced = found.filter(
			({ key, state }) => keys.has(key) && ['prepared', 'not_paid'].includes(state),
		);
		this.isKept = own.every(({ reference }) => reference !== '');
	}

	async complete(state: FundedState, fundingId: string): Promise<void> {
		await Promise.all([
			this.rows.update(this.own, { state, funding_id: fundingId }),
			this.deleteReplaced().catch(() => undefined),
		]);
	}

	async addInvoice(pdfUrl: string): Promise<void> {
		await this.rows.update(this.own.slice(0, -1), { pdf_url: pdfUrl });
	}

	async withdraw(): Promise<void> {
		if (!this.isKept) {
			await this.rows.delete(...this.own);
			return;
		}
		await this.rows.update(this.own, { state: 'prepared' });
		await this.deleteReplaced();
	}

	async leaveUnconfirmed(): Promise<void> {
		await this.rows.update(this.own, { state: 'unconfirmed' });
	}

	private async deleteReplaced(): Promise<void> {
		const remove = async ({ id, attempt, state }: Row): Promise<void> => {
			await this.rows.delete(equals('id', id), equals('attempt', attempt), equals('state', state));
		};
		await Promise.all(this.replaced.splice(0).map(remove));
	}
}

const pause = async (): Promise<void> => {
	await sleep(20 + Math.random() * MAX_PAUSE_MS);
};

const vanishedError = (): LedgerError =>
	new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again in a moment, with the same unique references. If it stays so, check what stands between this n8n and its public API.',
	);

function unknownAmount({ reference }: Row): never {
	throw new LedgerError(
		`The amount_cents of "${reference}" in the ledger table is not a number of cents`,
		'It was edited, so what was paid today is not known. Correct it, such as 25000 for 250.00, and run it again with the same unique references.',
	);
}
