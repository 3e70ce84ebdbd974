import { InputError } from '../../shared/inputError';
import type { Claim, EntryState, LedgerKind } from '../ledger';
import { KEY_OPTIONS, nodeIdentity, withRetries, type LedgerHost } from './host';
import { ReferenceKeys, TABLE_KEYS } from './referenceKeys';

/** What the references of a node belong to, beside their workspaces. */
interface Scope {
	kind: LedgerKind;
	environment: string;
}

/** The keys of a node that has used one ledger table by its name, and has kept no reference by itself. */
const KEYS_OF_A_NAME = 2;

/** The nodes of this process that keep references in a table, and have kept none by themselves. */
const nodesInTable = new Set<string>();

/**
 * The references that a node has kept by itself, from a time at which Remember In was This Node. A Data
 * Table knows nothing of them, so that it would pay them again.
 *
 * The table is noted before they are looked for, and the node's own store looks for the note when a
 * request is about to be sent: so of two runs that would send one, by the table and by the node's own
 * store, one at least is refused.
 */
export class OwnReferences {
	constructor(
		private readonly n8n: LedgerHost,
		private readonly scope: Scope,
	) {}

	/**
	 * Takes note that the node keeps references in a Data Table from now on.
	 *
	 * @returns an error for each claim whose request the node has sent by itself
	 * @throws LedgerError when that cannot be known
	 */
	async refuse(claims: Claim[]): Promise<Map<Claim, InputError>> {
		// Nothing is kept for a workflow that was never saved.
		if (!this.n8n.getWorkflow().id || nodesInTable.has(nodeIdentity(this.n8n))) return new Map();
		const keys = new ReferenceKeys(this.n8n, this.scope.kind, this.scope.environment);
		if (await this.areNone(keys)) return new Map();
		const known = await keys.find(claims);
		return new Map([...known].map(([claim, state]) => [claim, ownReferenceError(claim, state)]));
	}

	/** Whether the node has none, and, as the table is noted, comes by none any more. */
	private async areNone(keys: ReferenceKeys): Promise<boolean> {
		const isCertain = await keys.noteTable();
		const count = await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', KEY_OPTIONS),
		);
		// A reference takes three at least.
		const areNone = isCertain && count - TABLE_KEYS.length <= KEYS_OF_A_NAME;
		if (areNone) nodesInTable.add(nodeIdentity(this.n8n));
		return areNone;
	}
}

/** The error for a reference that the node's own store would be the first to know. */
export const inTableError = ({ reference }: Claim): InputError =>
	new InputError(
		`"${reference}" was not sent: this node keeps its references in a Data Table, of which the setting This Node knows nothing`,
		'Set Remember In to Data Table again, with the same Ledger Table: n8n may have reset that field. It may be paid already: pay it in no other way.',
	);

const SETTLED_HINT =
	'Nothing is left to do for it: take it out of the input, or set On Error to Continue. Do not pay it under another reference or in another way.';
const DOUBT_HINT =
	'Settle cannot close it. Look in the service for a funding of it: if you find one, it was paid, and nothing is left to do. Only when the operator of the service confirms that none was made, and that none is on its way, pay it by hand in the service, once. Until then, pay it in no other way.';
const WORDS: Partial<Record<EntryState, [outcome: string, hint: string]>> = {
	funded: ['is paid already', SETTLED_HINT],
	awaiting_deposit: ['is funded by invoice already', SETTLED_HINT],
	created: ['is created already', SETTLED_HINT],
};

function ownReferenceError({ reference }: Claim, state: EntryState): InputError {
	const [outcome, hint] = WORDS[state] ?? ['is in doubt', DOUBT_HINT];
	return new InputError(
		`"${reference}" ${outcome}: this node knows it from when Remember In was This Node`,
		hint,
	);
}
