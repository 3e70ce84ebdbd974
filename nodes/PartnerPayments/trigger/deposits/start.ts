import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../../service/api/client';
import { getDeposits } from '../../service/api/wallets';
import { writeNodeData } from '../../shared/staticData';
import { rethrowTo } from '../errors';
import { claimInDatabase } from '../eventClaims';
import { triggerKey } from '../triggerData';
import { readParameters } from './parameters';
import { trackerOf } from './poll';

/** How many deposits the editor is shown. */
const MAX_TEST_DEPOSITS = 10;

const NOT_CLAIMED =
	"Partner Payments Deposit Trigger cannot keep in n8n's database which deposits have started: they may start again after n8n does";

/**
 * The items that an execution begins with: the deposits of the poll that has started it, which are
 * never handed over again from now on. In the editor, some that are there; nothing is remembered then.
 *
 * @throws NodeOperationError in the editor, when there is no deposit or the service did not tell
 */
export async function startDeposits(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (n8n.getMode() === 'manual') return await fetchTestDeposits(n8n).catch(rethrowTo(n8n));
	const items = n8n.getInputData();
	const isOurs = await confirm(n8n, items.map(digestOf));
	return items.filter((item) => isOurs(digestOf(item))).map(({ json }) => ({ json }));
}

const digestOf = ({ depositDigest }: INodeExecutionData): string =>
	typeof depositDigest === 'string' ? depositDigest : '';

/** Returns whether a deposit is for this execution; it is when no other one has begun with it. */
async function confirm(
	n8n: IExecuteFunctions,
	digests: string[],
): Promise<(digest: string) => boolean> {
	const tracker = trackerOf(triggerKey(n8n));
	if (tracker !== undefined) {
		tracker.confirm(digests);
		writeNodeData(n8n, tracker.toStored());
		return () => true;
	}
	// A person who retries an execution wants its deposits again.
	if (n8n.getMode() === 'retry') return () => true;
	// A worker, which does not poll, and is given no static data.
	return await claimInDatabase(n8n, digests).catch(() => {
		n8n.logger.warn(NOT_CLAIMED);
		return () => true;
	});
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
