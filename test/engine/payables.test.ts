import { testOperations } from './operations';
import {
	executeOperation,
	jsonOf,
	payable,
	PAYABLE_BODY,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const INVITE_URL = `https://app.example.com/signup?invitationId=${WORKSPACE}&bsp_tag=acme`;

testOperations(service, [
	{
		what: 'payable.approve',
		operation: 'payable.approve',
		parameters: { payableId: 'p1' },
		answer: { payable: { id: 'p1', status: 'approved' } },
		request: ['POST', '/v1/payable/p1/approve'],
		output: [{ id: 'p1', status: 'approved' }],
	},
	{
		what: 'payable.approve: an empty answer',
		operation: 'payable.approve',
		parameters: { payableId: 'p1' },
		answer: '',
		request: ['POST', '/v1/payable/p1/approve'],
		output: [{ id: 'p1' }],
	},
	{
		what: 'payable.create: only what it needs',
		operation: 'payable.create',
		parameters: payable(),
		answer: { payable: { id: 'p1', status: 'draft' } },
		request: ['POST', '/v1/payable', PAYABLE_BODY],
		output: [{ id: 'p1', status: 'draft' }],
	},
	{
		what: 'payable.create: everything',
		operation: 'payable.create',
		parameters: payable({
			workspaceId: { __rl: true, mode: 'url', value: INVITE_URL },
			payeeIdentifiedBy: 'serviceId',
			payeeServiceId: 'ven_1',
			payableDescription: ' Video edit ',
			options: {
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
		what: 'payable.create: from an expression for each field',
		operation: 'payable.create',
		parameters: payable({
			workspaceId: { __rl: true, mode: 'id', value: '={{ $json.workspace }}' },
			payeeEmail: '={{ $json.email }}',
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
				due_date: '2026-03-01T00:00:00.000Z',
			},
		],
		output: [{ id: 'p1' }],
		changes: {
			items: [{ workspace: WORKSPACE, email: 'ben@example.com', price: 1.5, due: '2026-03-01' }],
		},
	},
]);

test('each item has its own values, and all share one token', async () => {
	service.useScript(({ body }) => ({ body: { payable: { id: 'p', ...(body as object) } } }));
	const emails = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
	const outcome = await executeOperation(
		service,
		'payable.create',
		payable({ payeeEmail: '={{ $json.email }}' }),
		{
			items: emails.map((email) => ({ email })),
		},
	);
	expect(jsonOf(outcome.items).map((item) => item.payee_email)).toEqual(emails);
	expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
		emails.map((_, item) => ({ item })),
	);
	expect(service.tokensIssued).toBe(1);
});
