import { byId, OTHER_WORKSPACE, sent, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);
const INVITATIONS_PATH = `/v1/workspace/${WORKSPACE}/partner/invite`;

test('250 invitations are sent in 3 requests and come out in order #invitations-in-groups', async () => {
	service.useScript(({ body }) => {
		const { invites } = body as { invites: { payee_email: string }[] };
		return { body: { invites: invites.map((invite) => ({ ...invite, status: 'invited' })) } };
	});

	const items = Array.from({ length: 250 }, (_, number) => ({ email: `v${number}@example.com` }));
	const parameters = { workspaceId, payeeEmail: '={{ $json.email }}' };

	const outcome = await service.execute('partner.invite', parameters, { items });

	const sizes = service.requests.map(({ body }) => (body as { invites: unknown[] }).invites.length);

	expect(sizes.sort()).toEqual([100, 100, 50]);
	expect(outcome.items).toEqual(
		items.map(({ email }, item) => ({
			json: { payee_email: email, status: 'invited' },
			pairedItem: { item },
		})),
	);
});

test('invitations to different workspaces are sent apart, and come out in order', async () => {
	service.useScript(() => ({ body: '' }));
	const parameters = {
		workspaceId: byId('={{ $json.workspace }}'),
		payeeEmail: '={{ $json.email }}',
		options: { invitesPerRequest: 2 },
	};

	const workspaces = [WORKSPACE, OTHER_WORKSPACE, WORKSPACE, WORKSPACE];
	const emailOf = (number: number): string => `v${number}@example.com`;

	const { items } = await service.execute('partner.invite', parameters, {
		items: workspaces.map((workspace, number) => ({ workspace, email: emailOf(number) })),
	});

	const invites = (...numbers: number[]) => ({
		invites: numbers.map((number) => ({ payee_email: emailOf(number) })),
	});

	// All at once, so that they arrive in any order.
	expect(new Set(sent(service.requests))).toEqual(
		new Set([
			['POST', INVITATIONS_PATH, invites(0, 2)],
			['POST', INVITATIONS_PATH, invites(3)],
			['POST', `/v1/workspace/${OTHER_WORKSPACE}/partner/invite`, invites(1)],
		]),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
});
