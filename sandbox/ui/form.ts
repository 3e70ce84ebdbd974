import type { FastifyRequest } from 'fastify';

/** What a person has filled in, or what a form is to begin with. */
export type Values = Readonly<Partial<Record<string, string>>>;

/** What is wrong, by the name of the field. */
export type Errors = Readonly<Partial<Record<string, string>>>;

/** The fields of a posted form, without the blanks around them; of a repeated field the last. */
export function formOf(request: FastifyRequest): Values {
	const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
	return Object.fromEntries(
		[...new URLSearchParams(body)].map(([name, value]) => [name, value.trim()]),
	);
}

/** The value of a field, empty when it is not there. */
export const valueOf = (values: Values, name: string): string => values[name] ?? '';

/** The parameters of a request's URL. */
export const queryOf = (request: FastifyRequest): URLSearchParams =>
	new URL(request.url, 'http://localhost').searchParams;

/** What a rule says about a form: a sentence when the field is wrong. */
export type Rule = [field: string, sentence: (values: Values) => string | undefined];

/** Applies rules; the first that finds something to say about a field says it. */
export function check(values: Values, rules: Rule[]): Errors {
	const errors: Partial<Record<string, string>> = {};
	for (const [field, sentence] of rules) errors[field] ??= sentence(values);
	return errors;
}

export const isClean = (errors: Errors): boolean =>
	Object.values(errors).every((error) => error === undefined);

const LONGEST = 120;

/** A rule for a name or another line of text that a person writes freely. */
export const line = (field: string, missing: string): Rule => [
	field,
	(values) => {
		const value = valueOf(values, field);
		if (value === '') return missing;
		if (value.length > LONGEST) return `Use at most ${LONGEST} characters.`;
		return /\p{Cc}/u.test(value) ? 'Use letters and signs on one line only.' : undefined;
	},
];
