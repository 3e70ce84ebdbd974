import { median } from 'simple-statistics';

/** What was measured of one thing: a number in each round, or what is no number. */
export type Figure =
	{ kind: 'number'; value: number; rounds: number[] } | { kind: 'text'; text: string };

/** A line of a table. */
export interface ResultRow {
	name: string;
	/** Empty for what is counted, and for texts. */
	unit: string;
	/** How many digits people see after the point. */
	digits: number;
	own: Figure;
	/** What it is measured beside; null when that does not exist. */
	peer: Figure | null;
	/** How many times the peer's figure it is; null when they are not compared. */
	ratio: number | null;
	/** The goal, as people read it; empty without one. */
	wanted: string;
}

/** Everything that a benchmark measures of one subject. */
export interface ResultTable {
	title: string;
	/** The names of the columns with the figures; that of the peer is empty without one. */
	columns: { own: string; peer: string };
	rows: ResultRow[];
}

/** What measuring one subject has led to. */
export interface Measured {
	/** Whether what is promised was kept, whatever the speed. */
	isPassed: boolean;
	table: ResultTable;
}

/** A figure of each round, of the only one, or a text. */
type Given = number | number[] | string;

interface Line {
	name: string;
	unit?: string;
	digits?: number;
	own: Given;
	peer?: Given;
	wanted?: string;
}

/** Digits that are kept beyond those that people see. */
const KEPT_DIGITS = 2;
const RATIO_DIGITS = 3;

/** Collects the rows of a table. */
export class TableBuilder {
	private readonly rows: ResultRow[] = [];

	constructor(
		private readonly title: string,
		private readonly columns: ResultTable['columns'],
	) {}

	/** Adds a row whose figures are not compared. */
	add(line: Line): void {
		this.rows.push(rowOf(line, null));
	}

	/** Adds a row with the ratio of both medians. */
	compare(line: Line & { own: number[]; peer: number[] }): void {
		const ratio = median(line.own) / median(line.peer);
		this.rows.push(rowOf(line, rounded(ratio, RATIO_DIGITS)));
	}

	/** What was collected. */
	build(): ResultTable {
		return { title: this.title, columns: this.columns, rows: this.rows };
	}
}

function rowOf(
	{ name, unit = '', digits = 0, own, peer, wanted = '' }: Line,
	ratio: number | null,
): ResultRow {
	return {
		name,
		unit,
		digits,
		own: figureOf(own, digits),
		peer: peer === undefined ? null : figureOf(peer, digits),
		ratio,
		wanted,
	};
}

function figureOf(given: Given, digits: number): Figure {
	if (typeof given === 'string') {
		return { kind: 'text', text: given };
	}

	const rounds = [given].flat().map((value) => rounded(value, digits + KEPT_DIGITS));
	return { kind: 'number', value: rounded(median(rounds), digits + KEPT_DIGITS), rounds };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
