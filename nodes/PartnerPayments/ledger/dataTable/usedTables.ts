import type { LedgerHost } from '../nodeStore/host';
import { keySetOf } from '../nodeStore/keySet';
import { unsavedError } from './tableErrors';

/** What is known of the tables that a node has used by name. */
export interface UsedTables {
	/**
	 * Whether a name has stood for a table before.
	 *
	 * @throws LedgerError when that cannot be known
	 */
	has(name: string): Promise<boolean>;

	/**
	 * Notes that a name stands for a table.
	 *
	 * @returns whether it has stood for no other one before
	 * @throws LedgerError when that cannot be kept
	 */
	add(name: string, id: string): Promise<boolean>;
}

/**
 * The tables that the executed node has used by name, as n8n's database keeps them over executions,
 * restarts and processes, among the keys of the node.
 */
export class NodeTables implements UsedTables {
	constructor(private readonly n8n: LedgerHost) {}

	async has(name: string): Promise<boolean> {
		if (!this.n8n.getWorkflow().id) throw unsavedError(name);
		const key = keyOf(name);
		const change = { add: [], look: [key], remove: () => [] };
		const { absent } = await keySetOf(this.n8n).changeAnyway(this.n8n, change);
		return !absent.has(key);
	}

	async add(name: string, id: string): Promise<boolean> {
		if (!this.n8n.getWorkflow().id) return true;
		const [ofName, ofTable] = [keyOf(name), keyOf(name, id)];
		const isAnother = (added: Set<string>): boolean => added.has(ofTable) && !added.has(ofName);
		const { added } = await keySetOf(this.n8n).changeAnyway(this.n8n, {
			add: [ofName, ofTable],
			remove: (keys) => (isAnother(keys) ? [ofTable] : []),
		});
		return !isAnother(added);
	}
}

/** As JSON, so that no key is written like another one, or like one of a reference. */
const keyOf = (...parts: string[]): string => JSON.stringify(['ledger table', ...parts]);
