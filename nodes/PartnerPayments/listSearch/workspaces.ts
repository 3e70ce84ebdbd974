import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isRecord, stringOrEmpty } from '../shared/typeGuards';
import { Client } from '../api/client';
import { getCurrentUserWorkspaces } from '../api/endpoints';

/** Only its beginning fits into the list. */
const NO_LIST =
	'Choose By ID or By URL: client credentials belong to no user, whose workspaces could be listed';

/** The workspaces of the connected user, for the list of the Workspace field. */
export async function searchWorkspaces(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	if (this.getCurrentNodeParameter('authentication') !== 'oAuth2') {
		return { results: [{ name: NO_LIST, value: '' }] };
	}
	const workspaces = await getCurrentUserWorkspaces(
		await Client.connect(this, 'partnerPaymentsOAuth2Api'),
	);
	const wanted = filter.trim().toLowerCase();
	const results = workspaces
		.flatMap(listed)
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results };
}

/** A workspace as the list shows it; one without an ID cannot be chosen. */
function listed(workspace: IDataObject): Array<INodeListSearchItems & { value: string }> {
	const { id, display_name: name, role, vendor_invite_url: url } = workspace;
	if (typeof id !== 'string') {
		return [];
	}
	const roleName = stringOrEmpty(isRecord(role) && role.display_name);
	const label = `${stringOrEmpty(name) || id}${roleName && ` (${roleName})`}`;
	return [{ name: label, value: id, ...(typeof url === 'string' && { url }) }];
}
