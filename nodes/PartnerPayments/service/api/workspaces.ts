import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../http/request';
import type { Client } from './client';
import { requestOf } from './requests';
import { identifier, record, recordThat } from './responseReaders';

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
