import { withMutex } from '../../shared/concurrency';
import { KEY_OPTIONS, keyMutex, withRetries, type LedgerHost } from '../nodeStore/host';
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
 * restarts and processes, among the keys of the node. That needs no lock between processes: all of them
 * add the same keys. In a process, those that change the keys of the workflow wait for each other.
 */
export class NodeTables implements UsedTables {
	constructor(private readonly n8n: LedgerHost) {}

	async has(name: string): Promise<boolean> {
		if (!this.n8n.getWorkflow().id) throw unsavedError(name);
		const key = keyOf(name);
		const { helpers } = this.n8n;
		return await withMutex([keyMutex(this.n8n)], async () => {
			const count = await withRetries(
				async () => await helpers.getProcessedDataCount('node', KEY_OPTIONS),
			);
			if (count === 0) return false;
			// n8n tells of a key whether it is there by adding it.
			const isAdded = (await this.record([key])).has(key);
			if (isAdded) await this.remove(key);
			return !isAdded;
		});
	}

	async add(name: string, id: string): Promise<boolean> {
		if (!this.n8n.getWorkflow().id) return true;
		const [ofName, ofTable] = [keyOf(name), keyOf(name, id)];
		return await withMutex([keyMutex(this.n8n)], async () => {
			const added = await this.record([ofName, ofTable]);
			const isAnother = added.has(ofTable) && !added.has(ofName);
			if (isAnother) await this.remove(ofTable);
			return !isAnother;
		});
	}

	/** @returns those that were not there before */
	private async record(keys: string[]): Promise<Set<string>> {
		const recorded = await withRetries(
			async () => await this.n8n.helpers.checkProcessedAndRecord(keys, 'node', KEY_OPTIONS),
		);
		return new Set(recorded.new.map(String));
	}

	private async remove(key: string): Promise<void> {
		await withRetries(async () => {
			await this.n8n.helpers.removeProcessed([key], 'node', KEY_OPTIONS);
		});
	}
}

/** As JSON, so that no key is written like another one, or like one of a reference. */
const keyOf = (...parts: string[]): string => JSON.stringify(['ledger table', ...parts]);
