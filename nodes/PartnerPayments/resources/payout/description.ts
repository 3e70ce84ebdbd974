/**
 * A description that names the unique references of what it describes, so that a person can find it
 * in the service; undefined when there is nothing to say.
 */
export function withReferences(
	description: string | undefined,
	references: string[],
): string | undefined {
	const names = references.join(', ');
	if (description === undefined || names === '') return description ?? (names || undefined);
	return `${description} (${names})`;
}
