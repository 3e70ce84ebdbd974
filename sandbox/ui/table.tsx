import type { ComponentChildren } from 'preact';

/** One column of a table; the first names its row. */
export interface Column<Row> {
	name: string;
	cell: (row: Row) => ComponentChildren;
	/** Numbers stand to the right, under each other. */
	numeric?: boolean;
	/** On a phone it has a line of its own. */
	wide?: boolean;
}

const ROW_HEADER = { scope: 'row', role: 'rowheader' } as const;
const CELL = { role: 'cell' } as const;

/**
 * Rows with their columns; on a narrow screen each row becomes a block with the column's name in
 * front of every value. The roles say again what the elements are, because browsers forget it when
 * a table is laid out as blocks.
 */
export const Table = <Row,>(props: {
	caption: string;
	columns: Column<Row>[];
	rows: Row[];
	/** Tells rows apart, so that renewing the table keeps the focus in its row. */
	idOf: (row: Row) => string;
	/** What to say, and do, when there is no row. */
	empty: ComponentChildren;
}) => {
	const { caption, columns, rows, idOf, empty } = props;
	if (rows.length === 0) {
		return <p class="empty">{empty}</p>;
	}

	return (
		<table role="table">
			<caption>{caption}</caption>
			<thead role="rowgroup">
				<tr role="row">
					{columns.map(({ name, numeric }) => (
						<th key={name} scope="col" role="columnheader" class={numeric ? 'number' : undefined}>
							{name}
						</th>
					))}
				</tr>
			</thead>
			<tbody role="rowgroup">
				{rows.map((row) => (
					<tr key={idOf(row)} id={`row-${idOf(row)}`} role="row">
						{columns.map(({ name, numeric, wide, cell }, index) => {
							const className = [numeric && 'number', wide && 'wide'].filter(Boolean).join(' ');
							const Cell = index === 0 ? 'th' : 'td';
							const role = index === 0 ? ROW_HEADER : CELL;
							return (
								<Cell key={name} {...role} data-name={name} class={className || undefined}>
									<div>{cell(row)}</div>
								</Cell>
							);
						})}
					</tr>
				))}
			</tbody>
		</table>
	);
};

/** Facts side by side. */
export const Facts = ({ facts }: { facts: Record<string, ComponentChildren> }) => (
	<dl class="facts">
		{Object.entries(facts).map(([name, value]) => (
			<div key={name}>
				<dt>{name}</dt>
				<dd>{value}</dd>
			</div>
		))}
	</dl>
);

/** A part of a page in a frame. */
export const Card = (props: { id: string; title: string; children: ComponentChildren }) => (
	<section class="card" aria-labelledby={props.id}>
		<h2 id={props.id}>{props.title}</h2>
		{props.children}
	</section>
);
