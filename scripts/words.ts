/**
 * `npm run lint:words`: plain words in what people read. textlint holds the terms of lint/textlint.config.json,
 * and sentences are counted here. `-- measure` prints the measures of each page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { createLinter, loadTextlintrc } from 'textlint';

import { measure, readSentences } from '../tools/words/sentences';
import { textsOfExample, textsOfSource, type Text } from '../tools/words/texts';

const ROOT = join(__dirname, '..');

const MAX_WORDS = 25;
const MAX_MEAN = 14;
/** Flesch's reading ease; texts with 60 and more are plain English. */
const MIN_EASE = 60;
/** The pages that have to be as easy to read. */
const EASY = /^(?:README\.md|docs\/guide\/)/;

const filesIn = (folder: string, ending: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name))
		.sort();

/** They are measured as a whole, too. */
const PAGES = [
	'README.md',
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	...filesIn('docs', '.md'),
];

const FILES = [
	...PAGES,
	'sandbox/README.md',
	...filesIn('nodes', '.ts'),
	...filesIn('credentials', '.ts'),
	...filesIn('examples', '.json'),
	...filesIn('examples', '.md'),
];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The texts of a file that people read. */
function textsOf(file: string): Text[] {
	if (file.endsWith('.ts')) {
		return textsOfSource(read(file));
	}

	if (file.endsWith('.json')) {
		return textsOfExample(read(file));
	}

	return [{ line: 1, text: read(file), maxWords: Infinity }];
}

const linter = loadTextlintrc({
	configFilePath: join(ROOT, 'scripts/lint/textlint.config.json'),
}).then((descriptor) => createLinter({ descriptor }));

/** What is wrong with a text: its terms, and how long it and its sentences are. */
async function findingsOf(file: string, { line, text, maxWords }: Text): Promise<string[]> {
	// A text in code is one line there, whatever it says.
	const at = (inText: number): string => `${file}:${file.endsWith('.md') ? inText : line}`;
	const textlint = await linter;
	const { messages } = await textlint.lintText(text, 'text.md');
	const findings = messages.map((found) => `${at(found.loc.start.line)}  ${found.message}`);
	const sentences = readSentences(text);
	for (const sentence of sentences.filter(({ words }) => words.length > MAX_WORDS)) {
		const { length } = sentence.words;
		const start = sentence.words.slice(0, 6).join(' ');
		findings.push(
			`${at(sentence.line)}  ${length} words in a sentence, at most ${MAX_WORDS}: ${start} …`,
		);
	}

	const { words } = measure(sentences);
	if (words > maxWords) {
		findings.push(`${at(1)}  ${words} words, at most ${maxWords}`);
	}

	return findings;
}

/** What is wrong with a page as a whole. */
function findingsOfPage(file: string): string[] {
	const findings: string[] = [];
	const { mean, ease } = measure(readSentences(read(file)));
	if (mean > MAX_MEAN) {
		findings.push(
			`${file}  ${mean.toFixed(1)} words in a sentence on average, at most ${MAX_MEAN}`,
		);
	}

	if (EASY.test(file) && ease < MIN_EASE) {
		findings.push(`${file}  a reading ease of ${ease.toFixed(0)}, at least ${MIN_EASE}`);
	}

	return findings;
}

function printMeasures(): void {
	const table = new Table({ head: ['page', 'words', 'words in a sentence', 'reading ease'] });
	for (const file of [...PAGES, 'sandbox/README.md']) {
		const { words, mean, ease } = measure(readSentences(read(file)));
		table.push([file, words, mean.toFixed(1), ease.toFixed(0)]);
	}

	console.log(table.toString());
}

async function main(wanted: string | undefined): Promise<void> {
	if (wanted === 'measure') {
		printMeasures();
		return;
	}

	const texts = FILES.flatMap((file) => textsOf(file).map((text) => ({ file, text })));
	const found = await Promise.all(texts.map(({ file, text }) => findingsOf(file, text)));
	const findings = [...found.flat(), ...PAGES.flatMap(findingsOfPage)];
	for (const finding of findings) {
		console.log(finding);
	}

	if (findings.length > 0) {
		process.exitCode = 1;
	}
}

void main(process.argv[2]);
