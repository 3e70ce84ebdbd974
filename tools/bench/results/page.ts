import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../n8n/paths';
import { type Column, columnsOf, formatFigure, formatNumber, markdownTable } from './format';
import {
	type Conditions,
	readResults,
	RESULTS_FILE,
	type SavedResults,
	type SavedTable,
} from './saved';

/** The page whose tables are made of the results. */
export const PAGE_FILE = join(ROOT, 'docs/contributing/measured.md');

/** The place of a section in the page. Everything else is prose, which stays. */
const PLACE = /<!-- measured: (?<name>[\w-]+) -->\n[^]*?<!-- end -->/g;

/** The place of the table that says how all others were measured. */
const CONDITIONS = 'conditions';

const CONDITION_COLUMNS: Array<Column<Conditions>> = [
	{ head: 'command', cell: ({ command }) => `\`${command}\`` },
	{ head: 'date', cell: ({ date }) => date },
	{ head: 'machine', cell: ({ machine }) => machine },
	{ head: 'n8n', cell: ({ n8n }) => n8n ?? '' },
	{ head: 'load before', cell: ({ load }) => formatNumber(load, 1) },
	{ head: 'scale', cell: ({ scale }) => String(scale) },
	{ head: 'minutes', cell: ({ minutes }) => formatNumber(minutes, 1) },
];

/** The sections that have a place in a page. */
export const placesIn = (page: string): string[] =>
	Array.from(page.matchAll(PLACE), ({ groups }) => groups?.['name'] ?? '').filter(
		(name) => name !== CONDITIONS,
	);

/**
 * Puts the tables of results into their places in a page.
 *
 * @throws when a result has no place
 */
export function fillPage(page: string, results: SavedResults): string {
	const places = placesIn(page);
	const unplaced = Object.keys(results).filter((name) => !places.includes(name));
	if (unplaced.length > 0) {
		throw new Error(`The page has no place for ${unplaced.join(', ')}`);
	}

	return page.replace(PLACE, (_, name: string) => {
		const content = name === CONDITIONS ? conditionsOf(places, results) : contentOf(results[name]);
		return `<!-- measured: ${name} -->\n\n${content}\n\n<!-- end -->`;
	});
}

/** Writes the page of the documentation again, from the results beside it. */
export function updatePage(): void {
	const page = readFileSync(PAGE_FILE, 'utf8');
	writeFileSync(PAGE_FILE, fillPage(page, readResults(RESULTS_FILE)));
}

function contentOf(table: SavedTable | undefined): string {
	if (table === undefined) {
		return 'Not measured yet.';
	}

	const { title, rows, conditions } = table;
	const note = conditions.scale === 1 ? '' : ` (an example, at a scale of ${conditions.scale})`;
	return `**${title}**${note}\n\n${markdownTable(columnsOf(table, formatFigure), rows)}`;
}

/** How the tables of a page were measured, in their order. */
const conditionsOf = (places: string[], results: SavedResults): string =>
	markdownTable(
		CONDITION_COLUMNS,
		places.flatMap((name) => results[name]?.conditions ?? []),
	);
