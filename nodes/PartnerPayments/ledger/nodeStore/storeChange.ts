import { InputError } from '../../shared/inputError';
import { conflictError } from '../conflict';
import type { Claim, ClaimedEntry, EntryState, LedgerScope } from '../ledger';
import { entryName, FactCache } from './factCache';
import { KEY_OPTIONS, nodeIdentity, withRetries, type LedgerHost } from './host';
import { ReferenceKeys, TABLE_KEYS } from './referenceKeys';

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
		private readonly scope: LedgerScope,
	) {}

	/**
	 * Takes note that the node keeps references in a Data Table from now on.
	 *
	 * @returns how each claim stands whose request the node has sent by itself, or that it stands for
	 *   something else
	 * @throws LedgerError when that cannot be known
	 */
	async resolve(claims: Claim[]): Promise<Map<Claim, ClaimedEntry | InputError>> {
		// Nothing is kept for a workflow that was never saved.
		if (!this.n8n.getWorkflow().id || nodesInTable.has(nodeIdentity(this.n8n))) return new Map();
		const keys = new ReferenceKeys(this.n8n, this.scope);
		if (await this.areNone(keys)) return new Map();
		const sent = await keys.find(claims);
		const conflicting = await keys.conflicting([...sent.keys()]);
		const facts = new FactCache(this.n8n);
		const resolve = (claim: Claim, state: EntryState): ClaimedEntry | InputError => {
			const known = facts.read(entryName(this.scope, claim));
			if (conflicting.has(claim)) return conflictError(claim, known?.content);
			return {
				state,
				facts: known?.facts ?? {},
				isApprovalUnanswered: false,
				isOutsideTable: true,
				isNew: false,
				isInterrupted: false,
			};
		};
		return new Map([...sent].map(([claim, state]) => [claim, resolve(claim, state)]));
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
