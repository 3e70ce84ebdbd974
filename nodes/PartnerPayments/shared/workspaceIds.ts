import { excerpt, throwInputError } from './errors';
import { readLocatorValue, readText } from './fieldReaders';
import { isEmpty } from './typeGuards';

/** What the ID of a workspace looks like, as a part of regular expressions. */
export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const WORKSPACE_ID = new RegExp(`^${UUID}$`);
const INVITE_URL = new RegExp(`^https?://.*[?&]invitationId=(${UUID})`);

/** A workspace as a node and its credential name it. */
interface WorkspaceSource {
	/** The value of the Workspace field. */
	value: unknown;
	/** The field as it is set up. */
	written: unknown;
	/** The default of the credential. */
	fallback: unknown;
}

/**
 * Reads the ID of the Workspace field. The field has no regular expressions for n8n to check it with:
 * n8n runs those before every execution, and on a busy machine refuses to start one after 250 ms.
 *
 * The fallback is for a field that was left empty, not for an expression that yields nothing.
 */
export function readWorkspaceId({ value, written, fallback }: WorkspaceSource): string {
	const isDefault = isEmpty(readLocatorValue(written)) && !isEmpty(fallback);
	const subject = isDefault ? 'Default Workspace ID' : 'Workspace';
	const id = readText(isDefault ? fallback : readLocatorValue(value), subject) ?? '';
	if (id === '') {
		const hint = isEmpty(fallback)
			? 'Choose it, or set a default in the credential.'
			: 'Correct its expression, or leave the field itself empty: only then, the default of the credential counts.';
		throwInputError('Workspace is empty', hint);
	}
	if (WORKSPACE_ID.test(id)) {
		return id;
	}
	const [, invited] = INVITE_URL.exec(id) ?? [];
	if (invited !== undefined) {
		return invited;
	}
	return throwInputError(
		`${subject} "${excerpt(id)}" is not a workspace ID`,
		isDefault
			? 'Enter the UUID of the workspace in the credential.'
			: 'Enter the UUID of the workspace, or choose By URL and enter its invite URL.',
	);
}
