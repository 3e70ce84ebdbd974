import type { Store } from '../../store/store';
import { consolePath } from './frame';
import { moneyLists } from './moneyLists';
import { Rows, type List } from './rows';
import { trafficLists } from './trafficLists';
import { vendorLists } from './vendorLists';

export const lists = { ...vendorLists, ...moneyLists, ...trafficLists } satisfies Record<
	string,
	List
>;

export type ListName = keyof typeof lists;

/** The newest rows of a list of the console, or one page of it, with the ways on. */
export const ListTable = (props: {
	store: Store;
	name: ListName;
	query: URLSearchParams;
	limit: number;
	back: string;
	/** Where all rows are, when these are only the newest. */
	all?: string;
}) => {
	const { name, query, all } = props;
	const page = (after?: string) => consolePath(name, { ...Object.fromEntries(query), after });
	return (
		<Rows
			{...props}
			list={lists[name]}
			nothing={query.size > 0 && all === undefined ? 'Nothing matches.' : undefined}
			ways={(next) => {
				if (all !== undefined) {
					return <a href={all}>{`Show all ${name}`}</a>;
				}

				return (
					<>
						{query.has('after') && <a href={page()}>First page</a>}
						{next !== undefined && <a href={page(next)}>Next page</a>}
					</>
				);
			}}
		/>
	);
};
