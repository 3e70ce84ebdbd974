import {
	byId,
	type Credential,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	type NodeSetup,
	workflowWithNode,
} from '../../../tools/n8n';
import { type Fixture, useFixture } from './fixture';

/** What the tests of manual runs work with. */
export interface ManualRuns {
	fixture: () => Fixture;
	/** Runs one node by hand, by default with a credential that works; empties the request log before. */
	run: (setup: NodeSetup) => Promise<Execution>;
	/** The parameters that create a payable of each item's amount in major units, with changes. */
	payable: (changes?: object) => Record<string, unknown>;
}

/** Starts a fixture for the tests of a file, whose faults end with each test. */
export function useManualRuns(): ManualRuns {
	const fixture = useFixture();
	let credential: Credential;
	beforeAll(async () => {
		credential = await fixture().createClient();
	});
	afterEach(async () => {
		await fixture().sandbox.control.clearFaults();
	});
	return {
		fixture,
		run: async (setup) => {
			const { n8n, sandbox } = fixture();
			const workflow = await n8n.createWorkflow(workflowWithNode({ credential, ...setup }));
			await sandbox.control.clearRequests();
			return await n8n.runManually(workflow.id);
		},
		payable: (changes = {}) => ({
			resource: 'payable',
			operation: 'create',
			workspaceId: byId(fixture().sandbox.workspaceId),
			payeeEmail: 'ana@example.com',
			amount: '={{ $json.amount }}',
			amountUnit: 'major',
			...changes,
		}),
	};
}

/** The error of a run that must fail, as the user reads it. */
export function errorText(execution: Execution): string {
	const error = nodeError(execution, NODE_UNDER_TEST);
	if (error === undefined) throw new Error('The node did not fail');
	return `${error.message}. ${error.description ?? ''}`;
}
