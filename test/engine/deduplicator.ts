import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

/** n8n's store of keys, without its database. */
export function deduplicator(): IDataDeduplicator {
	const rows = new Map<string, Set<unknown>>();
	const rowOf = (scope: string, { workflow, node }: ICheckProcessedContextData): Set<unknown> => {
		const name = JSON.stringify([workflow.id, scope === 'node' ? node?.id : '']);
		const row = rows.get(name) ?? new Set();
		rows.set(name, row);
		return row;
	};
	return {
		checkProcessedAndRecord: async (items, scope, context) => {
			const row = rowOf(scope, context);
			const added = items.filter((item) => row.size < row.add(item).size);
			const processed = items.filter((item) => !added.includes(item));
			return await Promise.resolve({ new: added, processed });
		},
		removeProcessed: async (items, scope, context) => {
			const row = rowOf(scope, context);
			for (const item of items) row.delete(item);
			await Promise.resolve();
		},
		clearAllProcessedItems: async (scope, context) => {
			rowOf(scope, context).clear();
			await Promise.resolve();
		},
		getProcessedDataCount: async (scope, context) =>
			await Promise.resolve(rowOf(scope, context).size),
	};
}
