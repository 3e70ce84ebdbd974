import fc from 'fast-check';

/** Any body that an answer can have: parsed JSON, or text. */
export const anyBody = fc.oneof(
	fc.jsonValue(),
	fc.string(),
	fc.string().map((text) => `<${text}`),
);

/** Bodies that exhaust the stack of a reader that follows them to their end. */
export const NESTED_DEEPLY: unknown[] = [
	JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)),
	JSON.parse('{"error":'.repeat(50_000) + '"deep"' + '}'.repeat(50_000)),
];
