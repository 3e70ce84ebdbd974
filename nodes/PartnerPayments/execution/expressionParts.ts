import { normalizeReference } from '../shared/references';
import { excerpt, throwInputError } from '../shared/errors';
import { throwInexactNumber } from '../shared/fieldReaders';
import { isEmpty } from '../shared/typeGuards';

interface Split {
	/** Each with its braces, such as `{{ $json.number }}`. */
	codes: string[];
	/** The texts before, between and after them. */
	texts: string[];
}

/** What people take for an expression, as it stands in a text. */
const EXPRESSION = /\{\{|\}\}|^\s*=|^[\s{]*\$[a-z(]/;
/** In place of an expression in braces, which n8n evaluates. */
const EVALUATED = '\ufffc';

/**
 * Rejects a field into which its author has typed an expression as text: n8n would take it as it is, one
 * reference for all payments. What comes out of an expression is data, and never judged.
 *
 * @param written the parameter as it is set up
 */
export function assertNoTypedExpression(written: unknown, subject: string): void {
	if (typeof written !== 'string') {
		return;
	}
	const isExpression = written.startsWith('=');
	const typed = isExpression ? split(written.slice(1)).texts.join(EVALUATED) : written;
	if (!EXPRESSION.test(typed)) {
		return;
	}
	const shown = isExpression ? written.slice(1) : written;
	// n8n's editor closes braces automatically, so that a person who types them leaves two too many.
	const isClosedTwice = typed.includes('}}') && !typed.includes('{{');
	throwInputError(
		`${subject} holds an expression as text: "${excerpt(shown.trim())}"`,
		isClosedTwice
			? 'n8n closes braces automatically: delete the second "}}" at the end of the expression.'
			: 'Point at the field and choose "Expression" instead of "Fixed". An expression is in braces, without "=" before it, such as {{ $json.invoice }}.',
	);
}

/**
 * Rejects an expression that joins several values or texts when one of the values is nothing: n8n leaves
 * it out, and "Invoice No." would be the name of every payment.
 *
 * @param written the parameter as it is set up
 * @param evaluate what n8n makes of an expression in braces
 */
export function assertPartsYield(
	written: unknown,
	subject: string,
	evaluate: (code: string) => unknown,
): void {
	if (typeof written !== 'string' || !written.startsWith('=')) {
		return;
	}
	const { codes, texts } = split(written.slice(1));
	const hasText = texts.some((text) => text.trim() !== '');
	// What one expression alone yields is read as the whole value. It is evaluated once, for large runs.
	if (codes.length < 2 && !hasText) {
		return;
	}
	for (const code of codes) {
		assertYields(code, subject, evaluate);
	}
}

function assertYields(code: string, subject: string, evaluate: (code: string) => unknown): void {
	const value = valueOf(code, subject, evaluate);
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		throwInexactNumber(subject);
	}
	if (!isNothing(value)) {
		return;
	}
	throwInputError(
		`A part of ${subject} yields nothing: ${excerpt(code)}`,
		'Without this part, several payments would have one name. Fill in the field that it comes from, or correct the expression.',
	);
}

/** Whether a value adds nothing visible when n8n joins the parts. */
function isNothing(value: unknown): boolean {
	if (isEmpty(value) || Number.isNaN(value)) {
		return true;
	}
	if (Array.isArray(value)) {
		return value.every(isNothing);
	}
	return typeof value === 'string' && normalizeReference(value) === '';
}

function valueOf(code: string, subject: string, evaluate: (code: string) => unknown): unknown {
	try {
		return evaluate(code);
	} catch {
		return throwInputError(
			`A part of ${subject} cannot be evaluated: ${excerpt(code)}`,
			'Correct this part of the expression. The editor shows what it yields.',
		);
	}
}

/** Splits an expression where n8n does: at double braces without a backslash before them. */
function split(expression: string): Split {
	const codes: string[] = [];
	const texts: string[] = [];
	let position = 0;

	while (position < expression.length) {
		const opening = indexOfBraces(expression, '{{', position);
		texts.push(expression.slice(position, opening));
		const closing = indexOfBraces(expression, '}}', opening + 2);
		if (opening < expression.length) {
			codes.push(expression.slice(opening, closing + 2));
		}
		position = closing + 2;
	}
	texts.push(expression.slice(position));
	return { codes, texts };
}

/** The position of the next braces, or the end of the expression. */
function indexOfBraces(expression: string, braces: string, from: number): number {
	let found = expression.indexOf(braces, from);
	while (found >= 0 && isEscaped(expression, found)) {
		found = expression.indexOf(braces, found + braces.length);
	}
	return found < 0 ? expression.length : found;
}

function isEscaped(expression: string, position: number): boolean {
	let backslashes = 0;
	while (expression[position - 1 - backslashes] === '\\') {
		backslashes += 1;
	}
	return backslashes % 2 === 1;
}
