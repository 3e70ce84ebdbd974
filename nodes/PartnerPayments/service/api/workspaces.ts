import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import { requestOf, type Client } from './client';
import {
	anyRecord,
	identifier,
	list,
	record,
	recordList,
	recordThat,
	type ResponseReader,
} from './responseReaders';

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

/** A workspace, with its `vendor_invite_url`; `workspaceId` is a UUID. */
export async function getWorkspace(client: Client, workspaceId: string): Promise<IDataObject> {
	const isWorkspace = (found: IDataObject): boolean =>
		identifier(found) !== undefined || found.vendor_invite_url !== undefined;
	return await client.send(
		workspaceRequest('get the workspace', workspaceId),
		recordThat('workspace', 'a workspace', isWorkspace),
	);
}

/** The address where vendors sign up for a workspace, exactly as the service gives it; `workspaceId` is a UUID. */
export async function getInviteLink(client: Client, workspaceId: string): Promise<string> {
	const read = (body: unknown): string | undefined => {
		const { vendor_invite_url: url } = record(body, 'workspace');
		return typeof url === 'string' && url !== '' ? url : undefined;
	};
	const request = workspaceRequest('get the invite link', workspaceId);
	return await client.send(request, { expected: 'an invite link', read });
}

const workspaceRequest = (task: string, workspaceId: string): ServiceRequest =>
	requestOf('safe', task, '/workspace/{id}', { id: workspaceId });

export type PartnerInvitation = components['schemas']['PartnerInvitation'];

/** A vendor as the workspace sees it; `workspaceId` is a UUID. */
export async function getPartner(
	client: Client,
	workspaceId: string,
	partnerId: string,
): Promise<IDataObject> {
	const values = { id: workspaceId, partnerId };
	return await client.send(
		requestOf('safe', 'get the partner', '/workspace/{id}/partner/{partnerId}', values),
		recordThat('partner', "the partner's status", ({ status }) => typeof status === 'string'),
	);
}

/** Invites vendors in one request; gives what the service says of each in their order, empty for nothing. */
export async function invitePartners(
	client: Client,
	workspaceId: string,
	invites: PartnerInvitation[],
): Promise<IDataObject[]> {
	const task = invites.length === 1 ? 'invite the partner' : `invite ${invites.length} partners`;
	const read = (body: unknown): IDataObject[] => {
		const answers = list(body, 'invites');
		return answers?.length === invites.length ? answers : invites.map(() => ({}));
	};
	const values = { id: workspaceId };
	const template = '/workspace/{id}/partner/invite';
	const request = requestOf('nonIdempotent', task, template, values, { invites });
	return await client.send(request, { expected: 'invitations', read });
}
