import { testOperations } from './operations';
import {
	byId,
	executeOperation,
	jsonOf,
	OTHER_WORKSPACE,
	sent,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

testOperations(service, [
	{
		what: 'partner.get',
		operation: 'partner.get',
		parameters: { workspaceId, partnerId: 'ptr 1' },
		answer: { id: 'ptr 1', status: 'verified', more: { a: 1 } },
		request: ['GET', `/v1/workspace/${WORKSPACE}/partner/ptr%201`],
		output: [{ id: 'ptr 1', status: 'verified', more: { a: 1 } }],
	},
	{
		what: 'partner.invite',
		operation: 'partner.invite',
		parameters: { workspaceId, payeeEmail: 'ana@example.com', payeeBusinessName: 'Ana Ruiz' },
		answer: { invites: [{ payee_email: 'ana@example.com', partner_id: 'ptr' }] },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/partner/invite`,
			{ invites: [{ payee_email: 'ana@example.com', payee_business_name: 'Ana Ruiz' }] },
		],
		output: [
			{ payee_email: 'ana@example.com', payee_business_name: 'Ana Ruiz', partner_id: 'ptr' },
		],
	},
]);

test('250 invitations are sent in 3 requests and come out in order #invitations-in-groups', async () => {
	service.useScript(({ body }) => {
		const { invites } = body as { invites: { payee_email: string }[] };
		return { body: { invites: invites.map((invite) => ({ ...invite, status: 'invited' })) } };
	});
	const emails = Array.from({ length: 250 }, (_, number) => `vendor${number}@example.com`);
	const { items } = await executeOperation(
		service,
		'partner.invite',
		{ workspaceId, payeeEmail: '={{ $json.email }}' },
		{ items: emails.map((email) => ({ email })) },
	);
	expect(
		service.requests.map(({ body }) => (body as { invites: unknown[] }).invites.length).sort(),
	).toEqual([100, 100, 50]);
	expect(jsonOf(items)).toEqual(emails.map((email) => ({ payee_email: email, status: 'invited' })));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(emails.map((_, item) => ({ item })));
});

test('invitations to different workspaces are sent apart, and come out in order', async () => {
	service.useScript(() => ({ body: '' }));
	const { items } = await executeOperation(
		service,
		'partner.invite',
		{
			workspaceId: { __rl: true, mode: 'id', value: '={{ $json.workspace }}' },
			payeeEmail: '={{ $json.email }}',
			options: { invitesPerRequest: 2 },
		},
		{
			items: [WORKSPACE, OTHER_WORKSPACE, WORKSPACE, WORKSPACE].map((workspace, number) => ({
				workspace,
				email: `v${number}@example.com`,
			})),
		},
	);
	const invites = (...numbers: number[]) => ({
		invites: numbers.map((number) => ({ payee_email: `v${number}@example.com` })),
	});
	// All at once, so that they arrive in any order.
	expect(new Set(sent(service.requests))).toEqual(
		new Set([
			['POST', `/v1/workspace/${WORKSPACE}/partner/invite`, invites(0, 2)],
			['POST', `/v1/workspace/${WORKSPACE}/partner/invite`, invites(3)],
			['POST', `/v1/workspace/${OTHER_WORKSPACE}/partner/invite`, invites(1)],
		]),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
});
