import type { INodeParameters } from 'n8n-workflow';

import { operationOf } from '../sandbox/contract-checks';
import {
	byEmail,
	byId,
	funding,
	FUNDING_BODY,
	payable,
	PAYABLE_BODY,
	WORKSPACE,
	type Changes,
} from './support';

/** One execution of an operation that works. */
export interface OperationCase {
	/** What is special about it. */
	detail?: string;
	parameters: INodeParameters;
	answer: unknown;
	/** The one request. */
	request: [method: string, url: string, body?: object];
	output: object[];
	changes?: Changes;
}

const workspaceId = byId(WORKSPACE);
const workspacePath = `/v1/workspace/${WORKSPACE}`;
const INVITE_URL = `https://app.example.com/signup?invitationId=${WORKSPACE}&bsp_tag=acme`;
const USER = { id: 'u1', first_name: 'Ana', last_name: 'Ruiz' };
const withRole = (id: string) => ({ id, role: { id: 'r1', display_name: 'Admin' } });
const ANA = { payee_email: 'ana@example.com', payee_business_name: 'Ana Ruiz Studio' };
const HOOK = { url: 'https://hooks.example.com/payments', events: ['payable.paid'] };

/** Every operation that sends one request, written as `payable.create`. */
export const OPERATION_CASES = {
	'payable.create': [
		{
			detail: 'everything',
			parameters: payable({
				workspaceId: { __rl: true, mode: 'url', value: INVITE_URL },
				payee: { __rl: true, mode: 'serviceId', value: 'ven_1' },
				options: {
					description: ' Video edit ',
					dueDate: '2026-07-01T09:00:00',
					sendInvite: true,
					lineItems: { item: [{ amount: '9.99', description: ' a ' }, { amount: 10 }] },
					additionalFields: { reference: { deep: [1] } },
				},
			}),
			answer: { id: 'p1' },
			request: [
				'POST',
				'/v1/payable',
				{
					workspace_id: WORKSPACE,
					payee_service_id: 'ven_1',
					amount: 1999,
					amount_denomination: 'us_cents',
					description: 'Video edit',
					due_date: '2026-07-01T07:00:00.000Z',
					send_invite: true,
					line_items: [
						{ amount: 999, description: 'a' },
						{ amount: 1000, description: '' },
					],
					reference: { deep: [1] },
				},
			],
			output: [{ id: 'p1' }],
			changes: { timezone: 'Europe/Berlin' },
		},
		{
			detail: 'from an expression for each field',
			parameters: payable({
				workspaceId: byId('={{ $json.workspace }}'),
				payee: byEmail('={{ $json.email }}'),
				amount: '={{ $json.price * 3 }}',
				options: { dueDate: '={{ $json.due.toDateTime() }}' },
			}),
			answer: { id: 'p1' },
			request: [
				'POST',
				'/v1/payable',
				{
					...PAYABLE_BODY,
					payee_email: 'ben@example.com',
					amount: 450,
					due_date: '2026-03-01T10:00:00.000Z',
				},
			],
			output: [{ id: 'p1' }],
			changes: {
				items: [{ workspace: WORKSPACE, email: 'ben@example.com', price: 1.5, due: '2026-03-01' }],
			},
		},
		{
			detail: 'a day on which it is due, not its midnight in the zone of the workflow',
			parameters: payable({ options: { dueDate: '2026-12-01' } }),
			answer: { id: 'p1' },
			request: ['POST', '/v1/payable', { ...PAYABLE_BODY, due_date: '2026-12-01T10:00:00.000Z' }],
			output: [{ id: 'p1' }],
			changes: { timezone: 'Asia/Tokyo' },
		},
	],
	'payable.approve': [
		{
			detail: 'an empty answer',
			parameters: { payableId: 'p1' },
			answer: '',
			request: ['POST', '/v1/payable/p1/approve'],
			output: [{ id: 'p1' }],
		},
	],
	'funding.create': [
		{
			detail: 'by invoice, with everything',
			parameters: funding({
				method: 'invoice',
				payableIds: ' p1, p2 ,,p3 ',
				options: {
					description: 'February',
					poNumber: 'PO-1',
					additionalFields: '{"reference":"r"}',
				},
			}),
			answer: { id: 'f1' },
			request: [
				'POST',
				'/v1/funding',
				{
					...FUNDING_BODY,
					method: 'invoice',
					payable_ids: ['p1', 'p2', 'p3'],
					description: 'February',
					po_number: 'PO-1',
					reference: 'r',
				},
			],
			output: [{ id: 'f1' }],
		},
	],
	'funding.getInvoicePdf': [
		{
			detail: 'only the address',
			parameters: { fundingId: 'f/1' },
			answer: { document: 'https://files.example.com/f1.pdf?sig=1' },
			request: ['GET', '/v1/funding/f%2F1/pdf-url'],
			output: [{ id: 'f/1', pdf_url: 'https://files.example.com/f1.pdf?sig=1' }],
		},
	],
	'funding.linkDeposit': [
		{
			detail: 'an empty answer',
			parameters: { fundingId: 'f1', depositId: 'd1' },
			answer: '',
			request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
			output: [{ id: 'f1', deposit_id: 'd1' }],
		},
	],
	'deposit.getAll': [
		{
			detail: 'as many as the limit says',
			parameters: { workspaceId, limit: 2 },
			answer: { deposits: [{ id: 'd1' }, { id: 'd2' }, { id: 'd3' }] },
			request: ['GET', `${workspacePath}/wallet/deposit`],
			output: [{ id: 'd1' }, { id: 'd2' }],
		},
		{
			detail: 'all',
			parameters: { workspaceId, returnAll: true },
			answer: Array.from({ length: 60 }, (_, id) => ({ id })),
			request: ['GET', `${workspacePath}/wallet/deposit`],
			output: Array.from({ length: 60 }, (_, id) => ({ id })),
		},
	],
	'deposit.simulate': [
		{
			parameters: {
				workspaceId,
				amount: '50.00',
				options: { additionalFields: '{ "reference": "wire 7" }' },
			},
			answer: { deposit: { id: 'd1', amount: 5000 } },
			request: [
				'POST',
				`${workspacePath}/wallet/deposit`,
				{ reference: 'wire 7', amount: 5000, amount_denomination: 'us_cents' },
			],
			output: [{ id: 'd1', amount: 5000 }],
		},
	],
	'partner.get': [
		{
			parameters: { workspaceId, partnerId: 'v/1' },
			answer: { partner: { id: 'v/1', status: 'verified' } },
			request: ['GET', `${workspacePath}/partner/v%2F1`],
			output: [{ id: 'v/1', status: 'verified' }],
		},
	],
	'partner.invite': [
		{
			detail: 'an empty answer',
			parameters: {
				workspaceId,
				payeeEmail: ANA.payee_email,
				options: { payeeBusinessName: ANA.payee_business_name },
			},
			answer: '',
			request: ['POST', `${workspacePath}/partner/invite`, { invites: [ANA] }],
			output: [ANA],
		},
	],
	'wallet.get': [
		{
			parameters: { workspaceId },
			answer: { wallet: { balance: 500, account_number: '1' } },
			request: ['GET', `${workspacePath}/wallet`],
			output: [{ balance: 500, account_number: '1' }],
		},
	],
	'workspace.get': [
		{
			parameters: { workspaceId },
			answer: { workspace: { id: WORKSPACE, vendor_invite_url: INVITE_URL } },
			request: ['GET', workspacePath],
			output: [{ id: WORKSPACE, vendor_invite_url: INVITE_URL }],
		},
	],
	'workspace.getInviteLink': [
		{
			parameters: { workspaceId },
			answer: { id: WORKSPACE, display_name: 'Acme', vendor_invite_url: INVITE_URL },
			request: ['GET', workspacePath],
			output: [{ workspace_id: WORKSPACE, vendor_invite_url: INVITE_URL }],
		},
	],
	'user.get': [
		{
			parameters: {},
			answer: USER,
			request: ['GET', '/v1/user/current'],
			output: [USER],
		},
	],
	'user.getWorkspaces': [
		{
			parameters: {},
			answer: { data: [withRole('w1'), withRole('w2')] },
			request: ['GET', '/v1/user/current/workspaces'],
			output: [withRole('w1'), withRole('w2')],
		},
	],
	'webhookSubscription.create': [
		{
			detail: 'without the secret',
			parameters: { workspaceId, url: HOOK.url, events: ['payablePaid'] },
			answer: { webhook_subscription: { id: 's1', ...HOOK, secret: 'whsec_0123456789abcdef' } },
			request: ['POST', `${workspacePath}/webhook-subscription`, HOOK],
			output: [{ id: 's1', ...HOOK, secret: '[redacted]' }],
		},
	],
} satisfies Record<string, [OperationCase, ...OperationCase[]]>;

/** An operation that sends one request. */
export type RequestingOperation = keyof typeof OPERATION_CASES;

export const requestingOperations = Object.keys(OPERATION_CASES) as RequestingOperation[];

/** The operation of the contract that a case asks for. */
export function endpointOf({ request: [method, url] }: OperationCase) {
	const endpoint = operationOf(method.toLowerCase(), url.replace('/v1', ''));
	if (endpoint === undefined) {
		throw new Error(`The contract has no ${method} ${url}`);
	}

	return endpoint;
}
