import { invitePartners, type PartnerInvitation } from '../../api/endpoints';
import { countField, optionsField, textField, workspaceField } from '../../shared/fields';
import type { ItemParameters } from '../../execution/itemParameters';
import { readAll, type Operation } from '../../execution/operation';
import { chunk, groupBy } from '../../shared/lists';

export const invite: Operation = {
	name: 'Invite',
	value: 'invite',
	action: 'Invite partner',
	description: 'Invite vendors by email. One request invites many.',
	isNonIdempotent: true,
	fields: [
		workspaceField,
		textField('Payee Email', 'payeeEmail', {
			required: true,
			placeholder: 'e.g. name@example.com',
			description: "The vendor's email address",
		}),
		optionsField([
			textField('Payee Business Name', 'payeeBusinessName', {
				placeholder: 'e.g. Ana Ruiz Studio',
			}),
			countField('Invites per Request', 'invitesPerRequest', {
				default: 100,
				description: 'The maximum number of invitations in one request',
			}),
		]),
	],
	plan: async (items, reject) => {
		const entries = await readAll(items, readInvitation, reject);
		const byWorkspace = groupBy(entries, ({ input }) => input.workspaceId);
		const batches = byWorkspace.flatMap((group) =>
			chunk(group, Math.min(...group.map(({ input }) => input.invitesPerRequest))),
		);
		return batches.map((batch) => ({
			items: batch.map(({ item }) => item),
			run: async ({ client }) => {
				const { workspaceId } = batch[0].input;
				const invitations = batch.map(({ input }) => input.invitation);
				const answers = await invitePartners(client, workspaceId, invitations);
				return batch.map(({ item, input }, position) => ({
					item,
					output: { json: { ...input.invitation, ...answers[position] } },
				}));
			},
		}));
	},
};

function readInvitation(item: ItemParameters) {
	const businessName = item.optionalText('options.payeeBusinessName', 'Payee Business Name');
	const invitation: PartnerInvitation = {
		payee_email: item.email('payeeEmail', 'Payee Email'),
		...(businessName !== undefined && { payee_business_name: businessName }),
	};
	const invitesPerRequest = item.count('options.invitesPerRequest', 'Invites per Request', 100);
	return { workspaceId: item.workspaceId(), invitesPerRequest, invitation };
}
