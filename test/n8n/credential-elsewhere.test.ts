import {
	chain,
	type Credential,
	credentialsOf,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	START,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { useScriptedService } from './support/scriptedService';

const fixture = useFixture();
/** Another server, at an address of this machine that no credential names. */
const elsewhere = useScriptedService();

/** Requests an address with n8n's own node. */
async function requestWith(credential: Credential, url: string): Promise<Execution> {
	const { n8n } = fixture();
	const position: [number, number] = [0, 0];
	const start = { name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position };
	const node = {
		name: NODE_UNDER_TEST,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential.type,
		},
		credentials: credentialsOf([credential]),
	};
	const workflow = await n8n.createWorkflow(chain([{ ...start, parameters: {} }, node]));
	return await n8n.runManually(workflow.id);
}

const walletUrl = (): string => {
	const { apiUrl, workspaceId } = fixture().sandbox;
	return `${apiUrl}/workspace/${workspaceId}/wallet`;
};

describe.each(['client', 'user'] as const)('a credential for a %s', (kind) => {
	test('sends its token nowhere with other nodes, as it is #no-token-in-other-nodes', async () => {
		const { sandbox } = fixture();
		const credential = await (kind === 'client'
			? fixture().createClient()
			: fixture().createUser());
		await sandbox.control.clearRequests();
		for (const url of [walletUrl(), elsewhere().url]) {
			const execution = await requestWith(credential, url);
			expect(nodeError(execution, NODE_UNDER_TEST)?.message).toContain('prevent use within');
		}
		expect([await sandbox.control.requests(), elsewhere().requests]).toEqual([[], []]);
	});
});
