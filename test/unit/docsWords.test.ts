import { readSentences } from '../../tools/words/sentences';
import { textsOfExample, textsOfSource } from '../../tools/words/texts';

const wordsOf = (markdown: string): number[] =>
	readSentences(markdown).map(({ words }) => words.length);

test('sentences are those of paragraphs, lists and tables, without code and pictures', () => {
	const page = [
		'# A heading is none',
		'One two three. Four `const x = 1` six.',
		'![A picture](a.png)',
		'- Seven **eight** [nine](b.md)',
		'| a cell |\n| - |\n| ten eleven |',
		'```sh\nnpm run nothing\n```',
	].join('\n\n');

	expect(wordsOf(page)).toEqual([3, 3, 3, 2, 2]);
	expect(readSentences(page).at(-1)).toMatchObject({ isInTable: true });
});

test('texts of code are its prose, of which a message is shorter than a hint', () => {
	const source = `
		const name = 'displayName', url = 'https://example.com/a';
		throw new InputError(\`Item \${index} has no amount\`, 'Enter an amount, then run it again.');
		throw new ServiceError({ message: 'The wallet is empty now', hint: 'Add money to the wallet.' });
		const value = '={{ $json.name is not a text }}';
	`;

	expect(textsOfSource(source)).toEqual([
		{ line: 3, text: 'Item value has no amount', maxWords: 15 },
		{ line: 3, text: 'Enter an amount, then run it again.', maxWords: 45 },
		{ line: 4, text: 'The wallet is empty now', maxWords: 15 },
		{ line: 4, text: 'Add money to the wallet.', maxWords: 45 },
	]);
});

test('texts of an example are its sticky notes', () => {
	const content = '## Pays an invoice';
	const nodes = [
		{ type: 'n8n-nodes-base.set', parameters: {} },
		{ type: 'n8n-nodes-base.stickyNote', parameters: { content } },
	];

	expect(textsOfExample(JSON.stringify({ nodes }, undefined, '\t'))).toMatchObject([
		{ line: 10, text: content },
	]);
});
