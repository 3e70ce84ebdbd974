import { testOperations } from './operations';
import { byId, executeOperation, sent, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const INVITE_URL = `https://app.example.com/signup?invitationId=${WORKSPACE}&bsp_tag=acme`;
const workspaceId = byId(WORKSPACE);

testOperations(service, [
	{
		what: 'workspace.get',
		operation: 'workspace.get',
		parameters: { workspaceId: byId(` ${WORKSPACE} `) },
		answer: { id: WORKSPACE, vendor_invite_url: INVITE_URL },
		request: ['GET', `/v1/workspace/${WORKSPACE}`],
		output: [{ id: WORKSPACE, vendor_invite_url: INVITE_URL }],
	},
	{
		what: 'workspace.getInviteLink: asked once for many items',
		operation: 'workspace.getInviteLink',
		parameters: { workspaceId },
		answer: { id: WORKSPACE, vendor_invite_url: INVITE_URL },
		request: ['GET', `/v1/workspace/${WORKSPACE}`],
		output: Array.from({ length: 3 }, () => ({
			workspace_id: WORKSPACE,
			vendor_invite_url: INVITE_URL,
		})),
		changes: { items: [{}, {}, {}] },
	},
	{
		what: 'wallet.get',
		operation: 'wallet.get',
		parameters: { workspaceId },
		answer: { wallet: { balance: 5, account: { number: '1' } } },
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet`],
		output: [{ balance: 5, account: { number: '1' } }],
	},
	{
		what: 'deposit.getAll: as many as the limit says',
		operation: 'deposit.getAll',
		parameters: { workspaceId, limit: 2 },
		answer: { deposits: [{ id: 'd1' }, { id: 'd2' }, { id: 'd3' }] },
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet/deposit`],
		output: [{ id: 'd1' }, { id: 'd2' }],
	},
	{
		what: 'deposit.getAll: all',
		operation: 'deposit.getAll',
		parameters: { workspaceId, returnAll: true },
		answer: Array.from({ length: 60 }, (_, id) => ({ id })),
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet/deposit`],
		output: Array.from({ length: 60 }, (_, id) => ({ id })),
	},
	{
		what: 'deposit.simulate',
		operation: 'deposit.simulate',
		parameters: {
			workspaceId,
			amount: '100.5',
			amountUnit: 'major',
			options: { additionalFields: '{"memo":"m"}' },
		},
		answer: { deposit: { id: 'd1' } },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/wallet/deposit`,
			{ amount: 10_050, amount_denomination: 'us_cents', memo: 'm' },
		],
		output: [{ id: 'd1' }],
	},
	{
		what: 'webhookSubscription.create',
		operation: 'webhookSubscription.create',
		parameters: {
			workspaceId,
			url: 'https://hooks.example.com/x',
			events: ['payablePaid', 'partnerStatusChanged'],
			options: { additionalFields: '{"secret_kind":"hmac"}' },
		},
		answer: { webhook_subscription: { id: 's1' } },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/webhook-subscription`,
			{
				url: 'https://hooks.example.com/x',
				events: ['partner.status_changed', 'payable.paid'],
				secret_kind: 'hmac',
			},
		],
		output: [{ id: 's1' }],
	},
]);

test.each(['', '/', '///', '/v1', '/api/v1/'])('the base URL may end in %p', async (end) => {
	service.useScript(() => ({ body: { id: 'p1' } }));
	const credentials = { apiBaseUrl: service.url + end, authBaseUrl: `${service.url}/` };
	await executeOperation(service, 'payable.approve', { payableId: 'p1' }, { credentials });
	expect(sent(service.requests)).toEqual([
		['POST', `${end.replace(/\/+$/, '')}/payable/p1/approve`],
	]);
});
