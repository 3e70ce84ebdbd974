/** JSON schema of any text but the empty one. */
export const text = { type: 'string', minLength: 1 } as const;

/** JSON schema of an e-mail address. */
export const email = { type: 'string', format: 'email' } as const;

/** JSON schema of a positive amount in minor units. */
export const minorUnits = {
	type: 'integer',
	minimum: 1,
	maximum: Number.MAX_SAFE_INTEGER,
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
