import type { SQLOutputValue } from 'node:sqlite';
import type { ComponentChildren } from 'preact';
import type { Row } from '../../store/store';
import type { Column } from '../../ui/table';
import { labelOf } from '../../ui/form';
import {
	Badge,
	DateOnly,
	Description,
	Money,
	StatusBadge,
	Timestamp,
	UserText,
	Words,
	Duration,
} from '../../ui/text';
import { consolePath } from './frame';

export type CellValue = SQLOutputValue | boolean | string[] | undefined;

/** A value by the name of its column: money, a moment, a state, the ID of a record, or text. */
export function cellOf(name: string, value: CellValue): ComponentChildren {
	if (value === null || value === undefined) {
		return <span class="note none">none</span>;
	}

	if (name === 'amount' || name === 'balance') {
		return <Money amount={Number(value)} />;
	}

	if (name.endsWith('_date')) {
		return <DateOnly at={String(value)} />;
	}

	if (/(^a|_a|A)t$/.test(name)) {
		return <Timestamp at={String(value)} />;
	}

	if (/^(state|status|(last|service)Status)$/.test(name)) {
		const isNumber = typeof value === 'number';
		return isNumber ? <StatusBadge status={value} /> : <Badge state={String(value)} />;
	}

	if (name.endsWith('Ms')) {
		return <Duration ms={Number(value)} />;
	}

	if (Array.isArray(value)) {
		return value.length === 0
			? cellOf(name, null)
			: value.map((each) => <div key={each}>{cellOf('', each)}</div>);
	}

	return typeof value === 'string' ? textCell(value) : String(value);
}

/** The ID of a record leads to it; text of a user is what it is. */
function textCell(text: string): ComponentChildren {
	if (/^(pbl|fnd|dep)_\w+$/.test(text)) {
		return (
			<a href={consolePath(`records/${text}`)}>
				<code>
					<Words>{text}</Words>
				</code>
			</a>
		);
	}

	if (/^([a-z]+_\w{30,}|[\da-f]{8}-[\da-f-]{27})$/.test(text)) {
		return (
			<code>
				<Words>{text}</Words>
			</code>
		);
	}

	return <Description text={text} />;
}

export const str = (row: Row, name: string): string => String(row[name] ?? '');

const NUMERIC = /^(amount|balance|attempts|payables|durationMs)$/;
/** Longer texts, which have a line of their own on a phone. */
const WIDE = /^(description|url|answer|subject|events)$/;

/** Columns that show the values of these fields of a row, each under its name. */
export const plainColumns = <Row extends Record<string, CellValue>>(
	names: Record<string, string>,
): Column<Row>[] =>
	Object.entries(names).map(([field, name]) => ({
		name,
		numeric: NUMERIC.test(field),
		wide: WIDE.test(field),
		cell: (row) => cellOf(field, row[field]),
	}));

/** A link to the path, with the values of the row in braces, by the text of one of its fields. */
export const linked = <Row extends Record<string, CellValue>>(
	name: string,
	path: string,
	text: string,
): Column<Row> => ({
	name,
	cell: (row) => (
		<a href={consolePath(path.replace(/\{(\w+)\}/g, (_, field: string) => String(row[field])))}>
			<UserText>{String(row[text])}</UserText>
		</a>
	),
});

/** All fields of a record by their names. */
export const factsOf = (fields: object): Record<string, ComponentChildren> =>
	Object.fromEntries(
		Object.entries(fields as Record<string, CellValue>).map(([name, value]) => [
			labelOf(name),
			cellOf(name, value),
		]),
	);
