import type { Parameters, Row, Store } from './store';

/** What can be listed: which rows there are, and how they can be looked through. All of it is SQL. */
export interface Listing {
	columns: string;
	from: string;
	/** Grows from row to row: the order in which they came. */
	key: string;
	where?: string;
	search: string[];
	filters?: Record<string, string>;
	/** What rows can be sorted by instead, largest first; never NULL. */
	sorts?: Record<string, string>;
}

export interface ListQuery {
	filters: Record<string, string>;
	search?: string;
	sort?: string;
	after?: string;
	limit: number;
}

export interface ListPage<R> {
	rows: R[];
	/** How many there are, up to `MOST_COUNTED`. */
	total: number;
	/** Where the next page begins; undefined on the last. */
	next: string | undefined;
}

export const MOST_COUNTED = 100_000;

/** The conditions for rows with these values; one that is undefined or empty adds no condition. */
export function matching(
	columns: Record<string, string>,
	values: Record<string, string | undefined>,
): { conditions: string[]; parameters: Parameters } {
	const given = Object.entries(values).filter(
		(entry): entry is [string, string] => entry[0] in columns && Boolean(entry[1]),
	);

	return {
		conditions: ['TRUE', ...given.map(([name]) => `${columns[name]} = $${name}`)],
		parameters: Object.fromEntries(given),
	};
}

/** Reads one page of a listing, newest or largest rows first. */
export function readPage<R extends Row>(
	store: Store,
	listing: Listing,
	{ filters, search = '', sort = '', after = '', limit }: ListQuery,
): ListPage<R> {
	const { columns, from, key } = listing;
	const { conditions, parameters } = matching(listing.filters ?? {}, filters);
	conditions.push(listing.where ?? 'TRUE');
	if (search !== '') {
		const matches = listing.search.map((column) => `${column} LIKE $search ESCAPE '!'`);
		conditions.push(`(${matches.join(' OR ')})`);
		parameters['search'] = `%${search.replace(/[!%_]/g, '!$&')}%`;
	}

	const all = conditions.join(' AND ');
	const sorted = listing.sorts?.[sort];
	const order = sorted === undefined ? key : `${sorted}, ${key}`;
	const beyond = /^\d+$/.test(after)
		? `AND (${order}) < (SELECT ${order} FROM ${from} WHERE ${key} = ${after})`
		: '';

	const found = store.all<R & { listKey: number }>(
		`SELECT ${key} AS listKey, ${columns} FROM ${from} WHERE ${all} ${beyond}
		ORDER BY ${order.split(', ').join(' DESC, ')} DESC LIMIT ${limit + 1}`,
		parameters,
	);

	const rows = found.slice(0, limit);
	if (beyond === '' && found.length <= limit) {
		return { rows, total: rows.length, next: undefined };
	}

	const counted = `SELECT 1 FROM ${from} WHERE ${all} LIMIT ${MOST_COUNTED}`;
	const total = store.number(`SELECT count(*) FROM (${counted})`, parameters);
	const next = found.length > limit ? String(rows.at(-1)?.listKey) : undefined;
	return { rows, total, next };
}
