import type { Sandbox } from '../../../sandbox/client';
import {
	type Credential,
	NODE_UNDER_TEST,
	successfulItems,
	workflowWithNode,
} from '../../../tools/n8n';
import type { Fixture } from './fixture';
import { OPERATION_CASES, type SandboxIds } from './operationCases';

/** What the tests of operations work with. */
export interface OperationFixture {
	ids: SandboxIds;
	credentials: Record<'clientCredentials' | 'oAuth2', Credential>;
}

/** Tests every operation once; returns what they work with, for more tests. */
export function testOperations(fixture: () => Fixture): () => OperationFixture {
	let prepared: OperationFixture;
	beforeAll(async () => {
		const { createClient, createUser, sandbox } = fixture();
		prepared = {
			ids: await prepare(sandbox),
			credentials: { clientCredentials: await createClient(), oAuth2: await createUser() },
		};
	});
	test.each(OPERATION_CASES.map((operationCase) => [operationCase.name, operationCase] as const))(
		'%s sends exactly its request, and puts out what the service answers #operation-request',
		async (_, { name, authentication = 'clientCredentials', endpoint, ...expected }) => {
			const { n8n, sandbox } = fixture();
			const { ids, credentials } = prepared;
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
	return () => prepared;
}

/** Creates what the operations work on: a draft, an approved payable, an invoice and its deposit. */
async function prepare(sandbox: Sandbox): Promise<SandboxIds> {
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
