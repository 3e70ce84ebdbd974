import type { SQLOutputValue } from 'node:sqlite';
import type { ComponentChildren } from 'preact';
import type { Row } from '../../store/store';
import type { Column } from '../../ui/table';
import {
	Badge,
	DateOnly,
	Description,
	Money,
	nameOfState,
	StatusBadge,
	Timestamp,
	UserText,
} from '../../ui/text';
import { consolePath } from './frame';

export type CellValue = SQLOutputValue | string[] | undefined;

/** A value by the name of its column: money, a moment, a state, the ID of a record, or text. */
export function cellOf(name: string, value: CellValue): ComponentChildren {
	if (value === null || value === undefined) return <span class="note">none</span>;
	if (name === 'amount' || name === 'balance') return <Money amount={Number(value)} />;
	if (name.endsWith('_date')) return <DateOnly at={String(value)} />;
	if (name.endsWith('_at')) return <Timestamp at={String(value)} />;
	if (name === 'status') {
		return typeof value === 'number' ? (
			<StatusBadge status={value} />
		) : (
			<Badge state={String(value)} />
		);
	}
	if (Array.isArray(value)) return value.map((each) => <div key={each}>{cellOf(name, each)}</div>);
	const text = typeof value === 'object' ? '' : String(value);
	if (/^(pbl|fnd|dep)_\w+$/.test(text)) {
		return (
			<a href={consolePath(`records/${text}`)}>
				<code>{text}</code>
			</a>
		);
	}
	if (/^[a-z]+_\w{30,}$/.test(text)) return <code>{text}</code>;
	return typeof value === 'number' ? text : <Description text={text} />;
}

/** Columns that show the values of these columns of a row; a name may follow after a colon. */
export const plainColumns = (...columns: string[]): Column<Row>[] =>
	columns.map((column) => {
		const [field = '', name = nameOfState(field)] = column.split(':');
		const numeric = ['amount', 'balance', 'attempts', 'payables'].includes(field);
		return { name, numeric, cell: (row) => cellOf(field, row[field]) };
	});

/** A link of a row, by the text of one of its columns. */
export const linked = (
	name: string,
	path: (row: Row) => string,
	text: (row: Row) => string,
): Column<Row> => ({
	name,
	cell: (row) => (
		<a href={path(row)}>
			<UserText>{text(row)}</UserText>
		</a>
	),
});
