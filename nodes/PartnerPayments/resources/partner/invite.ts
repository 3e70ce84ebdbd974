import { invitePartners, type PartnerInvitation } from '../../api/endpoints';
import { optionsField, payeeEmailField, textField, workspaceField } from '../../shared/fields';
import { batchOperation } from '../../execution/operation';

export const invite = batchOperation({
	name: 'Invite',
	value: 'invite',
	action: 'Invite partner',
	description: 'Invite vendors by e-mail. Many input items travel in one request.',
	isNonIdempotent: true,
	fields: [
		workspaceField,
		payeeEmailField,
		textField('Payee Business Name', 'payeeBusinessName', {
			placeholder: 'e.g. Ana Ruiz Studio',
		}),
		optionsField([
			{
				displayName: 'Invites per Request',
				name: 'invitesPerRequest',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'How many invitations travel in one request at most',
			},
		]),
	],
	read: (item) => {
		const businessName = item.optionalText('payeeBusinessName', 'Payee Business Name');
		const invitation: PartnerInvitation = {
			payee_email: item.email('payeeEmail', 'Payee Email'),
			...(businessName !== undefined && { payee_business_name: businessName }),
		};
		return {
			workspaceId: item.workspaceId(),
			invitesPerRequest: item.count('options.invitesPerRequest', 'Invites per Request', 100),
			invitation,
		};
	},
	batchKey: ({ workspaceId }) => workspaceId,
	maxBatchSize: ({ invitesPerRequest }) => invitesPerRequest,
	send: async ({ client }, inputs, workspaceId) => {
		const invitations = inputs.map(({ invitation }) => invitation);
		const answers = await invitePartners(client, workspaceId, invitations);
		return invitations.map((invitation, position) => ({
			json: { ...invitation, ...answers[position] },
		}));
	},
});
