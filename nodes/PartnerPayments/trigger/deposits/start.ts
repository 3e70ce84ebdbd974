import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../../service/api/client';
import { getDeposits } from '../../service/api/wallets';
import { amendNodeData, readNodeData, writeNodeData } from '../../shared/staticData';
import { rethrowTo } from '../errors';
import { triggerKey } from '../triggerData';
import { isStored } from './depositTracker';
import { readParameters } from './parameters';
import { trackerOf } from './poll';

/** How many deposits the editor is shown. */
const MAX_TEST_DEPOSITS = 10;

/**
 * The items that an execution begins with: the deposits of the poll that has started it, which are
 * never handed over again from now on. In the editor, some that are there; nothing is remembered then.
 *
 * @throws NodeOperationError in the editor, when there is no deposit or the service did not tell
 */
export async function startDeposits(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (n8n.getMode() === 'manual') return await fetchTestDeposits(n8n).catch(rethrowTo(n8n));
	const items = n8n.getInputData();
	const digests = items.flatMap(({ depositDigest }) =>
		typeof depositDigest === 'string' ? depositDigest : [],
	);
	confirm(n8n, digests);
	return items.map(({ json }) => ({ json }));
}

function confirm(n8n: IExecuteFunctions, digests: string[]): void {
	const tracker = trackerOf(triggerKey(n8n));
	if (tracker !== undefined) {
		tracker.confirm(digests);
		writeNodeData(n8n, tracker.toStored());
		return;
	}
	// A worker, which does not poll: it adds to what the process that does has stored.
	const stored: unknown = readNodeData(n8n);
	if (isStored(stored))
		amendNodeData(n8n, { ...stored, started: [stored.started, ...digests].join(' ') });
}

async function fetchTestDeposits(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { authentication, workspaceId } = readParameters((name, options) =>
		n8n.getNodeParameter(name, 0, '', options),
	);
	const client = await Client.connect(n8n, authentication);
	const deposits = await getDeposits(client, workspaceId);
	if (deposits.length === 0) throw noDeposit(n8n.getNode());
	return deposits.slice(0, MAX_TEST_DEPOSITS).map((json) => ({ json }));
}

const noDeposit = (node: INode): NodeOperationError =>
	new NodeOperationError(node, 'The workspace has no unlinked deposit now', {
		description:
			'Once the workflow is published, each new deposit starts it. In the sandbox environment, Deposit: Simulate makes one to test with.',
	});
