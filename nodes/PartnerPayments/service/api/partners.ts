import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import type { Client } from './client';
import { requestOf } from './requests';
import { list, recordThat } from './responseReaders';

/** One vendor to invite, as the service takes it. */
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

/**
 * Invites vendors by e-mail, all in one request.
 *
 * @returns what the service says of each invitation, in their order; empty records when it says
 *   nothing of single ones
 */
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
