export const text = { type: 'string', minLength: 1 } as const;

export const email = {
	type: 'string',
	format: 'email',
	maxLength: 254,
	title: 'E-mail address',
	problem: 'Enter an e-mail address, for example name@example.com.',
} as const;

export const minorUnits = {
	type: 'integer',
	minimum: 1,
	maximum: Number.MAX_SAFE_INTEGER,
	/** A form asks for dollars. */
	isMoney: true,
	title: 'Amount in dollars',
	description: 'For example 1,234.56.',
	problem: 'Enter dollars with at most two decimals, for example 1,234.56.',
} as const;

/** JSON schema of an object with these properties and no others. */
export const object = <
	const Properties extends Record<string, unknown>,
	const Required extends readonly (keyof Properties)[] = [],
>(
	properties: Properties,
	required?: Required,
) =>
	({
		type: 'object',
		additionalProperties: false,
		required: required ?? [],
		properties,
	}) as { type: 'object'; additionalProperties: false; required: Required; properties: Properties };
