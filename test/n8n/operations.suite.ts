import type { operations } from '../../contract/service';
import type { Sandbox } from '../../sandbox/client';
import {
	byEmail,
	byId,
	type Credential,
	NODE_UNDER_TEST,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import type { RequestingOperation } from '../engine/operationCases';
import { callsOf } from '../sandbox/fixture';
import type { Fixture } from './support/fixture';

/** IDs of what the sandbox holds before the operations are executed. */
type SandboxIds = Awaited<ReturnType<typeof prepare>>;

/** One operation of the node, and the one request that it must send. */
interface OperationCase {
	endpoint: keyof operations;
	/** Without that of the API. */
	path: string;
	/** Beside the workspace, as the editor stores them. */
	parameters?: Record<string, unknown>;
	body?: object;
	/** What the first item that comes out must hold. */
	output: Record<string, unknown>;
}

const DORA = { payee_email: 'dora@example.com', payee_business_name: 'Dora Films' };
const HOOK = 'https://hooks.example.com/payments';
const denomination = { amount_denomination: 'us_cents' };
const id: unknown = expect.any(String);

/** Every operation once, which the compiler sees to; those of a user are executed with OAuth2. */
const OPERATIONS: Record<RequestingOperation, (ids: SandboxIds) => OperationCase> = {
	'user.get': () => ({
		endpoint: 'getCurrentUser',
		path: '/user/current',
		output: { id, first_name: id },
	}),
	'user.getWorkspaces': () => ({
		endpoint: 'getCurrentUserWorkspaces',
		path: '/user/current/workspaces',
		output: { id, role: { id, display_name: id } },
	}),
	'workspace.get': ({ workspaceId }) => ({
		endpoint: 'getWorkspace',
		path: `/workspace/${workspaceId}`,
		parameters: {
			workspaceId: {
				__rl: true,
				mode: 'url',
				value: `https://signup.example.com/join?bsp_tag=spring&invitationId=${workspaceId}`,
			},
		},
		output: {
			id: workspaceId,
			vendor_invite_url: expect.stringContaining(`invitationId=${workspaceId}`),
		},
	}),
	'workspace.getInviteLink': ({ workspaceId }) => ({
		endpoint: 'getWorkspace',
		path: `/workspace/${workspaceId}`,
		output: {
			workspace_id: workspaceId,
			vendor_invite_url: expect.stringContaining(workspaceId),
		},
	}),
	'partner.get': ({ workspaceId, partnerId }) => ({
		endpoint: 'getPartner',
		path: `/workspace/${workspaceId}/partner/${partnerId}`,
		parameters: { partnerId },
		output: { id: partnerId, status: 'verified' },
	}),
	'partner.invite': ({ workspaceId }) => ({
		endpoint: 'invitePartners',
		path: `/workspace/${workspaceId}/partner/invite`,
		parameters: {
			payeeEmail: DORA.payee_email,
			options: { payeeBusinessName: DORA.payee_business_name },
		},
		body: { invites: [DORA] },
		output: DORA,
	}),
	'payable.create': ({ workspaceId }) => ({
		endpoint: 'createPayable',
		path: '/payable',
		parameters: { payee: byEmail(DORA.payee_email), amount: '19.99' },
		body: {
			workspace_id: workspaceId,
			payee_email: DORA.payee_email,
			amount: 1999,
			...denomination,
			send_invite: false,
		},
		output: { id, amount: 1999 },
	}),
	'payable.approve': ({ draftId }) => ({
		endpoint: 'approvePayable',
		path: `/payable/${draftId}/approve`,
		parameters: { payableId: draftId },
		output: { id: draftId, status: 'approved' },
	}),
	'funding.create': ({ workspaceId, approvedId }) => ({
		endpoint: 'createFunding',
		path: '/funding',
		parameters: {
			method: 'balance',
			amount: '1000',
			payableIds: approvedId,
			options: { amountUnit: 'cents', description: 'One payout' },
		},
		body: {
			workspace_id: workspaceId,
			method: 'balance',
			amount: 1000,
			...denomination,
			description: 'One payout',
			payable_ids: [approvedId],
		},
		output: { id, amount: 1000 },
	}),
	'funding.getInvoicePdf': ({ invoiceFundingId: fundingId }) => ({
		endpoint: 'getFundingInvoicePdfUrl',
		path: `/funding/${fundingId}/pdf-url`,
		parameters: { fundingId },
		output: { id: fundingId, pdf_url: expect.stringMatching(/^http.*\.pdf$/) },
	}),
	'deposit.getAll': ({ workspaceId, depositId }) => ({
		endpoint: 'getDeposits',
		path: `/workspace/${workspaceId}/wallet/deposit`,
		parameters: { returnAll: true },
		output: { id: depositId },
	}),
	'funding.linkDeposit': ({ invoiceFundingId: fundingId, depositId }) => ({
		endpoint: 'linkDeposit',
		path: `/funding/${fundingId}/link-deposit`,
		parameters: { fundingId, depositId },
		body: { deposit_id: depositId },
		output: { id: fundingId, deposit_id: depositId },
	}),
	'deposit.simulate': ({ workspaceId }) => ({
		endpoint: 'simulateDeposit',
		path: `/workspace/${workspaceId}/wallet/deposit`,
		parameters: {
			amount: '50.00',
			options: { additionalFields: '{ "reference": "wire 7" }' },
		},
		body: { reference: 'wire 7', amount: 5000, ...denomination },
		output: { id, amount: 5000 },
	}),
	'wallet.get': ({ workspaceId }) => ({
		endpoint: 'getWallet',
		path: `/workspace/${workspaceId}/wallet`,
		output: { balance: expect.any(Number), account_number: id, routing_number: id },
	}),
	'webhookSubscription.create': ({ workspaceId }) => ({
		endpoint: 'createWebhookSubscription',
		path: `/workspace/${workspaceId}/webhook-subscription`,
		parameters: { url: HOOK, events: ['payablePaid', 'partnerStatusChanged'] },
		body: { url: HOOK, events: ['partner.status_changed', 'payable.paid'] },
		output: { id, url: HOOK },
	}),
};

/** Tests every operation once; returns what they work with, for more tests. */
export function testOperations(fixture: () => Fixture) {
	let prepared: {
		ids: SandboxIds;
		credentials: Record<'clientCredentials' | 'oAuth2', Credential>;
	};

	beforeAll(async () => {
		const { createClient, createUser, sandbox } = fixture();
		const { successStatus } = await sandbox.control.settings();
		await sandbox.control.setSettings({ successStatus: '200' });
		const ids = await prepare(sandbox);
		// Whatever their shape, these pass through.
		const shapes = { walletAnswer: 'bare', subscriptionAnswer: 'default' } as const;
		await sandbox.control.setSettings({ successStatus, ...shapes });
		prepared = {
			ids,
			credentials: { clientCredentials: await createClient(), oAuth2: await createUser() },
		};
	});

	test.each(Object.entries(OPERATIONS))(
		'%s sends exactly its request, and puts out what the service answers #operation-request',
		async (name, operationCase) => {
			const { n8n, sandbox } = fixture();
			const { ids, credentials } = prepared;
			const { endpoint, path, parameters, body = null, output } = operationCase(ids);
			const [resource, operation] = name.split('.');
			const authentication = resource === 'user' ? 'oAuth2' : 'clientCredentials';
			await sandbox.control.clearRequests();
			const workflow = await n8n.createWorkflow(
				workflowWithNode({
					credential: credentials[authentication],
					parameters: {
						authentication,
						resource,
						operation,
						workspaceId: byId(ids.workspaceId),
						...parameters,
					},
				}),
			);

			const [item] = successfulItems(await n8n.runManually(workflow.id), NODE_UNDER_TEST);

			const requests = (await sandbox.control.requests()).filter(
				({ operationId }) => operationId !== 'requestToken',
			);

			const sent = {
				operationId: endpoint,
				path: new URL(sandbox.apiUrl).pathname + path,
				query: {},
				body,
			};

			expect(item).toMatchObject({ json: output, pairedItem: { item: 0 } });
			expect(requests).toEqual([expect.objectContaining(sent)]);
			expect(Math.floor((requests[0]?.status ?? 0) / 100)).toBe(2);
		},
	);

	return () => prepared;
}

/** Creates what the operations work on: a draft, an approved payable, an invoice and its deposit. */
async function prepare(sandbox: Sandbox) {
	const calls = await callsOf(sandbox);
	const invoiced = await calls.approved({ amount: 2500 });
	const partner = await calls.partner(sandbox.verifiedVendorEmail);

	return {
		workspaceId: sandbox.workspaceId,
		partnerId: partner?.id ?? '',
		draftId: (await calls.payable({ amount: 700 })).id,
		approvedId: (await calls.approved()).id,
		invoiceFundingId: (await calls.invoice([invoiced])).id,
		depositId: (await calls.deposit(2500)).id,
	};
}
