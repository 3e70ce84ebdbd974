import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { path } from '../http/url';
import type { Call } from '../http/request';
import { unreadable } from '../http/errors';
import { list, record } from './responseReaders';
import type { Service } from './client';

export type PartnerInvitation = components['schemas']['PartnerInvitation'];

/**
 * A vendor as the workspace sees it.
 *
 * @param workspaceId UUID
 */
export async function getPartner(
	service: Service,
	workspaceId: string,
	partnerId: string,
): Promise<IDataObject> {
	const call: Call = {
		method: 'GET',
		path: path('/workspace/{id}/partner/{partnerId}', { id: workspaceId, partnerId }),
		task: 'get the partner',
		effect: 'reads',
	};
	const answer = await service.send(call);
	const partner = record(answer.body, 'partner');
	if (typeof partner.status !== 'string')
		throw unreadable(call, "the partner's status", answer.status);
	return partner;
}

/**
 * Invites vendors by e-mail, all in one call.
 *
 * @param workspaceId UUID
 * @returns what the service says of each invitation, in their order; empty records when it says
 *   nothing of single ones
 */
export async function invitePartners(
	service: Service,
	workspaceId: string,
	invites: PartnerInvitation[],
): Promise<IDataObject[]> {
	const answer = await service.send({
		method: 'POST',
		path: path('/workspace/{id}/partner/invite', { id: workspaceId }),
		task: invites.length === 1 ? 'invite the partner' : `invite ${invites.length} partners`,
		effect: 'creates',
		body: { invites },
	});
	const said = list(answer.body, 'invites') ?? [];
	return said.length === invites.length ? said : invites.map(() => ({}));
}
