import { joinByMagic } from '../domain/vendor-lifecycle';
import { ensurePartner, findPartner, invitePartner, presentPartner } from '../domain/partners';
import { workspaceOf } from '../domain/access';
import { notFound } from '../shared/errors';
import type { Handler } from './handler';

export const getPartner: Handler<'getPartner'> = ({ caller, path }, network) => {
	const workspace = workspaceOf(network, caller, path.id);
	const partner = findPartner(network, workspace.id, path.partnerId);
	if (partner === undefined) throw notFound('partner', path.partnerId);
	return presentPartner(partner);
};

export const invitePartners: Handler<'invitePartners'> = ({ caller, path, body }, network) => {
	const workspace = workspaceOf(network, caller, path.id);
	return {
		invites: body.invites.map(({ payee_email, payee_business_name }) => {
			invitePartner(network, workspace, payee_email, payee_business_name ?? null);
			joinByMagic(network, workspace.id, payee_email);
			const partner = ensurePartner(network, workspace.id, payee_email, null);
			return {
				payee_email,
				...(payee_business_name === undefined ? {} : { payee_business_name }),
				partner_id: partner.id,
				status: partner.status,
			};
		}),
	};
};
