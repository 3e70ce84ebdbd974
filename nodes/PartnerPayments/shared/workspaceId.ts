import { InputError } from './inputError';
import { excerpt, readText } from './values';

/** What the ID of a workspace looks like, as a part of regular expressions. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const WORKSPACE_ID = new RegExp(`^${UUID}$`);
const INVITE_URL = new RegExp(`^https?://.*[?&]invitationId=(${UUID})`);

/**
 * Reads the ID of the Workspace field. The field has no regular expressions for n8n to check it with:
 * n8n runs those before every execution, and on a busy machine refuses to start one after 250 ms.
 */
export function readWorkspaceId(value: unknown): string {
	const id = readText(value, 'Workspace') ?? '';
	if (id === '') throw new InputError('Workspace is empty', 'Choose the workspace that pays.');
	if (WORKSPACE_ID.test(id)) return id;
	const [, invited] = INVITE_URL.exec(id) ?? [];
	if (invited !== undefined) return invited;
	throw new InputError(
		`Workspace "${excerpt(id)}" is not a workspace ID`,
		'Enter the UUID of the workspace, or choose By URL and enter its invite URL.',
	);
}
