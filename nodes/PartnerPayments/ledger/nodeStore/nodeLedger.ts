import { deepCopy } from 'n8n-workflow';

import { isRecord, parseJson } from '../../shared/values';
import { chunk } from '../../shared/lists';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import {
	conflictError,
	keyOf,
	LedgerError,
	type Attempt,
	type Beginning,
	type Entry,
	type Ledger,
	type Payment,
	type State,
} from '../ledger';
import { KeySet, nodeIdentity, type LedgerHost } from './keySet';

/** For 20,000 payments: each has two keys, and a third one until it is answered. */
const MAX_KEYS = 40_000;
const MAX_PER_TRANSACTION = 100;

/** The node has used a ledger table. A process that dies while it looks for the first key may leave it. */
const TABLE = 'table';
const TABLE_IS_CERTAIN = 'table is certain';

const keyFor = (what: 'sent' | 'unconfirmed', payment: Payment): string =>
	JSON.stringify([what, keyOf(payment)]);

/**
 * The ledger of one node in n8n's deduplication store. n8n finds a key only by adding it, so a process that
 * dies at that moment leaves an unconfirmed payment at worst. docs/paying-once.md states what holds.
 */
export class NodeLedger implements Ledger {
	readonly isShared = false;
	private readonly keys: KeySet;
	private readonly latest: Latest;

	/** @throws InputError when the workflow was never saved */
	constructor(
		n8n: LedgerHost,
		private readonly environment: string,
		private readonly maxKeys = MAX_KEYS,
	) {
		// With room for what others add, so that n8n never forgets a key.
		this.keys = new KeySet(n8n, maxKeys * 2);
		this.latest = new Latest(n8n);
	}

	async find(payments: Payment[]): Promise<Entry[]> {
		const absent = new Set<string>();
		for (const some of chunk(payments, MAX_PER_TRANSACTION)) {
			// All keys of a payment at once, so that a process that dies leaves it unconfirmed.
			const found = await this.keys.change({ look: this.keysOf(some) });
			for (const key of found.absent) absent.add(key);
		}
		return payments.map((payment) => this.entryOf(payment, absent));
	}

	async keep(payments: Payment[]): Promise<void> {
		await this.learn(payments, { state: 'prepared' });
	}

	async begin(payments: Payment[]): Promise<Beginning> {
		const add = this.keysOf(payments);
		const areNew = (added: Set<string>): boolean =>
			payments.every((payment) => added.has(keyFor('sent', payment)));
		if ((await this.keys.count()) + add.length > this.maxKeys)
			throw new LedgerError(
				'This node cannot remember more payments',
				'Enter "n8n API Key" in the credential, so that a ledger table remembers the next ones. Then run it again with the same unique references.',
			);
		const { added, absent } = await this.keys.change({
			add,
			look: [TABLE],
			remove: (news, missed) => (areNew(news) && missed.has(TABLE) ? [] : [...news]),
		});
		if (absent.has(TABLE))
			return areNew(added)
				? { attempt: this.attemptOf(payments) }
				: { blocked: await this.find(payments) };
		if (await this.isTableNoted())
			throw new LedgerError(
				'This node has used a ledger table, and the credential has no n8n API key',
				'Enter "n8n API Key" in the credential again, with the same "Ledger Table". Without it, this node does not know what was paid.',
			);
		return await this.begin(payments);
	}

	/** Notes that the node uses a table, so that this store begins nothing more; returns whether it has payments. */
	async noteTable(): Promise<boolean> {
		const add = [TABLE, TABLE_IS_CERTAIN];
		await this.keys.change({ add });
		return (await this.keys.count()) > add.length;
	}

	/** Whether the note of a table is certain. Removes what a process that died has left. */
	private async isTableNoted(): Promise<boolean> {
		const { absent } = await this.keys.change({
			look: [TABLE_IS_CERTAIN],
			remove: (_, missed) => (missed.has(TABLE_IS_CERTAIN) ? [TABLE] : []),
		});
		return !absent.has(TABLE_IS_CERTAIN);
	}

	private attemptOf(payments: Payment[]): Attempt {
		let answer: Pick<Known, 'state' | 'fundingId'> = { state: 'unconfirmed' };
		return {
			complete: async (state, fundingId) => {
				answer = { state, fundingId };
				await this.learn(payments, answer);
				await this.keys.change({ remove: () => payments.map((one) => keyFor('unconfirmed', one)) });
			},
			addInvoice: async (pdfUrl) => {
				await this.learn(payments, { ...answer, pdfUrl });
			},
			withdraw: async () => {
				await this.learn(payments, { state: 'prepared' });
				await this.keys.change({ remove: () => this.keysOf(payments) });
			},
			leaveUnconfirmed: async () => {
				await this.learn(payments, answer);
			},
		};
	}

	private entryOf(payment: Payment, absent: Set<string>): Entry {
		const { content, ...latest } = this.latest.get(keyOf(payment)) ?? { content: '' };
		const known: Partial<Known> = content === this.contentOf(payment) ? latest : {};
		if (absent.has(keyFor('sent', payment)))
			return known.state === 'prepared' ? { status: 'prepared', ...known } : { status: 'new' };
		if (absent.has(this.contentKey(payment)))
			return { status: 'refused', error: conflictError(payment, otherOf(content)) };
		if (!absent.has(keyFor('unconfirmed', payment)))
			return { status: 'unconfirmed', ...known, state: 'unconfirmed' };
		const isInvoice = known.state === 'awaiting_deposit';
		return { status: 'done', ...known, state: isInvoice ? 'awaiting_deposit' : 'funded' };
	}

	private async learn(
		payments: Payment[],
		more: Omit<Known, 'content' | 'payableId'>,
	): Promise<void> {
		this.latest.keep(
			payments.map((payment) => {
				const { payableId } = payment;
				const content = this.contentOf(payment);
				return [keyOf(payment), { content, ...(payableId && { payableId }), ...more }];
			}),
		);
		await Promise.resolve();
	}

	private contentOf({ reference, payee, amount }: Payment): string {
		const content = reference === '' ? [] : [reference, payee, amount];
		return JSON.stringify([this.environment, ...content]);
	}

	private contentKey(payment: Payment): string {
		return JSON.stringify(['content', keyOf(payment), this.contentOf(payment)]);
	}

	private keysOf(payments: Payment[]): string[] {
		return payments.flatMap((payment) => [
			keyFor('sent', payment),
			keyFor('unconfirmed', payment),
			this.contentKey(payment),
		]);
	}
}
function otherOf(knownContent: string): Pick<Payment, 'payee' | 'amount'> | undefined {
	const [, , payee, amount]: unknown[] = [parseJson(knownContent)].flat();
	return typeof payee === 'string' && typeof amount === 'number' ? { payee, amount } : undefined;
}

export const MAX_STORED = 2_000;
const MAX_CACHED = 50_000;

interface Known {
	content: string;
	state: Extract<State, 'prepared' | 'unconfirmed' | 'funded' | 'awaiting_deposit'>;
	payableId?: string;
	fundingId?: string;
	pdfUrl?: string;
}

const cachesByNode = new Map<string, Map<string, Known>>();

/**
 * The IDs of a node's latest payments, by their keys: in the process, and in the workflow's static data.
 * They may be forgotten. Only the keys in n8n's database decide what may be paid.
 */
class Latest {
	private readonly entries: Map<string, Known>;

	constructor(private readonly n8n: LedgerHost) {
		const node = nodeIdentity(n8n);
		this.entries = cachesByNode.get(node) ?? new Map<string, Known>();
		cachesByNode.set(node, this.entries);
		const { payments } = readNodeData(n8n);
		for (const [key, known] of Object.entries(deepCopy(isRecord(payments) ? payments : {})))
			if (!this.entries.has(key) && isKnown(known)) this.entries.set(key, known);
	}

	get(key: string): Known | undefined {
		return this.entries.get(key);
	}

	keep(added: Array<[key: string, known: Known]>): void {
		for (const [key, known] of added) {
			this.entries.delete(key);
			this.entries.set(key, known);
		}
		for (const oldest of [...this.entries.keys()].slice(0, -MAX_CACHED))
			this.entries.delete(oldest);
		const payments = Object.fromEntries([...this.entries].slice(-MAX_STORED));
		writeNodeData(this.n8n, { payments });
	}
}

const isKnown = (value: unknown): value is Known =>
	isRecord(value) && typeof value.content === 'string';
