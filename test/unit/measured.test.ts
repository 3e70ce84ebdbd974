import { readFileSync } from 'node:fs';

import { SECTION_NAMES } from '../../tools/bench/names';
import { readCommandLine } from '../../tools/bench/results/commandLine';
import { fillPage, PAGE_FILE, placesIn } from '../../tools/bench/results/page';
import {
	mergeResults,
	readResults,
	RESULTS_FILE,
	type SavedTable,
} from '../../tools/bench/results/saved';
import { TableBuilder } from '../../tools/bench/results/table';

const page = readFileSync(PAGE_FILE, 'utf8');

/** A table with one row, which compares the medians of these rounds. */
function tableOf(own: number[], peer: number[]): SavedTable {
	const builder = new TableBuilder('Sixty payouts', { own: 'ours', peer: 'theirs' });
	builder.compare({ name: 'a run', unit: 'ms', own, peer, wanted: 'at most 1' });

	return {
		...builder.build(),
		conditions: {
			command: 'npm run bench -- latency',
			date: '2026-12-31',
			machine: '2 × Processor, 8 GB, Linux',
			n8n: '2.41.1',
			load: 0.25,
			scale: 1,
			minutes: 1.5,
		},
	};
}

describe('the page of what was measured', () => {
	test('has the tables of the results that are kept beside it', () => {
		expect(fillPage(page, readResults(RESULTS_FILE))).toBe(page);
	});

	test('has one place for each section that is measured', () => {
		expect([...placesIn(page)].sort()).toEqual([...SECTION_NAMES].sort());
	});

	test('says median, ratio, goal, and conditions, and keeps what is around its places', () => {
		const before = '# Measured\n\n<!-- measured: latency -->\nold\n<!-- end -->\n\nProse.\n\n';
		const conditions = '<!-- measured: conditions -->\n<!-- end -->\n';
		const results = { latency: tableOf([1_500, 900, 1_200], [800, 800, 800]) };

		const filled = fillPage(before + conditions, results);

		expect(filled).toBe(`# Measured

<!-- measured: latency -->

**Sixty payouts**

| what  | unit | ours  | theirs | ratio | wanted    |
| ----- | ---- | ----- | ------ | ----- | --------- |
| a run | ms   | 1,200 | 800    | 1.50  | at most 1 |

<!-- end -->

Prose.

<!-- measured: conditions -->

| command                    | date       | machine                    | n8n    | load before | scale | minutes |
| -------------------------- | ---------- | -------------------------- | ------ | ----------- | ----- | ------- |
| \`npm run bench -- latency\` | 2026-12-31 | 2 × Processor, 8 GB, Linux | 2.41.1 | 0.3         | 1     | 1.5     |

<!-- end -->
`);
	});

	test('marks what was measured at a smaller scale', () => {
		const place = '<!-- measured: latency -->\n<!-- end -->';
		const table = tableOf([1], [1]);
		const small = { ...table, conditions: { ...table.conditions, scale: 0.2 } };

		expect(fillPage(place, { latency: table })).not.toContain('example');
		expect(fillPage(place, { latency: small })).toContain('(an example, at a scale of 0.2)');
	});

	test('leaves out no result', () => {
		const results = { unknown: tableOf([1], [1]) };

		expect(() => fillPage(page, results)).toThrow('no place for unknown');
	});
});

describe('results', () => {
	test('of one section take the place of those before, and leave the others', () => {
		const old = tableOf([1], [1]);
		const other = tableOf([2], [2]);
		const current = tableOf([3], [3]);

		const merged = mergeResults({ other, latency: old }, 'latency', current);

		expect(merged).toEqual({ latency: current, other });
		expect(Object.keys(merged)).toEqual(['latency', 'other']);
	});

	test('keep every round beside its median', () => {
		const [row] = tableOf([5, 1, 3], [2]).rows;

		expect(row?.own).toEqual({ kind: 'number', value: 3, rounds: [5, 1, 3] });
		expect(row?.ratio).toBe(1.5);
	});
});

describe('the command line of a benchmark', () => {
	const NAMES = ['full', 'again'];

	test('chooses sections, a scale, and where results are kept, in any order', () => {
		expect(readCommandLine(['full', '0.2', '--save'], NAMES)).toEqual({
			scale: 0.2,
			seed: 1,
			names: ['full'],
			file: RESULTS_FILE,
		});

		expect(readCommandLine(['--save=/tmp/results.json', '0.2', '7'], NAMES)).toEqual({
			scale: 0.2,
			seed: 7,
			names: [],
			file: '/tmp/results.json',
		});
	});

	test('measures everything, and only prints it, unless told otherwise', () => {
		expect(readCommandLine([], NAMES)).toEqual({ scale: 1, seed: 1, names: [], file: undefined });
	});

	test.each(['ful', '--saved', '-1', '0'])('refuses %s', (arg) => {
		expect(() => readCommandLine([arg], NAMES)).toThrow(arg);
	});
});
