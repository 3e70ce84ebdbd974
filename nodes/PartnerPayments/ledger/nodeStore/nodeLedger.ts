import { withMutex } from '../../shared/concurrency';
import { parseJson } from '../../shared/json';
import { chunk } from '../../shared/lists';
import { conflictError } from '../errors';
import {
	keyOf,
	LedgerError,
	type Attempt,
	type Beginning,
	type Entry,
	type Ledger,
	type Payment,
} from '../ledger';
import { databaseError, nodeIdentity, type LedgerHost } from './host';
import { KeySet } from './keySet';
import { Latest, type Known } from './latest';

/** For 20,000 payments: one that was sent has two keys, and a third one until it is answered. */
export const MAX_KEYS = 40_000;
/** Payments that one transaction looks for, so that it is short. */
const MAX_PER_TRANSACTION = 100;
const MAX_TRIES = 3;

/** The node has used a ledger table. A process that dies while it looks for the first key may leave that. */
const TABLE = JSON.stringify(['table']);
const TABLE_IS_CERTAIN = JSON.stringify(['table is certain']);

const sentKey = (payment: Payment): string => JSON.stringify(['sent', keyOf(payment)]);
const unconfirmedKey = (payment: Payment): string =>
	JSON.stringify(['unconfirmed', keyOf(payment)]);

const nothing = async (): Promise<void> => {
	await Promise.resolve();
};

/**
 * The ledger that n8n's deduplication store keeps for one node. n8n says of a key whether it was there
 * only by adding it, so that a process which ends in between leaves an unconfirmed payment at worst.
 * docs/paying-once.md says what holds and where it ends.
 */
export class NodeLedger implements Ledger {
	readonly isShared = false;
	private readonly keys: KeySet;
	private readonly latest: Latest;

	/** @throws InputError when the workflow was never saved */
	constructor(
		private readonly n8n: LedgerHost,
		private readonly environment: string,
		private readonly maxKeys = MAX_KEYS,
	) {
		// With room for what others add meanwhile, so that n8n never forgets one.
		this.keys = new KeySet(n8n, maxKeys * 2);
		this.latest = new Latest(n8n);
	}

	async find(payments: Payment[]): Promise<Entry[]> {
		const absent = new Set<string>();
		for (const some of chunk(payments, MAX_PER_TRANSACTION)) {
			// All keys of a payment at once: a process that dies then leaves it unconfirmed.
			const look = some.flatMap((payment) => this.keysOf(payment));
			const found = await this.keys.change({ look });
			for (const key of found.absent) absent.add(key);
		}
		return payments.map((payment) => this.entryOf(payment, absent));
	}

	async announce(): Promise<() => Promise<void>> {
		return await Promise.resolve(nothing);
	}

	async keepPrepared(payments: Payment[]): Promise<void> {
		this.learn(payments, { state: 'prepared' });
		await nothing();
	}

	async begin(payments: Payment[]): Promise<Beginning> {
		const add = payments.flatMap((payment) => this.keysOf(payment));
		const areNew = (added: Set<string>): boolean =>
			payments.every((payment) => added.has(sentKey(payment)));
		if ((await this.keys.count()) + add.length > this.maxKeys) throw fullError();
		for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
			const { added, absent, isCertain } = await this.keys.change({
				add,
				look: [TABLE],
				remove: (news, missed) => (areNew(news) && missed.has(TABLE) ? [] : [...news]),
			});
			if (!isCertain)
				return { blocked: payments.map(() => ({ status: 'unconfirmed', state: 'sending' })) };
			if (absent.has(TABLE)) {
				if (!areNew(added)) return { blocked: await this.find(payments) };
				this.learn(payments, { state: 'unconfirmed' });
				return { attempt: this.attemptOf(payments) };
			}
			if (await this.isTableNoted()) throw tableNeededError();
		}
		throw databaseError(new Error('it removes no key'));
	}

	async spentSince(): Promise<undefined> {
		await nothing();
	}

	/**
	 * Takes note that the node uses a ledger table from now on. What this store has begun was begun
	 * before, and it begins nothing more.
	 *
	 * @returns whether the node has payments in this store
	 */
	async noteTable(): Promise<boolean> {
		const add = [TABLE, TABLE_IS_CERTAIN];
		const note = async () => await this.keys.changeAnyway({ add });
		const { isCertain } = await withMutex([this.tableMutex], note);
		return !isCertain || (await this.keys.count()) > add.length;
	}

	/** Whether the note of a table is one; what a process that died has left of its look is removed. */
	private async isTableNoted(): Promise<boolean> {
		const remove = (_: Set<string>, missed: Set<string>): string[] =>
			missed.has(TABLE_IS_CERTAIN) ? [TABLE] : [];
		const look = async () => await this.keys.change({ look: [TABLE_IS_CERTAIN], remove });
		// In one transaction with a note, it would remove the note.
		const { absent } = await withMutex([this.tableMutex], look);
		return !absent.has(TABLE_IS_CERTAIN);
	}

	private attemptOf(payments: Payment[]): Attempt {
		let answer: Pick<Known, 'state' | 'fundingId'> = { state: 'unconfirmed' };
		return {
			complete: async (state, fundingId) => {
				answer = { state, fundingId };
				this.learn(payments, answer);
				const remove = (): string[] => payments.map(unconfirmedKey);
				for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
					const { isCertain, isRemoved } = await this.keys.change({ remove });
					if (isCertain && isRemoved) return;
				}
			},
			addInvoice: async (pdfUrl) => {
				this.learn(payments, { ...answer, pdfUrl });
				await nothing();
			},
			withdraw: async () => {
				this.learn(payments, { state: 'prepared' });
				const remove = (): string[] => payments.flatMap((payment) => this.keysOf(payment));
				const { isRemoved } = await this.keys.change({ remove });
				if (!isRemoved) throw databaseError(new Error('it removes no key'));
			},
			// The keys say so since the attempt began.
			leaveUnconfirmed: nothing,
		};
	}

	/** How a payment stands, by its keys that are absent. */
	private entryOf(payment: Payment, absent: Set<string>): Entry {
		const { content, ...latest } = this.latest.get(keyOf(payment)) ?? { content: '' };
		const known: Partial<Known> = content === this.contentOf(payment) ? latest : {};
		if (absent.has(sentKey(payment)))
			return known.state === 'prepared' ? { status: 'prepared', ...known } : { status: 'new' };
		if (absent.has(this.contentKey(payment)))
			return { status: 'refused', error: conflictError(payment, otherOf(content)) };
		if (!absent.has(unconfirmedKey(payment)))
			return { status: 'unconfirmed', ...known, state: 'unconfirmed' };
		const isInvoice = known.state === 'awaiting_deposit';
		return { status: 'done', ...known, state: isInvoice ? 'awaiting_deposit' : 'funded' };
	}

	/** Keeps what is known of payments beside their keys. */
	private learn(payments: Payment[], more: Omit<Known, 'content' | 'payableId'>): void {
		this.latest.keep(
			payments.map((payment) => {
				const { payableId } = payment;
				return [
					keyOf(payment),
					{ content: this.contentOf(payment), ...(payableId && { payableId }), ...more },
				];
			}),
		);
	}

	/** What must be the same for the same payment; a payable that is funded by its ID is always the same. */
	private contentOf({ reference, payee, amount }: Payment): string {
		const content = reference === '' ? [] : [reference, payee, amount];
		return JSON.stringify([this.environment, ...content]);
	}

	private contentKey(payment: Payment): string {
		return JSON.stringify(['content', keyOf(payment), this.contentOf(payment)]);
	}

	private keysOf(payment: Payment): string[] {
		return [sentKey(payment), unconfirmedKey(payment), this.contentKey(payment)];
	}

	private get tableMutex(): string {
		return `table of ${nodeIdentity(this.n8n)}`;
	}
}

/** What is known of another payment with the same key. */
function otherOf(knownContent: string): Pick<Payment, 'payee' | 'amount'> | undefined {
	const content = parseJson(knownContent);
	const values: unknown[] = Array.isArray(content) ? content : [];
	const [, , payee, amount] = values;
	return typeof payee === 'string' && typeof amount === 'number' ? { payee, amount } : undefined;
}

const fullError = (): LedgerError =>
	new LedgerError(
		'This node remembers as many payments as it can',
		'Enter an n8n API key in the credential, so that a ledger table remembers the next ones. Run it again then, with the same unique references.',
	);

const tableNeededError = (): LedgerError =>
	new LedgerError(
		'This node has kept its payments in a ledger table, and the credential has no n8n API key',
		'Enter the n8n API key in the credential again, with the same "Ledger Table". Without it, this node does not know what was paid.',
	);
