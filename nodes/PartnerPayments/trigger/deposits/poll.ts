import { createHash } from 'crypto';

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Client } from '../../service/api/client';
import { identifier } from '../../service/api/responseReaders';
import { getDeposits } from '../../service/api/wallets';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import { rethrowTo } from '../errors';
import { triggerKey } from '../triggerData';
import { DepositTracker } from './depositTracker';
import { readParameters } from './parameters';

/** Characters of a digest: 72 bits. */
const DIGEST_LENGTH = 12;

/** A deposit on its way from the poll to the execution that it starts. */
interface DepositItem extends INodeExecutionData {
	depositDigest: string;
}

/** The trackers of this process, by trigger. */
const trackers = new Map<string, DepositTracker>();

/** The polls under way: n8n begins the next one although the service has one wait. */
const underWay = new WeakSet<IPollFunctions>();

/** The tracker of a trigger that polls in this process. */
export const trackerOf = (trigger: string): DepositTracker | undefined => trackers.get(trigger);

/**
 * The deposits for which n8n is to start an execution; null when there is none.
 *
 * @throws NodeOperationError when the service did not tell: nothing is forgotten, the next poll catches up
 */
export async function pollDeposits(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (underWay.has(n8n)) return null;
	underWay.add(n8n);
	return await poll(n8n)
		.catch(rethrowTo(n8n))
		.finally(() => underWay.delete(n8n));
}

async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { authentication, workspaceId, includesExisting } = readParameters((name, options) =>
		n8n.getNodeParameter(name, '', options),
	);
	const client = await Client.connect(n8n, authentication);
	const trigger = triggerKey(n8n);
	const tracker = trackerFor(trigger, `${client.environment} ${workspaceId}`);
	tracker.begin(n8n, readNodeData(n8n));

	const deposits = byDigest(await getDeposits(client, workspaceId));
	// The workflow was published anew: n8n drops what this poll finds, and the new poll finds it as well.
	if (trackerOf(trigger) !== tracker || !tracker.isPolledBy(n8n)) return null;
	const handedOver = tracker.handOver([...deposits.keys()], includesExisting);
	writeNodeData(n8n, tracker.toStored());
	const items = [...deposits].flatMap(([depositDigest, json]): DepositItem[] =>
		handedOver.has(depositDigest) ? [{ json, depositDigest }] : [],
	);
	return items.length > 0 ? [items] : null;
}

/** The tracker of a trigger; a new one when the trigger polls another workspace than before. */
function trackerFor(trigger: string, scope: string): DepositTracker {
	const known = trackerOf(trigger);
	const tracker = known?.scope === scope ? known : new DepositTracker(scope);
	trackers.set(trigger, tracker);
	return tracker;
}

/**
 * Tells deposits apart by their ID, and those without one by all they say: that starts again when they
 * say something else, but is never lost. The same twice is two deposits.
 */
function byDigest(deposits: IDataObject[]): Map<string, IDataObject> {
	const copies = new Map<string, number>();
	const identityOf = (deposit: IDataObject): unknown[] => {
		const id = identifier(deposit);
		if (id !== undefined) return [id];
		const content = JSON.stringify(deposit);
		const copy = copies.get(content) ?? 0;
		copies.set(content, copy + 1);
		return [null, content, copy];
	};
	return new Map(deposits.map((deposit) => [digestOf(identityOf(deposit)), deposit]));
}

const digestOf = (identity: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(identity)).digest('base64').slice(0, DIGEST_LENGTH);
