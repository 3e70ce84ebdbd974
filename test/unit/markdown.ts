import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked, type Tokens } from 'marked';

import { ROOT } from '../../tools/n8n/paths';

/** What a page of the documentation names. */
export interface Page {
	/** Targets of links and images. */
	links: string[];
	/** Code in the running text. */
	code: string[];
	/** Whole blocks of code. */
	blocks: string[];
	/** What is set in bold. */
	bold: string[];
	/** The anchors of its headings. */
	anchors: string[];
	/** The rows of its tables, cell by cell. */
	rows: string[][];
}

/** The Markdown files of a folder and of those in it. */
export const markdownIn = (folder: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name));

export function readPage(file: string): Page {
	const page: Page = { links: [], code: [], blocks: [], bold: [], anchors: [], rows: [] };
	const slugger = new GithubSlugger();
	const visitors: Record<string, (token: Tokens.Generic) => void> = {
		link: ({ href }) => page.links.push(String(href)),
		image: ({ href }) => page.links.push(String(href)),
		codespan: ({ text }) => page.code.push(String(text)),
		code: ({ text }) => page.blocks.push(String(text)),
		strong: ({ text }) => page.bold.push(String(text)),
		table: (token) => {
			const { rows } = token as Tokens.Table;
			page.rows.push(...rows.map((cells) => cells.map(({ text }) => text)));
		},
		heading: ({ text }) => page.anchors.push(slugger.slug(String(text))),
	};

	void marked.walkTokens(marked.lexer(readFileSync(join(ROOT, file), 'utf8')), (token) => {
		visitors[token.type]?.(token);
	});

	return page;
}
