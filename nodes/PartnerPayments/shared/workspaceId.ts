import { InputError } from './inputError';
import { excerpt, readText } from './values';

/** What the ID of a workspace looks like, as a part of regular expressions. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const WORKSPACE_ID = new RegExp(`^${UUID}$`);

/**
 * Reads the ID of the Workspace field.
 *
 * @param value what the field holds, the ID already taken out of an invite URL
 * @throws InputError when it is empty or no UUID
 */
export function readWorkspaceId(value: unknown): string {
	const id = readText(value, 'Workspace') ?? '';
	if (id === '') throw new InputError('Workspace is empty', 'Choose the workspace that pays.');
	if (WORKSPACE_ID.test(id)) return id;
	throw new InputError(
		`Workspace "${excerpt(id)}" is not a workspace ID`,
		'Enter the UUID of the workspace, or choose By URL and enter its invite URL.',
	);
}
