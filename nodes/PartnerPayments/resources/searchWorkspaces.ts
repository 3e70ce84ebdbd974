import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { connect } from '../service/service';
import { getCurrentUserWorkspaces } from '../service/users';

const NO_LIST = 'Client credentials have no list of workspaces: choose By ID or By Invite URL';

/**
 * The workspaces of the connected user, for the list of the Workspace field.
 *
 * @param filter what the user typed; a part of a name or ID in any case
 */
export async function searchWorkspaces(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	if (this.getCurrentNodeParameter('authentication') !== 'oAuth2') {
		return { results: [{ name: NO_LIST, value: '' }] };
	}
	const workspaces = await getCurrentUserWorkspaces(await connect(this, 'oAuth2'));
	const wanted = filter.trim().toLowerCase();
	const results = workspaces
		.flatMap(({ id, display_name: name }) =>
			typeof id === 'string' ? { name: typeof name === 'string' ? name : id, value: id } : [],
		)
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results };
}
