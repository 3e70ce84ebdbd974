import type { operations } from '../../../contract/service';
import { byId } from '../../../tools/n8n';

/** Ids of what the sandbox holds before the operations are executed. */
export interface SandboxIds {
	workspaceId: string;
	partnerId: string;
	draftId: string;
	approvedId: string;
	invoiceFundingId: string;
	depositId: string;
}

/** One operation of the node, and the request that it must send. */
export interface OperationCase {
	endpoint: keyof operations;
	/** Resource and operation, with a dot between. */
	name: string;
	authentication?: 'clientCredentials' | 'oAuth2';
	parameters: (ids: SandboxIds) => Record<string, unknown>;
	request: (ids: SandboxIds) => { method: 'GET' | 'POST'; path: string; body?: unknown };
	/** What the first item that comes out must hold. */
	output: (ids: SandboxIds) => Record<string, unknown>;
}

const get = (path: string) => ({ method: 'GET', path }) as const;
const inviteUrl = (value: string) => ({
	__rl: true,
	mode: 'url',
	value: `https://signup.example.com/join?bsp_tag=spring&invitationId=${value}`,
});

/** Every operation once, with its parameters as the editor stores them. */
export const OPERATION_CASES: OperationCase[] = [
	{
		endpoint: 'getCurrentUser',
		name: 'user.get',
		authentication: 'oAuth2',
		parameters: () => ({}),
		request: () => get('/user/current'),
		output: () => ({ id: expect.any(String), first_name: expect.any(String) }),
	},
	{
		endpoint: 'getCurrentUserWorkspaces',
		name: 'user.getWorkspaces',
		authentication: 'oAuth2',
		parameters: () => ({}),
		request: () => get('/user/current/workspaces'),
		output: () => ({
			id: expect.any(String),
			role: { id: expect.any(String), display_name: expect.any(String) },
		}),
	},
	{
		endpoint: 'getWorkspace',
		name: 'workspace.get',
		parameters: ({ workspaceId }) => ({ workspaceId: inviteUrl(workspaceId) }),
		request: ({ workspaceId }) => get(`/workspace/${workspaceId}`),
		output: ({ workspaceId }) => ({
			id: workspaceId,
			vendor_invite_url: expect.stringContaining(`invitationId=${workspaceId}`),
		}),
	},
	{
		endpoint: 'getWorkspace',
		name: 'workspace.getInviteLink',
		parameters: ({ workspaceId }) => ({ workspaceId: byId(workspaceId) }),
		request: ({ workspaceId }) => get(`/workspace/${workspaceId}`),
		output: ({ workspaceId }) => ({
			workspace_id: workspaceId,
			vendor_invite_url: expect.stringContaining(workspaceId),
		}),
	},
	{
		endpoint: 'getPartner',
		name: 'partner.get',
		parameters: ({ workspaceId, partnerId }) => ({ workspaceId: byId(workspaceId), partnerId }),
		request: ({ workspaceId, partnerId }) => get(`/workspace/${workspaceId}/partner/${partnerId}`),
		output: ({ partnerId }) => ({ id: partnerId, status: 'verified' }),
	},
	{
		endpoint: 'invitePartners',
		name: 'partner.invite',
		parameters: ({ workspaceId }) => ({
			workspaceId: byId(workspaceId),
			payeeEmail: 'dora@example.com',
			payeeBusinessName: 'Dora Films',
		}),
		request: ({ workspaceId }) => ({
			method: 'POST',
			path: `/workspace/${workspaceId}/partner/invite`,
			body: { invites: [{ payee_email: 'dora@example.com', payee_business_name: 'Dora Films' }] },
		}),
		output: () => ({ payee_email: 'dora@example.com', payee_business_name: 'Dora Films' }),
	},
	{
		endpoint: 'createPayable',
		name: 'payable.create',
		parameters: ({ workspaceId }) => ({
			workspaceId: byId(workspaceId),
			payeeIdentifiedBy: 'email',
			payeeEmail: 'dora@example.com',
			amount: '19.99',
			amountUnit: 'major',
			payableDescription: 'Two edits',
			options: {
				dueDate: '2027-03-01T09:00:00',
				sendInvite: true,
				lineItems: {
					item: [
						{ amount: '15', description: 'First edit' },
						{ amount: '4.99', description: 'Second edit' },
					],
				},
			},
		}),
		request: ({ workspaceId }) => ({
			method: 'POST',
			path: '/payable',
			body: {
				workspace_id: workspaceId,
				payee_email: 'dora@example.com',
				amount: 1999,
				amount_denomination: 'us_cents',
				description: 'Two edits',
				// n8n's default time zone is New York's.
				due_date: '2027-03-01T14:00:00.000Z',
				send_invite: true,
				line_items: [
					{ amount: 1500, description: 'First edit' },
					{ amount: 499, description: 'Second edit' },
				],
			},
		}),
		output: () => ({ id: expect.any(String), amount: 1999 }),
	},
	{
		endpoint: 'approvePayable',
		name: 'payable.approve',
		parameters: ({ draftId }) => ({ payableId: draftId }),
		request: ({ draftId }) => ({ method: 'POST', path: `/payable/${draftId}/approve` }),
		output: ({ draftId }) => ({ id: draftId, status: 'approved' }),
	},
	{
		endpoint: 'createFunding',
		name: 'funding.create',
		parameters: ({ workspaceId, approvedId }) => ({
			workspaceId: byId(workspaceId),
			method: 'balance',
			amount: '1000',
			payableIds: approvedId,
			fundingDescription: 'One payout',
		}),
		request: ({ workspaceId, approvedId }) => ({
			method: 'POST',
			path: '/funding',
			body: {
				workspace_id: workspaceId,
				method: 'balance',
				amount: 1000,
				amount_denomination: 'us_cents',
				description: 'One payout',
				payable_ids: [approvedId],
			},
		}),
		output: () => ({ id: expect.any(String), amount: 1000 }),
	},
	{
		endpoint: 'getFundingInvoicePdfUrl',
		name: 'funding.getInvoicePdf',
		parameters: ({ invoiceFundingId }) => ({
			fundingId: invoiceFundingId,
			download: true,
			binaryPropertyName: 'invoice',
		}),
		request: ({ invoiceFundingId }) => get(`/funding/${invoiceFundingId}/pdf-url`),
		output: ({ invoiceFundingId }) => ({
			id: invoiceFundingId,
			pdf_url: expect.stringMatching(/^http.*\.pdf$/),
		}),
	},
	{
		endpoint: 'getDeposits',
		name: 'deposit.getAll',
		parameters: ({ workspaceId }) => ({ workspaceId: byId(workspaceId), returnAll: true }),
		request: ({ workspaceId }) => get(`/workspace/${workspaceId}/wallet/deposit`),
		output: ({ depositId }) => ({ id: depositId }),
	},
	{
		endpoint: 'linkDeposit',
		name: 'funding.linkDeposit',
		parameters: ({ invoiceFundingId, depositId }) => ({ fundingId: invoiceFundingId, depositId }),
		request: ({ invoiceFundingId, depositId }) => ({
			method: 'POST',
			path: `/funding/${invoiceFundingId}/link-deposit`,
			body: { deposit_id: depositId },
		}),
		output: ({ invoiceFundingId, depositId }) => ({ id: invoiceFundingId, deposit_id: depositId }),
	},
	{
		endpoint: 'simulateDeposit',
		name: 'deposit.simulate',
		parameters: ({ workspaceId }) => ({
			workspaceId: byId(workspaceId),
			amount: '50.00',
			amountUnit: 'major',
			options: { additionalFields: '{ "reference": "wire 7" }' },
		}),
		request: ({ workspaceId }) => ({
			method: 'POST',
			path: `/workspace/${workspaceId}/wallet/deposit`,
			body: { reference: 'wire 7', amount: 5000, amount_denomination: 'us_cents' },
		}),
		output: () => ({ id: expect.any(String), amount: 5000 }),
	},
	{
		endpoint: 'getWallet',
		name: 'wallet.get',
		parameters: ({ workspaceId }) => ({ workspaceId: byId(workspaceId) }),
		request: ({ workspaceId }) => get(`/workspace/${workspaceId}/wallet`),
		output: () => ({
			balance: expect.any(Number),
			account_number: expect.any(String),
			routing_number: expect.any(String),
		}),
	},
	{
		endpoint: 'createWebhookSubscription',
		name: 'webhookSubscription.create',
		parameters: ({ workspaceId }) => ({
			workspaceId: byId(workspaceId),
			url: 'https://hooks.example.com/payments',
			events: ['payablePaid', 'partnerStatusChanged'],
		}),
		request: ({ workspaceId }) => ({
			method: 'POST',
			path: `/workspace/${workspaceId}/webhook-subscription`,
			body: {
				url: 'https://hooks.example.com/payments',
				events: ['partner.status_changed', 'payable.paid'],
			},
		}),
		output: () => ({ id: expect.any(String), url: 'https://hooks.example.com/payments' }),
	},
];
