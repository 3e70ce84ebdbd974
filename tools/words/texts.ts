import * as ts from 'typescript';

/** A text that people read in the editor, and where it is. */
export interface Text {
	line: number;
	text: string;
	/** How many words it may have; infinite where only its sentences are bounded. */
	maxWords: number;
}

/** An error says in so few words what happened, and in so few what to do. */
const MAX_WORDS = { message: 15, other: 45 };
/** A text is prose with three words in a row. */
const PROSE = /[A-Za-z'’]+,? [a-z'’]+,? [a-z'’]+/;
/** What makes or throws an error: its first argument is the message. */
const ERROR = /(?:Error|^fail)$/;

/** What a literal says, with one word for each value in it. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) {
		return node.text;
	}

	if (!ts.isTemplateExpression(node)) {
		return undefined;
	}

	const spans = node.templateSpans.map(({ literal }) => `value${literal.text}`);
	return node.head.text + spans.join('');
}

const isErrorCall = (node: ts.Node | undefined): node is ts.CallExpression | ts.NewExpression =>
	node !== undefined &&
	(ts.isCallExpression(node) || ts.isNewExpression(node)) &&
	ERROR.test(node.expression.getText());

/** Whether a literal is the message of an error: its first argument, or the property of that name. */
function isMessage(node: ts.Node): boolean {
	const { parent } = node;
	if (isErrorCall(parent)) {
		return parent.arguments?.[0] === node;
	}

	return (
		ts.isPropertyAssignment(parent) &&
		parent.name.getText() === 'message' &&
		isErrorCall(parent.parent.parent)
	);
}

/** The texts of a source file that are prose. */
export function textsOfSource(source: string): Text[] {
	const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
	const texts: Text[] = [];
	const visit = (node: ts.Node): void => {
		const text = textOf(node);
		if (text === undefined) {
			node.forEachChild(visit);
		} else if (PROSE.test(text) && !text.startsWith('=')) {
			const { line } = file.getLineAndCharacterOfPosition(node.getStart());
			const maxWords = isMessage(node) ? MAX_WORDS.message : MAX_WORDS.other;
			texts.push({ line: line + 1, text, maxWords });
		}
	};

	visit(file);
	return texts;
}

/** The sticky notes of an example. */
export function textsOfExample(json: string): Text[] {
	const { nodes } = JSON.parse(json) as {
		nodes: Array<{ type: string; parameters: { content?: string } }>;
	};

	return nodes
		.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
		.map(({ parameters: { content = '' } }) => {
			const before = json.slice(0, json.indexOf(JSON.stringify(content)));
			return { line: before.split('\n').length, text: content, maxWords: Infinity };
		});
}
