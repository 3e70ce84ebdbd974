import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The rows of all tables of a page, as lists of cells. */
const rows = (page: string): string[][] =>
	read(`docs/${page}`)
		.split('\n')
		.filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);

/** The test files that a cell names: `unit/auth/accessToken`, `n8n/failures`. */
const filesIn = (cell = ''): string[] =>
	Array.from(cell.matchAll(/`((?:unit|sandbox|engine|n8n)\/[\w/-]+)`/g), ([, name = '']) => name);

/** Each promise of a page, and a test that keeps it. */
const promises = (page: string): Array<readonly [string, string]> =>
	rows(page).flatMap((cells) =>
		filesIn(cells.at(-1)).map((file) => [cells[0] ?? '', file] as const),
	);

describe.each([
	['authentication.md', 20],
	['paying-once.md', 12],
])('%s', (page, least) => {
	test('names its promises', () => {
		expect(promises(page).length).toBeGreaterThan(least);
	});

	test.each(promises(page))('"%s" is the title of a test in %s', (promise, file) => {
		expect(read(`test/${file}.test.ts`)).toContain(promise);
	});
});

test.each(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))(
	'%s names only tests that exist',
	(page) => {
		const named = rows(page).flatMap((cells) => filesIn(cells.at(-1)));
		for (const file of named) expect(() => read(`test/${file}.test.ts`)).not.toThrow();
	},
);
