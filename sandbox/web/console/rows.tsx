import type { ComponentChildren } from 'preact';
import { MOST_COUNTED, readPage, type Listing } from '../../store/listing';
import type { Row, Store } from '../../store/store';
import { Table, type Column } from '../../ui/table';

/** A list of rows: where they come from, and what is shown of them. */
export interface List {
	caption: string;
	listing: Listing;
	/** The values of a filter that a person can choose from. */
	choices?: Record<string, readonly string[]>;
	/** @param back where actions in the rows come back to */
	columns: (back: string) => Column<Row>[];
	empty: string;
}

/** The newest rows of a list, or one page of it, and how many there are. */
export const Rows = (props: {
	store: Store;
	list: List;
	/** Begins the IDs of the rows. */
	name: string;
	/** The filters, the search, the order and the page. */
	query: URLSearchParams;
	limit: number;
	back: string;
	/** What to say when nothing matches, instead of that there is nothing yet. */
	nothing?: string | undefined;
	/** The ways on, when these are not all rows. */
	ways?: (next: string | undefined) => ComponentChildren;
}) => {
	const { store, list, name, query, limit, back, nothing, ways } = props;
	const { rows, total, next } = readPage<Row>(store, list.listing, {
		filters: Object.fromEntries(query),
		search: query.get('q') ?? '',
		sort: query.get('sort') ?? '',
		after: query.get('after') ?? '',
		limit,
	});

	const order = { errors: 'errors first', amount: 'largest first' }[query.get('sort') ?? ''];
	const all = total.toLocaleString('en-US') + (total === MOST_COUNTED ? ' or more' : '');
	return (
		<>
			<Table
				caption={list.caption.replace('newest first', order ?? 'newest first')}
				columns={list.columns(back)}
				rows={rows}
				idOf={({ listKey }) => `${name}-${String(listKey)}`}
				empty={nothing ?? list.empty}
			/>
			{(next !== undefined || query.has('after')) && (
				<p class="note actions">
					<span>{`${rows.length} of ${all} are shown.`}</span>
					{ways?.(next)}
				</p>
			)}
		</>
	);
};
