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

/** The test files that a cell names: `unit/token`, `n8n/failures`. */
const filesIn = (cell = ''): string[] =>
	Array.from(cell.matchAll(/`((?:unit|sandbox|engine|n8n)\/[\w-]+)`/g), ([, name = '']) => name);

const claims = rows('authentication.md').flatMap((cells) =>
	filesIn(cells.at(-1)).map((file) => [cells[0] ?? '', file] as const),
);

test('every kept promise of authentication.md is found', () => {
	expect(claims.length).toBeGreaterThan(20);
});

test.each(claims)('authentication.md: "%s" is the title of a test in %s', (claim, file) => {
	expect(read(`test/${file}.test.ts`)).toContain(claim);
});

test.each(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))(
	'%s names only tests that exist',
	(page) => {
		const named = rows(page).flatMap((cells) => filesIn(cells.at(-1)));
		for (const file of named) expect(() => read(`test/${file}.test.ts`)).not.toThrow();
	},
);
