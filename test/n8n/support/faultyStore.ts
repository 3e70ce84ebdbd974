import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import type { Step, TableStore } from '../../../nodes/PartnerPayments/ledger/table/tableStore';

/** The store as it is, but for what is done instead of the first steps that begin with a kind. */
export function withFirst(
	original: TableStore,
	kind: Step['kind'],
	instead: (run: () => Promise<Row[]>) => Promise<Row[]>,
): TableStore {
	let isFirst = true;
	const store = Object.create(original) as TableStore;
	store.run = async (tableId, steps) => {
		const run = async (): Promise<Row[]> => await original.run(tableId, steps);
		if (!isFirst || steps[0]?.kind !== kind) {
			return await run();
		}
		isFirst = false;
		return await instead(run);
	};
	return store;
}

export const lost = async (): Promise<never> =>
	await Promise.reject(new Error('The answer was lost'));
