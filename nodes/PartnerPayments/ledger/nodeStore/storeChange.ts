import { withMutex } from '../../shared/concurrency';
import { InputError } from '../../shared/inputError';
import type { Claim, EntryState, LedgerKind } from '../ledger';
import { KEY_OPTIONS, keyMutex, nodeIdentity, withRetries, type LedgerHost } from './host';
import { IN_TABLE, ReferenceKeys } from './referenceKeys';

/** What the references of a node belong to, beside their workspaces. */
interface Scope {
	kind: LedgerKind;
	environment: string;
}

/** The keys of a node that has used one ledger table by its name, and has kept no reference by itself. */
const KEYS_OF_A_TABLE = 2;

/** The nodes of this process that keep references in a table, and have kept none by themselves. */
const nodesInTable = new Set<string>();
/** The nodes of this process that have kept no reference in a table. */
const nodesWithoutTable = new Set<string>();

/** Two that look at once would take each other's keys for what they look for. */
const withStore = async <Result>(node: string, work: () => Promise<Result>): Promise<Result> =>
	await withMutex([`store ${node}`], work);

/**
 * The node is about to keep references by itself.
 *
 * @throws InputError when it has kept some in a Data Table, which its own store knows nothing of
 * @throws LedgerError when that cannot be known
 */
export async function assertNotInTable(n8n: LedgerHost, scope: Scope): Promise<void> {
	const node = nodeIdentity(n8n);
	await withStore(node, async () => {
		if (nodesWithoutTable.has(node)) return;
		const keys = new ReferenceKeys(n8n, scope.kind, scope.environment);
		if (await keys.areInTable()) throw inTableError();
		nodesWithoutTable.add(node);
	});
}

/**
 * The references that a node has kept by itself, from a time at which Remember In was This Node. A Data
 * Table knows nothing of them, so that it would pay them again.
 */
export class OwnReferences {
	private readonly keys: ReferenceKeys;

	constructor(
		private readonly n8n: LedgerHost,
		{ kind, environment }: Scope,
	) {
		this.keys = new ReferenceKeys(n8n, kind, environment);
	}

	/**
	 * Takes note that the node keeps references in a Data Table from now on.
	 *
	 * @returns an error for each claim whose reference the node has kept by itself
	 * @throws LedgerError when that cannot be known
	 */
	async refuse(claims: Claim[]): Promise<Map<Claim, InputError>> {
		if (await this.areNone()) return new Map();
		const known = await this.keys.find(claims);
		return new Map([...known].map(([claim, state]) => [claim, ownReferenceError(claim, state)]));
	}

	private async areNone(): Promise<boolean> {
		// Nothing is kept for a workflow that was never saved.
		if (!this.n8n.getWorkflow().id) return true;
		const node = nodeIdentity(this.n8n);
		return await withStore(node, async () => {
			if (nodesInTable.has(node)) return true;
			nodesWithoutTable.delete(node);
			if (await this.areOwn()) return false;
			nodesInTable.add(node);
			return true;
		});
	}

	/**
	 * Takes note of the table, and says whether the node has kept references by itself. Where there can be
	 * some, that takes the lock between processes, which a node that only uses a table does without.
	 */
	private async areOwn(): Promise<boolean> {
		const count = await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', KEY_OPTIONS),
		);
		if (count > KEYS_OF_A_TABLE + IN_TABLE.length) {
			await this.keys.noteTable();
			return await this.keys.areInUse();
		}
		const { processed } = await withMutex(
			[keyMutex(this.n8n)],
			async () =>
				await withRetries(
					async () => await this.n8n.helpers.checkProcessedAndRecord(IN_TABLE, 'node', KEY_OPTIONS),
				),
		);
		return count - processed.length > KEYS_OF_A_TABLE && (await this.keys.areInUse());
	}
}

const inTableError = (): InputError =>
	new InputError(
		'This node has kept references in a Data Table, of which This Node knows nothing, so nothing was sent',
		'Set Remember In to Data Table again, with the same Ledger Table. What is in the table may be paid: pay it in no other way.',
	);

const SETTLED_HINT =
	'Nothing is left to do for it. Do not pay it under another reference or in another way.';
const DOUBT_HINT =
	'Find out whether it was paid, as for any payment in doubt. Until then, pay it in no other way.';
const BEGUN_HINT =
	'Set Remember In to This Node and run it once more with the same unique reference. Pay it in no other way.';

const WORDS: Partial<Record<EntryState, [outcome: string, hint: string]>> = {
	funded: ['is paid already', SETTLED_HINT],
	awaiting_deposit: ['is funded by invoice already', SETTLED_HINT],
	created: ['is created already', SETTLED_HINT],
	funding: ['is in doubt', DOUBT_HINT],
	creating: ['is in doubt', DOUBT_HINT],
};

function ownReferenceError({ reference }: Claim, state: EntryState): InputError {
	const [outcome, hint] = WORDS[state] ?? ['is prepared, and not paid', BEGUN_HINT];
	return new InputError(
		`"${reference}" ${outcome}: this node knows it from when Remember In was This Node`,
		hint,
	);
}
