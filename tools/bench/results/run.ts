import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import Table from 'cli-table3';
import { format, resolveConfig } from 'prettier';

import type { CommandLine } from './commandLine';
import { columnsOf, formatRounds } from './format';
import { updatePage } from './page';
import {
	describeMachine,
	mergeResults,
	readResults,
	RESULTS_FILE,
	type SavedResults,
	type SavedTable,
} from './saved';
import type { Measured, ResultTable } from './table';

/** A subject that can be measured by itself. */
export interface Section {
	name: string;
	/** What chooses it on the command line; its name when left out. */
	selector?: string;
	measure: () => Promise<Measured>;
}

/** How the sections of a benchmark are run. */
export interface RunOptions extends CommandLine {
	/** The script of package.json. */
	script: string;
	/** The version of n8n; null where none runs. */
	n8n: string | null;
}

/**
 * Measures sections one after the other, prints the table of each, and saves it when asked to and when the
 * section has passed. Returns whether all have.
 */
export async function runSections(sections: Section[], options: RunOptions): Promise<boolean> {
	let isPassed = true;
	for (const section of sections) {
		console.log(`Measuring: ${section.name} ...`);

		const isSectionPassed = await runSection(section, options);
		isPassed &&= isSectionPassed;
	}

	return isPassed;
}

async function runSection(section: Section, options: RunOptions): Promise<boolean> {
	const { name, selector = name, measure } = section;
	const { script, scale, n8n, file } = options;
	const [load = NaN] = loadavg();
	const startedAt = performance.now();
	const { isPassed, table } = await measure();
	const minutes = (performance.now() - startedAt) / 60_000;
	console.log(`${table.title}\n${formatTable(table)}`);
	console.log(`This took ${minutes.toFixed(1)} minutes; the load before was ${load.toFixed(1)}.\n`);

	if (!isPassed) {
		console.error(`FAILED: ${name}`);
		return false;
	}

	if (file !== undefined) {
		const conditions = {
			command: `npm run ${script} -- ${selector}`,
			date: new Date().toISOString().slice(0, 10),
			machine: describeMachine(),
			n8n,
			load: Number(load.toFixed(1)),
			scale,
			minutes: Number(minutes.toFixed(2)),
		};

		await save(file, name, { conditions, ...table });
	}

	return true;
}

/** Each table is saved at once, so that what fails later takes nothing away. */
async function save(file: string, name: string, table: SavedTable): Promise<void> {
	const results = mergeResults(readResults(file), name, table);
	await writeResults(file, results);
	if (file === RESULTS_FILE) {
		updatePage();
	}

	console.log(`Saved: ${name} in ${file}`);
}

/** Writes results into a file, as the formatting of the repository wants them. */
async function writeResults(file: string, results: SavedResults): Promise<void> {
	const config = await resolveConfig(RESULTS_FILE);
	const text = await format(JSON.stringify(results), { ...config, parser: 'json' });
	writeFileSync(file, text);
}

/** A table for the terminal, with every round. */
function formatTable(table: ResultTable): string {
	const columns = columnsOf(table, formatRounds);
	const printed = new Table({
		style: { border: [], head: [] },
		head: columns.map(({ head }) => head),
	});

	for (const row of table.rows) {
		printed.push(columns.map(({ cell }) => cell(row)));
	}

	return printed.toString();
}
