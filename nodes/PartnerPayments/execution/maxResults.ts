import type { ItemParameters } from './itemParameters';

const DEFAULT_LIMIT = 50;

/** Reads how many results are wanted at most; infinite when all of them are. */
export const readMaxResults = (item: ItemParameters): number =>
	item.flag('returnAll', 'Return All') ? Infinity : item.count('limit', 'Limit', DEFAULT_LIMIT);
