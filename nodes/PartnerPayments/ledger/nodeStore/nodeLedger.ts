import { deepCopy } from 'n8n-workflow';

import { isRecord, parseJson, textOf } from '../../shared/values';
import { chunk } from '../../shared/lists';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import {
	conflictError,
	keyOf,
	LedgerError,
	type Attempt,
	type Beginning,
	type Content,
	type Entry,
	type Ledger,
	type Payment,
	type State,
} from '../ledger';
import { KeySet, nodeIdentity, type LedgerHost } from './keySet';

/** For 20,000 payments: each has two keys, and a third one until it is answered. */
const MAX_KEYS = 40_000;
const MAX_PER_TRANSACTION = 100;
/** The payments whose IDs are known: in static data, and in the process. */
export const MAX_STORED = 2_000;
const MAX_CACHED = 50_000;

/** The node has used a ledger table. A process that dies while it looks for the first key may leave it. */
const TABLE = 'table';
const TABLE_IS_CERTAIN = 'table is certain';

const keyFor = (what: 'sent' | 'unconfirmed', payment: Payment): string =>
	JSON.stringify([what, keyOf(payment)]);

interface Known {
	content: string;
	state: Extract<State, 'prepared' | 'unconfirmed' | 'funded' | 'awaiting_deposit'>;
	payableId?: string;
	fundingId?: string;
	pdfUrl?: string;
}

/**
 * The ledger of one node in n8n's deduplication store. n8n finds a key only by adding it, so a process that
 * dies at that moment leaves an unconfirmed payment at worst. docs/paying-once.md states what holds.
 */
export class NodeLedger implements Ledger {
	readonly isShared = false;
	private readonly keys: KeySet;
	private readonly latest: Map<string, Known>;

	/** @throws InputError when the workflow was never saved */
	constructor(
		private readonly n8n: LedgerHost,
		private readonly environment: string,
		private readonly maxKeys = MAX_KEYS,
	) {
		// With room for what others add, so that n8n never forgets a key.
		this.keys = new KeySet(n8n, maxKeys * 2);
		this.latest = loadLatest(n8n);
	}

	async find(payments: Payment[]): Promise<Entry[]> {
		const absent = new Set<string>();
		for (const some of chunk(payments, MAX_PER_TRANSACTION)) {
			// All keys of a payment at once, so that a process that dies leaves it unconfirmed.
			const found = await this.keys.change({ look: this.keysOf(some) });
			for (const key of found) absent.add(key);
		}
		return payments.map((payment) => this.entryOf(payment, absent));
	}

	async keep(payments: Payment[]): Promise<void> {
		await this.learn(payments, { state: 'prepared' });
	}

	async begin(payments: Payment[]): Promise<Beginning> {
		const add = this.keysOf(payments);
		const isFree = (absent: Set<string>): boolean =>
			absent.has(TABLE) && payments.every((payment) => absent.has(keyFor('sent', payment)));
		if ((await this.keys.count()) + add.length > this.maxKeys)
			throw new LedgerError(
				'This node cannot remember more payments',
				'Enter "n8n API Key" in the credential, so that a ledger table remembers the next ones. Then run it again with the same unique references.',
			);
		const found = await this.keys.change({
			add,
			look: [TABLE],
			remove: (absent) => (isFree(absent) ? [] : add.filter((key) => absent.has(key))),
		});
		if (isFree(found)) return { attempt: this.attemptOf(payments) };
		if (found.has(TABLE)) return { blocked: await this.find(payments) };
		const certain = await this.keys.change({
			look: [TABLE_IS_CERTAIN],
			remove: (absent) => (absent.has(TABLE_IS_CERTAIN) ? [TABLE] : []),
		});
		if (certain.has(TABLE_IS_CERTAIN)) return await this.begin(payments);
		throw new LedgerError(
			'This node has used a ledger table, and the credential has no n8n API key',
			'Enter "n8n API Key" in the credential again, with the same "Ledger Table". Without it, this node does not know what was paid.',
		);
	}

	/** Notes that the node uses a table, so that this store begins nothing more; returns whether it has payments. */
	async noteTable(): Promise<boolean> {
		const add = [TABLE, TABLE_IS_CERTAIN];
		await this.keys.change({ add });
		return (await this.keys.count()) > add.length;
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

	/** Keeps the IDs of payments, which may be forgotten: only the keys decide what may be paid. */
	private async learn(payments: Payment[], known: Omit<Known, 'content' | 'payableId'>) {
		for (const payment of payments) {
			const { payableId } = payment;
			const content = this.contentOf(payment);
			this.latest.delete(keyOf(payment));
			this.latest.set(keyOf(payment), { content, ...(payableId && { payableId }), ...known });
		}
		for (const oldest of [...this.latest.keys()].slice(0, -MAX_CACHED)) this.latest.delete(oldest);
		const stored = [...this.latest].slice(-MAX_STORED);
		writeNodeData(this.n8n, { payments: Object.fromEntries(stored) });
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

/** The content of another payment, as `contentOf` writes it. */
function otherOf(content: string): Content | undefined {
	const [, reference, payee, amount]: unknown[] = [parseJson(content)].flat();
	return typeof payee === 'string' && typeof amount === 'number'
		? { reference: textOf(reference), payee, amount }
		: undefined;
}

const cachesByNode = new Map<string, Map<string, Known>>();

/** The IDs of the latest payments, by their keys: of this process, then those in the workflow's static data. */
function loadLatest(n8n: LedgerHost): Map<string, Known> {
	const node = nodeIdentity(n8n);
	const latest = cachesByNode.get(node) ?? new Map<string, Known>();
	cachesByNode.set(node, latest);
	const { payments } = readNodeData(n8n);
	for (const [key, known] of Object.entries(deepCopy(isRecord(payments) ? payments : {})))
		if (!latest.has(key) && isKnown(known)) latest.set(key, known);
	return latest;
}

const isKnown = (value: unknown): value is Known =>
	isRecord(value) && typeof value.content === 'string';
