import { InputError } from '../../shared/inputError';
import type { Claim, EntryState, LedgerKind } from '../ledger';
import { KEY_OPTIONS, nodeIdentity, withRetries, type LedgerHost } from './host';
import { ReferenceKeys } from './referenceKeys';

/** The keys of a node that has used one ledger table by its name, and has kept no reference by itself. */
const KEYS_OF_A_TABLE = 2;

/** The nodes of this process that have kept no reference by themselves. */
const nodesWithout = new Set<string>();

/** From now on the node keeps references by itself. */
export function rememberOwnStore(n8n: LedgerHost): void {
	nodesWithout.delete(nodeIdentity(n8n));
}

/**
 * The references that a node has kept by itself, from a time at which Remember In was This Node. A Data
 * Table knows nothing of them, so that it would pay them again.
 */
export class OwnReferences {
	private readonly keys: ReferenceKeys;

	constructor(
		private readonly n8n: LedgerHost,
		{ kind, environment }: { kind: LedgerKind; environment: string },
	) {
		this.keys = new ReferenceKeys(n8n, kind, environment);
	}

	/**
	 * @returns an error for each claim whose reference the node has kept
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
		if (nodesWithout.has(node)) return true;
		const count = await withRetries(
			async () => await this.n8n.helpers.getProcessedDataCount('node', KEY_OPTIONS),
		);
		const areNone = count <= KEYS_OF_A_TABLE || !(await this.keys.areInUse());
		if (areNone) nodesWithout.add(node);
		return areNone;
	}
}

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
