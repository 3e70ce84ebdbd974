import type { operations } from '../../contract/service';

/** What the sandbox holds before the operations run; each case may add what later ones need. */
export interface World {
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
	resource: string;
	operation: string;
	authentication?: 'clientCredentials' | 'oAuth2';
	parameters: (world: World) => Record<string, unknown>;
	request: (world: World) => { method: 'GET' | 'POST'; path: string; body?: unknown };
	/** What the first item that comes out must hold. */
	output: (world: World) => Record<string, unknown>;
}

const id = (value: string) => ({ __rl: true, mode: 'id', value });
const inviteUrl = (value: string) => ({
	__rl: true,
	mode: 'url',
	value: `https://signup.example.com/join?bsp_tag=spring&invitationId=${value}`,
});

/** Every operation once, with its parameters as the editor stores them. */
export const CASES: OperationCase[] = [
	{
		endpoint: 'getCurrentUser',
		resource: 'user',
		operation: 'get',
		authentication: 'oAuth2',
		parameters: () => ({}),
		request: () => ({ method: 'GET', path: '/user/current' }),
		output: () => ({ id: expect.any(String), first_name: expect.any(String) }),
	},
	{
		endpoint: 'getCurrentUserWorkspaces',
		resource: 'user',
		operation: 'getWorkspaces',
		authentication: 'oAuth2',
		parameters: () => ({}),
		request: () => ({ method: 'GET', path: '/user/current/workspaces' }),
		output: () => ({
			id: expect.any(String),
			role: { id: expect.any(String), display_name: expect.any(String) },
		}),
	},
	{
		endpoint: 'getWorkspace',
		resource: 'workspace',
		operation: 'get',
		parameters: ({ workspaceId }) => ({ workspaceId: inviteUrl(workspaceId) }),
		request: ({ workspaceId }) => ({ method: 'GET', path: `/workspace/${workspaceId}` }),
		output: ({ workspaceId }) => ({
			id: workspaceId,
			vendor_invite_url: expect.stringContaining(`invitationId=${workspaceId}`),
		}),
	},
	{
		endpoint: 'getWorkspace',
		resource: 'workspace',
		operation: 'getInviteLink',
		parameters: ({ workspaceId }) => ({ workspaceId: id(workspaceId) }),
		request: ({ workspaceId }) => ({ method: 'GET', path: `/workspace/${workspaceId}` }),
		output: ({ workspaceId }) => ({
			workspace_id: workspaceId,
			vendor_invite_url: expect.stringContaining(workspaceId),
		}),
	},
	{
		endpoint: 'getPartner',
		resource: 'partner',
		operation: 'get',
		parameters: ({ workspaceId, partnerId }) => ({ workspaceId: id(workspaceId), partnerId }),
		request: ({ workspaceId, partnerId }) => ({
			method: 'GET',
			path: `/workspace/${workspaceId}/partner/${partnerId}`,
		}),
		output: ({ partnerId }) => ({ id: partnerId, status: 'verified' }),
	},
	{
		endpoint: 'invitePartners',
		resource: 'partner',
		operation: 'invite',
		parameters: ({ workspaceId }) => ({
			workspaceId: id(workspaceId),
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
		resource: 'payable',
		operation: 'create',
		parameters: ({ workspaceId }) => ({
			workspaceId: id(workspaceId),
			payeeIdentifiedBy: 'email',
			payeeEmail: 'dora@example.com',
			amount: '19.99',
			amountUnit: 'major',
			description: 'Two edits',
			dueDate: '2027-03-01T09:00:00',
			sendInvite: true,
			lineItems: {
				item: [
					{ amount: '15', description: 'First edit' },
					{ amount: '4.99', description: 'Second edit' },
				],
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
		resource: 'payable',
		operation: 'approve',
		parameters: ({ draftId }) => ({ payableId: draftId }),
		request: ({ draftId }) => ({ method: 'POST', path: `/payable/${draftId}/approve` }),
		output: ({ draftId }) => ({ id: draftId, status: 'approved' }),
	},
	{
		endpoint: 'createFunding',
		resource: 'funding',
		operation: 'create',
		parameters: ({ workspaceId, approvedId }) => ({
			workspaceId: id(workspaceId),
			method: 'balance',
			amount: '1000',
			payableIds: approvedId,
			description: 'One payout',
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
		resource: 'funding',
		operation: 'getInvoicePdf',
		parameters: ({ invoiceFundingId }) => ({
			fundingId: invoiceFundingId,
			download: true,
			binaryPropertyName: 'invoice',
		}),
		request: ({ invoiceFundingId }) => ({
			method: 'GET',
			path: `/funding/${invoiceFundingId}/pdf-url`,
		}),
		output: ({ invoiceFundingId }) => ({
			id: invoiceFundingId,
			pdf_url: expect.stringMatching(/^http.*\.pdf$/),
		}),
	},
	{
		endpoint: 'getDeposits',
		resource: 'deposit',
		operation: 'getAll',
		parameters: ({ workspaceId }) => ({ workspaceId: id(workspaceId), returnAll: true }),
		request: ({ workspaceId }) => ({
			method: 'GET',
			path: `/workspace/${workspaceId}/wallet/deposit`,
		}),
		output: ({ depositId }) => ({ id: depositId }),
	},
	{
		endpoint: 'linkDeposit',
		resource: 'funding',
		operation: 'linkDeposit',
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
		resource: 'deposit',
		operation: 'simulate',
		parameters: ({ workspaceId }) => ({
			workspaceId: id(workspaceId),
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
		resource: 'wallet',
		operation: 'get',
		parameters: ({ workspaceId }) => ({ workspaceId: id(workspaceId) }),
		request: ({ workspaceId }) => ({ method: 'GET', path: `/workspace/${workspaceId}/wallet` }),
		output: () => ({
			balance: expect.any(Number),
			account_number: expect.any(String),
			routing_number: expect.any(String),
		}),
	},
	{
		endpoint: 'createWebhookSubscription',
		resource: 'webhookSubscription',
		operation: 'create',
		parameters: ({ workspaceId }) => ({
			workspaceId: id(workspaceId),
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
