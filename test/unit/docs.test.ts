import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/n8n/paths';
import { listTests, type TestTitle } from '../../tools/testTitles';

const DOCS = join(ROOT, 'docs');

interface Row {
	/** The first cell: the promise, which is the title of a test. */
	promise: string;
	/** The files that the last cell names as `unit/auth/accessToken` or `n8n/failures`. */
	files: string[];
}

/** The rows of all tables of a page. */
const rowsOf = (page: string): Row[] =>
	readFileSync(join(DOCS, page), 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => {
			const cells = line.split('|').slice(1, -1);
			const names =
				cells.at(-1)?.matchAll(/`((?:unit|sandbox|engine|n8n|versions|faults|queue)\/[\w/-]+)`/g) ??
				[];
			const files = Array.from(names, ([, name = '']) => `test/${name}.test.ts`);
			return { promise: cells[0]?.trim() ?? '', files };
		});

const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
const filesOf = (page: string): string[] => rowsOf(page).flatMap(({ files }) => files);

/** Each promise of a page, and a file that has to hold its test. */
const promisesOf = (page: string): Array<readonly [promise: string, file: string]> =>
	rowsOf(page).flatMap(({ promise, files }) => files.map((file) => [promise, file] as const));

/**
 * Whether the title of a test, or of a group of tests, is the promise: the whole of it, or with nothing but
 * the name of a case behind a colon, as in `test.each(...)('no integration gets the token of another: %s')`.
 */
const isTitleOf = (promise: string, { title, ancestorTitles }: TestTitle): boolean =>
	[title, ...ancestorTitles].some((text) => text === promise || text.startsWith(`${promise}:`));

let tests: Map<string, TestTitle[]>;

beforeAll(() => {
	tests = listTests([...new Set(pages.flatMap(filesOf))]);
});

describe.each([
	['agents.md', 8],
	['authentication.md', 20],
	['paying-once.md', 12],
])('%s', (page, least) => {
	test('names its promises', () => {
		expect(promisesOf(page).length).toBeGreaterThan(least);
	});

	test.each(promisesOf(page))('"%s" is the title of a test in %s', (promise, file) => {
		const titles = tests.get(file) ?? [];
		expect(titles.some((candidate) => isTitleOf(promise, candidate))).toBe(true);
	});
});

test.each(pages)('%s names only tests that exist', (page) => {
	expect(filesOf(page).filter((file) => !tests.has(file))).toEqual([]);
});
