import { OPERATION_CASES, type SandboxIds } from './support/operationCases';
import {
	type Credential,
	NODE_UNDER_TEST,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let ids: SandboxIds;
let credentials: Record<'clientCredentials' | 'oAuth2', Credential>;

beforeAll(async () => {
	const { createClient, createUser } = fixture();
	ids = await prepare();
	credentials = { clientCredentials: await createClient(), oAuth2: await createUser() };
});

test.each(OPERATION_CASES.map((operationCase) => [operationCase.name, operationCase] as const))(
	'%s sends exactly its request, and puts out what the service answers',
	async (_, { name, authentication = 'clientCredentials', endpoint, ...expected }) => {
		const { n8n, sandbox } = fixture();
		const [resource, operation] = name.split('.');
		await sandbox.control.clearRequests();
		const workflow = await n8n.createWorkflow(
			workflowWithNode({
				credential: credentials[authentication],
				parameters: { authentication, resource, operation, ...expected.parameters(ids) },
			}),
		);
		const execution = await n8n.runManually(workflow.id);

		const [item] = successfulItems(execution, NODE_UNDER_TEST);
		expect(item?.json).toMatchObject(expected.output(ids));
		expect(item?.pairedItem).toEqual({ item: 0 });

		// Documents are not part of the API, and have a test of their own.
		const requests = (await sandbox.control.requests()).filter(
			({ path: sent }) => !sent.startsWith('/documents/'),
		);
		const { method, path, body = null } = expected.request(ids);
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
	const { n8n, sandbox } = fixture();
	const workflow = await n8n.createWorkflow(
		workflowWithNode({
			credential: credentials.clientCredentials,
			parameters: {
				resource: 'funding',
				operation: 'getInvoicePdf',
				fundingId: ids.invoiceFundingId,
				download: true,
				binaryPropertyName: 'invoice',
			},
		}),
	);
	const [item] = successfulItems(await n8n.runManually(workflow.id), NODE_UNDER_TEST);
	expect(item?.binary?.['invoice']).toMatchObject({
		mimeType: 'application/pdf',
		fileName: `invoice-${ids.invoiceFundingId}.pdf`,
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
	const { n8n, sandbox } = fixture();
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
	const list = await fixture().n8n.searchWorkspaces(
		credentials.clientCredentials,
		'clientCredentials',
	);
	expect(list).toEqual([
		{ name: expect.stringMatching(/choose an OAuth2 credential.*by ID or invite URL$/), value: '' },
	]);
});

/** Creates what the operations work on: a draft, an approved payable, an invoice and its deposit. */
async function prepare(): Promise<SandboxIds> {
	const { sandbox } = fixture();
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
