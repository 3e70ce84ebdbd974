import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import type { Client } from './client';
import { requestOf } from './requests';
import { anyRecord, recordList, type ResponseReader } from './responseReaders';

/** What to do where only a connected user gets an answer. */
const NO_USER = 'Client credentials belong to no user: choose an OAuth2 credential';

/** The user who connected the account. */
export async function getCurrentUser(client: Client): Promise<IDataObject> {
	const request = requestOf('safe', 'get the user', '/user/current');
	return await sendAsUser(client, request, anyRecord('user'));
}

/** The workspaces of the user, each with the user's role in it. */
export async function getCurrentUserWorkspaces(client: Client): Promise<IDataObject[]> {
	const request = requestOf('safe', "get the user's workspaces", '/user/current/workspaces');
	return await sendAsUser(client, request, recordList('data', 'a list of workspaces'));
}

/** The service refuses client credentials here: its refusal becomes what to do instead. */
async function sendAsUser<Value>(
	client: Client,
	request: ServiceRequest,
	reader: ResponseReader<Value>,
): Promise<Value> {
	return await client.send(request, reader).catch((error: unknown) => {
		const isExpected = error instanceof ServiceError && error.status === 403;
		if (!isExpected || client.authentication === 'oAuth2') throw error;
		throw new ServiceError({ ...error.options, message: NO_USER, hint: error.message });
	});
}
