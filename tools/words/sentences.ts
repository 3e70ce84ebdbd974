import { parse } from '@textlint/markdown-to-ast';
import { flesch } from 'flesch';
import { split } from 'sentence-splitter';
import { syllable } from 'syllable';

/** A sentence of a page, without code, pictures and links' targets. */
export interface Sentence {
	line: number;
	words: string[];
	/** Whether it is in a table, whose cells are mostly no sentences. */
	isInTable: boolean;
}

export interface Measure {
	words: number;
	/** Mean number of words in a sentence, tables left out. */
	mean: number;
	/** Flesch's reading ease, tables left out. */
	ease: number;
}

interface Node {
	type: string;
	loc: { start: { line: number } };
	value?: string;
	children?: readonly Node[];
}

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’.,-]*[\p{L}\p{N}])?/gu;

/** What a node says: code counts as one short word. */
function textOf({ type, value, children = [] }: Node): string {
	if (type === 'Str') {
		return value ?? '';
	}

	if (type === 'Code') {
		return 'code';
	}

	if (type === 'Break') {
		return ' ';
	}

	return children.map(textOf).join('');
}

const sentencesOf = (node: Node, isInTable: boolean): Sentence[] =>
	split(textOf(node).replaceAll('\n', ' '))
		.filter(({ type }) => type === 'Sentence')
		.map(({ raw }) => ({ line: node.loc.start.line, words: raw.match(WORD) ?? [], isInTable }))
		.filter(({ words }) => words.length > 0);

function sentencesIn(node: Node): Sentence[] {
	if (node.type === 'Paragraph') {
		return sentencesOf(node, false);
	}

	if (node.type === 'TableCell') {
		return sentencesOf(node, true);
	}

	return (node.children ?? []).flatMap(sentencesIn);
}

/** The sentences of a text in Markdown. */
export const readSentences = (markdown: string): Sentence[] => sentencesIn(parse(markdown));

export function measure(sentences: Sentence[]): Measure {
	const prose = sentences.filter(({ isInTable }) => !isInTable);
	const words = prose.flatMap((sentence) => sentence.words);
	const syllables = words.reduce((sum, word) => sum + syllable(word), 0);
	return {
		words: sentences.flatMap((sentence) => sentence.words).length,
		mean: words.length / prose.length,
		ease: flesch({ sentence: prose.length, word: words.length, syllable: syllables }),
	};
}
