import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/n8n/paths';

/** The pages whose tables name tests, with the number of promises that each has at least. */
const PAGES = [
	{ page: 'what-tests-prove.md', least: 128 },
	{ page: 'open-points.md', least: 28 },
	{ page: 'specification.md', least: 42 },
];

/** The IDs in the last cell of each row that has some: such a row is a promise. */
const promisesOf = (page: string): string[][] =>
	readFileSync(join(ROOT, 'docs/contributing', page), 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.split('|').at(-2) ?? '')
		.map((cell) => Array.from(cell.matchAll(/`#([\w-]+)`/g), ([, id = '']) => id))
		.filter((ids) => ids.length > 0);

/**
 * The IDs in the titles of tests and groups: strings before a function that end with ` #id`. They are the
 * first argument of a call, or a key in a list of tests.
 */
const TITLE = /[(\n]\s*(["'`])(?:(?!\1)[^\n])* #(?<id>[a-z\d-]+)\1[,:]\s*(?:async )?\(/g;

const readIdsOfTests = (): string[] =>
	readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts') && !path.startsWith('.'))
		.map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'))
		.flatMap((source) => Array.from(source.matchAll(TITLE), ({ groups }) => groups?.['id'] ?? ''))
		.sort();

test.each(PAGES)('$page has no fewer promises than $least', ({ page, least }) => {
	expect(promisesOf(page).length).toBeGreaterThanOrEqual(least);
});

test('each ID in the pages is in the title of one test, and each in a title is in a page', () => {
	const ids = new Set(PAGES.flatMap(({ page }) => promisesOf(page).flat()));

	expect(readIdsOfTests()).toEqual([...ids].sort());
});
