import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../n8n/paths';
import type { ResultTable } from './table';

/** Under which conditions a table was measured. */
export interface Conditions {
	/** What measures it again. */
	command: string;
	/** The day, as `2026-12-31`. */
	date: string;
	machine: string;
	/** The version of n8n; null where none runs. */
	n8n: string | null;
	/** The load of the machine in the minute before: how many processes wanted a processor. */
	load: number;
	/** How much was measured; 1 is all. */
	scale: number;
	/** How long it took. */
	minutes: number;
}

/** A table as it is kept in the repository. */
export interface SavedTable extends ResultTable {
	conditions: Conditions;
}

/** The newest table of each section, by its name. */
export type SavedResults = Record<string, SavedTable>;

/** What the page of the documentation shows. */
export const RESULTS_FILE = join(ROOT, 'docs/contributing/measured.json');

/** Reads the results of a file; none when it does not exist yet. */
export function readResults(file: string): SavedResults {
	if (!existsSync(file)) {
		return {};
	}

	return JSON.parse(readFileSync(file, 'utf8')) as SavedResults;
}

/** Puts the table of a section in place of the one before; the others stay, in the order of their names. */
export function mergeResults(results: SavedResults, name: string, table: SavedTable): SavedResults {
	const others = Object.entries(results).filter(([other]) => other !== name);
	const sorted = [...others, [name, table] as const].sort(([one], [other]) =>
		one.localeCompare(other),
	);

	return Object.fromEntries(sorted);
}

/** The machine that runs this, without its name. */
export function describeMachine(): string {
	const processors = cpus();
	const [{ model } = { model: 'unknown processor' }] = processors;
	const memoryGb = Math.round(totalmem() / 1024 ** 3);
	return `${processors.length} × ${model.trim()}, ${memoryGb} GB, ${type()}`;
}
