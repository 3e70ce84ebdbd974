import type { IDataObject } from 'n8n-workflow';

import type { Call } from './call';
import { ServiceError, unreadable } from './errors';
import { list, record } from './openShapes';
import type { Answer, Service } from './service';

const NEEDS_USER =
	'Only a connected user has this. Choose the OAuth2 authentication in the node and connect an account, since client credentials belong to no user.';

/** The user who connected the account. */
export async function getCurrentUser(service: Service): Promise<IDataObject> {
	const call: Call = {
		method: 'GET',
		path: '/user/current',
		task: 'get the user',
		effect: 'reads',
	};
	return record((await sendAsUser(service, call)).body, 'user');
}

/** The workspaces of the user, each with the user's role in it. */
export async function getCurrentUserWorkspaces(service: Service): Promise<IDataObject[]> {
	const call: Call = {
		method: 'GET',
		path: '/user/current/workspaces',
		task: "get the user's workspaces",
		effect: 'reads',
	};
	const answer = await sendAsUser(service, call);
	const workspaces = list(answer.body, 'data');
	if (workspaces === undefined) throw unreadable(call, 'a list of workspaces', answer.status);
	return workspaces;
}

/** The service refuses client credentials here; its refusal becomes the advice that helps. */
async function sendAsUser(service: Service, call: Call): Promise<Answer> {
	return await service.send(call).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || error.status !== 403) throw error;
		throw new ServiceError(error.message, NEEDS_USER, 'refused', 403);
	});
}
