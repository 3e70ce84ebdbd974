import { byId, jsonOf, OTHER_WORKSPACE, sent, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId('={{ $json.workspace }}');
const ITEMS = [WORKSPACE, OTHER_WORKSPACE, WORKSPACE, WORKSPACE].map((workspace) => ({
	workspace,
}));

beforeEach(() => {
	service.useScript(({ url }) => ({
		body: {
			id: url.split('/').at(-1),
			status: 'verified',
			vendor_invite_url: `https://x.example${url}`,
		},
	}));
});

test.each(['workspace.getInviteLink', 'workspace.get', 'wallet.get'])(
	'%s asks once for each workspace of an execution',
	async (operation) => {
		const { items } = await service.execute(operation, { workspaceId }, { items: ITEMS });

		const asked = sent(service.requests).map((request) => JSON.stringify(request));
		const outputs = jsonOf(items).map((json) => JSON.stringify(json));
		expect(new Set(asked).size).toBe(2);
		expect(asked).toHaveLength(2);
		expect(outputs.map((one) => outputs.indexOf(one))).toEqual([0, 1, 0, 0]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ITEMS.map((_, item) => ({ item })));
	},
);

test('partner.get asks once for each partner of a workspace', async () => {
	const partners = ['v1', 'v2', 'v1'].map((id) => ({ id }));
	const parameters = { workspaceId: byId(WORKSPACE), partnerId: '={{ $json.id }}' };

	const { items, error } = await service.execute('partner.get', parameters, { items: partners });

	expect(error).toBeUndefined();
	expect(service.requests).toHaveLength(2);
	expect(items).toHaveLength(3);
});

test('an item that cannot be read, or a workspace that fails, leaves the others', async () => {
	service.useScript(({ url }) =>
		url.includes(OTHER_WORKSPACE) ? { status: 404, body: {} } : { body: { id: 'w1' } },
	);

	const { items } = await service.execute(
		'workspace.get',
		{ workspaceId },
		{ items: [...ITEMS, { workspace: 'none' }], onError: 'continueRegularOutput' },
	);

	const failed = jsonOf(items).map((json) => json['error'] !== undefined);
	expect(failed).toEqual([false, true, false, false, true]);
});
