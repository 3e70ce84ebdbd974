import type { IDataObject } from 'n8n-workflow';

import { path } from '../http/url';
import type { Call } from '../http/request';
import { unreadable } from '../http/errors';
import { identifier, record } from './responseReaders';
import type { Service } from './client';

/**
 * A workspace, with its `vendor_invite_url`.
 *
 * @param workspaceId UUID
 */
export async function getWorkspace(service: Service, workspaceId: string): Promise<IDataObject> {
	const call = workspaceCall(workspaceId, 'get the workspace');
	const answer = await service.send(call);
	const workspace = record(answer.body, 'workspace');
	if (identifier(workspace) === undefined && workspace.vendor_invite_url === undefined) {
		throw unreadable(call, 'a workspace', answer.status);
	}
	return workspace;
}

/**
 * The address where vendors sign up for a workspace, exactly as the service gives it.
 *
 * @param workspaceId UUID
 */
export async function getInviteLink(service: Service, workspaceId: string): Promise<string> {
	const { vendor_invite_url: url } = await getWorkspace(service, workspaceId);
	if (typeof url === 'string' && url !== '') return url;
	throw unreadable(workspaceCall(workspaceId, 'get the invite link'), 'an invite link', 200);
}

function workspaceCall(workspaceId: string, task: string): Call {
	return {
		method: 'GET',
		path: path('/workspace/{id}', { id: workspaceId }),
		task,
		effect: 'reads',
	};
}
