import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

import packageJson from '../../package.json';
import { ROOT } from '../../tools/n8n/paths';

/** Whether the source of a node shows, without being run, that it uses one credential at a time. */
type Verdict = 'one at a time' | 'no credentials' | 'not written out' | 'shown together';

/** What a property is set to, where it and the object around it are written out. */
function valueOf(node: ts.Node | undefined, name: string): ts.Expression | undefined {
	if (node === undefined || !ts.isObjectLiteralExpression(node)) {
		return undefined;
	}

	if (node.properties.some(ts.isSpreadAssignment)) {
		return undefined;
	}

	const property = node.properties.find((one) => one.name?.getText() === name);
	return property !== undefined && ts.isPropertyAssignment(property)
		? property.initializer
		: undefined;
}

function elementsOf(node: ts.Node | undefined): ts.Expression[] {
	return node !== undefined && ts.isArrayLiteralExpression(node) ? [...node.elements] : [];
}

function credentialsIn(source: string): ts.Expression[] {
	const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
	const members = file.statements.filter(ts.isClassDeclaration).flatMap((one) => [...one.members]);
	const description = members
		.filter(ts.isPropertyDeclaration)
		.find((member) => member.name.getText() === 'description');
	return elementsOf(valueOf(description?.initializer, 'credentials'));
}

/** The kinds of authentication with which a credential is shown; none, unless each is written out. */
function authenticationOf(credential: ts.Expression): string[] {
	const shown = valueOf(valueOf(credential, 'displayOptions'), 'show');
	const values = elementsOf(valueOf(shown, 'authentication'));
	return values.every(ts.isStringLiteral) ? values.map(({ text }) => text) : [];
}

function verdictOn(source: string): Verdict {
	const credentials = credentialsIn(source);
	if (credentials.length === 0) {
		return 'no credentials';
	}

	const shown = credentials.map(authenticationOf);
	if (shown.some((values) => values.length === 0)) {
		return 'not written out';
	}

	const values = shown.flat();
	return new Set(values).size === values.length ? 'one at a time' : 'shown together';
}

const sources = packageJson.n8n.nodes.map((file) =>
	file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
);

// n8n's rules read the source of a node, and report what they would have to run.
test.each(sources)('%s writes out that it uses one credential at a time', (file) => {
	const source = readFileSync(join(ROOT, file), 'utf8');

	const verdict = verdictOn(source);

	expect(verdict).toBe('one at a time');
});

const FIRST = "{ name: 'a', displayOptions: { show: { authentication: ['a'] } } }";

test.each<[string, Verdict]>([
	["{ name: 'b', displayOptions: { show: { authentication: ['b'] } } }", 'one at a time'],
	["{ name: 'b', displayOptions: { show: { authentication: ['a'] } } }", 'shown together'],
	["{ name: 'b', ...requiredWith('b') }", 'not written out'],
	["{ name: 'b', displayOptions: shownWith('b') }", 'not written out'],
	["{ name: 'b', displayOptions: { show: { ...shown } } }", 'not written out'],
	["{ name: 'b', displayOptions: { show: { authentication: [B] } } }", 'not written out'],
	["{ name: 'b' }", 'not written out'],
	['...more', 'not written out'],
])('a second credential written as %s is %s', (second, expected) => {
	const source = `class Node { description = { credentials: [${FIRST}, ${second}] } }`;

	const verdict = verdictOn(source);

	expect(verdict).toBe(expected);
});

test('credentials that come from elsewhere are not seen', () => {
	const verdict = verdictOn('class Node { description = { credentials: shared } }');

	expect(verdict).toBe('no credentials');
});
