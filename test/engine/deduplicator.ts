import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';

import { N8nDatabase } from '../unit/ledger/n8nDatabase';

// Once for a process, which may load the engine several times.
void DataDeduplicationService.init(deduplicator());

/** n8n's store of keys, without its database. */
function deduplicator(): IDataDeduplicator {
	const database = new N8nDatabase();
	const helpersOf = ({ workflow, node }: ICheckProcessedContextData) =>
		database.host({ process: 'engine', workflow: workflow.id, node: node?.id ?? '' }).helpers;

	return {
		checkProcessedAndRecord: async (items, scope, context, options) =>
			await helpersOf(context).checkProcessedAndRecord(items, scope, options),
		removeProcessed: async (items, scope, context, options) => {
			await helpersOf(context).removeProcessed(items, scope, options);
		},
		clearAllProcessedItems: async (scope, context, options) => {
			await helpersOf(context).clearAllProcessedItems(scope, options);
		},
		getProcessedDataCount: async (scope, context, options) =>
			await helpersOf(context).getProcessedDataCount(scope, options),
	};
}
