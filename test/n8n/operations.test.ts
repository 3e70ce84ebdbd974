import { CASES, type World } from './cases';
import {
	type Credential,
	NODE_UNDER_TEST,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useBench } from './setup';

const bench = useBench();
let world: World;
let credentials: Record<'clientCredentials' | 'oAuth2', Credential>;

beforeAll(async () => {
	const { n8n, sandbox, credentialData } = bench();
	world = await prepare();
	const oauthTokenData = { access_token: await sandbox.control.userToken(), token_type: 'Bearer' };
	credentials = {
		clientCredentials: await n8n.createCredential('Client', 'partnerPaymentsApi', credentialData),
		oAuth2: await n8n.createCredential('User', 'partnerPaymentsOAuth2Api', {
			...credentialData,
			oauthTokenData,
		}),
	};
});

test.each(
	CASES.map((operation) => [`${operation.resource}.${operation.operation}`, operation] as const),
)(
	'%s sends exactly its request, and puts out what the service answers',
	async (
		_,
		{ resource, operation, authentication = 'clientCredentials', endpoint, ...expected },
	) => {
		const { n8n, sandbox } = bench();
		await sandbox.control.clearRequests();
		const workflow = await n8n.createWorkflow(
			workflowWithNode({
				credential: credentials[authentication],
				parameters: { authentication, resource, operation, ...expected.parameters(world) },
			}),
		);
		const execution = await n8n.runManually(workflow.id);

		const [item] = successfulItems(execution, NODE_UNDER_TEST);
		expect(item?.json).toMatchObject(expected.output(world));
		expect(item?.pairedItem).toEqual({ item: 0 });

		// Documents are not part of the API, and have a test of their own.
		const requests = (await sandbox.control.requests()).filter(
			({ path: sent }) => !sent.startsWith('/documents/'),
		);
		const { method, path, body = null } = expected.request(world);
		expect(requests.filter(({ operationId }) => operationId !== 'requestToken')).toEqual([
			expect.objectContaining({
				operationId: endpoint,
				method,
				path: new URL(sandbox.apiUrl).pathname + path,
				query: {},
				body,
				status: 200,
			}),
		]);
	},
);

test('the invoice comes as a PDF file, and no token went along for it', async () => {
	const { n8n, sandbox } = bench();
	const workflow = await n8n.createWorkflow(
		workflowWithNode({
			credential: credentials.clientCredentials,
			parameters: {
				resource: 'funding',
				operation: 'getInvoicePdf',
				fundingId: world.invoiceFundingId,
				download: true,
				binaryPropertyName: 'invoice',
			},
		}),
	);
	const [item] = successfulItems(await n8n.runManually(workflow.id), NODE_UNDER_TEST);
	expect(item?.binary?.['invoice']).toMatchObject({
		mimeType: 'application/pdf',
		fileName: `invoice-${world.invoiceFundingId}.pdf`,
	});
	if (item === undefined) throw new Error('No item');
	const file = await n8n.client.binary(item, 'invoice');
	expect(file.subarray(0, 5).toString()).toBe('%PDF-');
	const downloads = (await sandbox.control.requests()).filter(({ path }) =>
		path.startsWith('/documents/'),
	);
	expect(downloads).not.toEqual([]);
	for (const { tokenFingerprint } of downloads) expect(tokenFingerprint).toBeNull();
});

test('the list of workspaces is that of the user, searched by name', async () => {
	const { n8n, sandbox } = bench();
	const all = await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2');
	expect(all.map(({ value }) => value).sort()).toEqual([
		sandbox.workspaceId,
		sandbox.secondWorkspaceId,
	]);
	expect(await n8n.searchWorkspaces(credentials.oAuth2, 'oAuth2', 'STUDIO')).toEqual([
		{ name: 'Northwind Media Studio (Approver)', value: sandbox.secondWorkspaceId },
	]);
});

test('with client credentials the list says what to do instead', async () => {
	const list = await bench().n8n.searchWorkspaces(
		credentials.clientCredentials,
		'clientCredentials',
	);
	expect(list).toEqual([
		{ name: expect.stringMatching(/choose an OAuth2 credential.*by ID or invite URL$/), value: '' },
	]);
});

/** Makes what the operations work on: a draft, an approved payable, an invoice and its deposit. */
async function prepare(): Promise<World> {
	const { sandbox } = bench();
	const { workspaceId, verifiedVendorEmail: vendorEmail } = sandbox;
	const api = await sandbox.api();
	const post = async <Answer>(path: string, body: object = {}): Promise<Answer> => {
		const { status, data } = await api.post<Answer>(path, body);
		if (status !== 200) throw new Error(`${path}: ${JSON.stringify(data)}`);
		return data;
	};
	const payable = async (amount: number, approve: boolean) => {
		const body = { workspace_id: workspaceId, payee_email: vendorEmail, amount };
		const { id } = (await post<{ payable: { id: string } }>('/payable', body)).payable;
		if (approve) await api.post(`/payable/${id}/approve`);
		return id;
	};
	const invoiced = await payable(2500, true);
	const { funding } = await post<{ funding: { id: string } }>('/funding', {
		workspace_id: workspaceId,
		method: 'invoice',
		amount: 2500,
		payable_ids: [invoiced],
	});
	const partner = (await sandbox.control.partners()).find(({ email }) => email === vendorEmail);
	return {
		workspaceId,
		partnerId: partner?.id ?? '',
		draftId: await payable(700, false),
		approvedId: await payable(1000, true),
		invoiceFundingId: funding.id,
		depositId: (await sandbox.control.deposit(workspaceId, 2500)).id,
	};
}
