import type { Figure, ResultRow, ResultTable } from './table';

/** A column of a table, whose cells are made of something in each row. */
export interface Column<Row> {
	head: string;
	cell: (row: Row) => string;
}

/** Writes a figure, which is null where there is none. */
type FormatFigure = (figure: Figure | null, digits: number) => string;

/** The columns of a table that are not empty. */
export function columnsOf(
	{ columns, rows }: ResultTable,
	format: FormatFigure,
): Array<Column<ResultRow>> {
	const all: Array<Column<ResultRow>> = [
		{ head: 'what', cell: ({ name }) => name },
		{ head: 'unit', cell: ({ unit }) => unit },
		{ head: columns.own, cell: ({ own, digits }) => format(own, digits) },
		{ head: columns.peer, cell: ({ peer, digits }) => format(peer, digits) },
		{ head: 'ratio', cell: ({ ratio }) => ratio?.toFixed(2) ?? '' },
		{ head: 'wanted', cell: ({ wanted }) => wanted },
	];

	return all.filter(({ cell }) => rows.some((row) => cell(row) !== ''));
}

/** A figure as a text: the median of its rounds. */
export function formatFigure(figure: Figure | null, digits: number): string {
	if (figure === null) {
		return '';
	}

	return figure.kind === 'text' ? figure.text : formatNumber(figure.value, digits);
}

/** A figure as a text: the median, and in brackets every round unless all are the same. */
export function formatRounds(figure: Figure | null, digits: number): string {
	const text = formatFigure(figure, digits);
	if (figure?.kind !== 'number' || figure.rounds.every((value) => value === figure.value)) {
		return text;
	}

	const each = figure.rounds.map((value) => formatNumber(value, digits));
	return `${text} (${each.join(', ')})`;
}

/** A number as people read it: `1,234.5`. */
export const formatNumber = (value: number, digits: number): string =>
	value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Markdown takes three hyphens at least for a rule. */
const MIN_WIDTH = 3;

/** A table in Markdown, with cells as wide as the formatting of the repository wants them. */
export function markdownTable<Row>(columns: Array<Column<Row>>, rows: Row[]): string {
	const even = columns.map((column) => evenly(column, rows));
	const lines = [
		even.map(({ head }) => head),
		even.map(({ head }) => '-'.repeat(head.length)),
		...rows.map((row) => even.map(({ cell }) => cell(row))),
	];

	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A column whose head and cells are all as long as the longest of them. */
function evenly<Row>({ head, cell }: Column<Row>, rows: Row[]): Column<Row> {
	const lengths = [head, ...rows.map(cell)].map(({ length }) => length);
	const width = Math.max(MIN_WIDTH, ...lengths);
	return { head: head.padEnd(width), cell: (row) => cell(row).padEnd(width) };
}
