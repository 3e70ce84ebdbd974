import type { IDataObject } from 'n8n-workflow';

import type { Call } from '../http/request';
import { ServiceError, unreadable } from '../http/errors';
import { list, record } from './responseReaders';
import type { Answer, Service } from './client';

/** What to do where only a connected user gets an answer. */
export const NO_USER =
	'Client credentials belong to no user: choose an OAuth2 credential, or name the workspace by ID or invite URL';

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

/** The service refuses client credentials here: its refusal becomes what to do instead. */
async function sendAsUser(service: Service, call: Call): Promise<Answer> {
	return await service.send(call).catch((error: unknown) => {
		const isExpected = error instanceof ServiceError && error.status === 403;
		if (!isExpected || service.authentication === 'oAuth2') throw error;
		throw new ServiceError(NO_USER, error.message, 'refused', 403);
	});
}
