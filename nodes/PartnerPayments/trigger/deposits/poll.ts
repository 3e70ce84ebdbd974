import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { Client } from '../../api/client';
import { identifier } from '../../api/responseReaders';
import { getDeposits } from '../../api/endpoints';
import {
	notice,
	optionsField,
	switchField,
	withWrittenCollections,
	workspaceField,
} from '../../shared/fields';
import { readNodeData, writeNodeData } from '../../shared/staticData';
import { throwInputError } from '../../shared/errors';
import { stringOrEmpty } from '../../shared/typeGuards';
import {
	claimItems,
	deduplicatorFor,
	digestOf,
	digestsIn,
	type ItemToClaim,
} from '../deduplicator';
import { parameterOf, readAccount, triggerKey, type TriggerFunctions } from '../triggerData';

export const depositTriggerFields = withWrittenCollections([
	workspaceField,
	notice(
		'A deposit alone pays no vendor. To pay the vendors of an invoice, link the deposit with "Link Deposit" of "Funding".',
		'linkNotice',
	),
	optionsField([
		switchField('Include Existing Deposits', 'includeExisting', {
			description:
				'Whether to also start the workflow for deposits from before it was first published',
		}),
	]),
]);

const MAX_TEST_DEPOSITS = 10;

interface Poll {
	/** The same object for all polls of one activation of the workflow. */
	n8n: IPollFunctions;
	/** Deposits that n8n was handed. It drops them when the workflow is published again. */
	handedOver: string[];
	/** The environment and workspace, as `scope`, and what the first poll there has found, as `skipped`. */
	firstListed: IDataObject | undefined;
}

const latest = new Map<string, Poll>();

/** Polls under way: n8n may begin the next one before this one ends. */
const underWay = new WeakSet<IPollFunctions>();

/**
 * The deposits for which n8n starts an execution; null when there are none.
 *
 * @throws ServiceError when the service did not list them; the next poll catches up
 */
export async function pollDeposits(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (underWay.has(n8n)) {
		return null;
	}
	underWay.add(n8n);
	return await poll(n8n).finally(() => underWay.delete(n8n));
}

async function poll(n8n: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { credentialType, workspaceId, includesExisting } = await readDepositParameters(n8n);
	const client = await Client.connect(n8n, credentialType);
	const scope = `${client.environment} ${workspaceId}`;
	const current = beginPoll(n8n, scope);

	const deposits = byDigest(scope, await getDeposits(client, workspaceId));
	// The workflow was published again: n8n drops what this poll finds, and the new poll finds it too.
	if (latest.get(triggerKey(n8n)) !== current) {
		return null;
	}
	const listed = [...deposits.keys()];
	current.firstListed ??= { scope, skipped: listed.join('') };
	const skipped = new Set(
		includesExisting ? [] : digestsIn(stringOrEmpty(current.firstListed.skipped)),
	);
	const deduplicator = deduplicatorFor(triggerKey(n8n));
	current.handedOver = listed.filter(
		(digest) => !skipped.has(digest) && deduplicator.claim(digest),
	);
	writeNodeData(n8n, { ...current.firstListed, started: deduplicator.stored(listed) });
	const items = current.handedOver.map((digest): ItemToClaim => ({
		json: deposits.get(digest) ?? {},
		digest,
	}));
	return items.length > 0 ? [items] : null;
}

async function readDepositParameters(n8n: TriggerFunctions) {
	const includesExisting = parameterOf(n8n, 'options.includeExisting') === true;
	return { ...(await readAccount(n8n)), includesExisting };
}

/**
 * Begins a poll. When the same activation polls again, n8n has taken the deposits of the last poll. Those
 * of another activation are handed over again, unless their execution has begun.
 */
function beginPoll(n8n: IPollFunctions, scope: string): Poll {
	const trigger = triggerKey(n8n);
	const before = latest.get(trigger);
	const deduplicator = deduplicatorFor(trigger);
	if (before?.n8n === n8n) {
		deduplicator.hold(before.handedOver);
	} else {
		deduplicator.release(before?.handedOver ?? []);
	}

	const stored = readNodeData(n8n);
	deduplicator.load(stored.started);
	const firstListed = [before?.firstListed, stored].find((one) => one?.scope === scope);
	const current = { n8n, handedOver: [], firstListed };
	latest.set(trigger, current);
	return current;
}

/** Deposits by a digest of their ID, or of their content and copy when they have none. */
function byDigest(scope: string, deposits: IDataObject[]): Map<string, IDataObject> {
	const copies = new Map<string, number>();
	const identityOf = (deposit: IDataObject): unknown[] => {
		const id = identifier(deposit);
		if (id !== undefined) {
			return [scope, id];
		}
		const content = JSON.stringify(deposit);
		const copy = copies.get(content) ?? 0;
		copies.set(content, copy + 1);
		return [scope, null, content, copy];
	};
	return new Map(deposits.map((deposit) => [digestOf(identityOf(deposit)), deposit]));
}

/**
 * The items that an execution begins with: the deposits of the poll that has started it. In the editor,
 * some deposits of the workspace, of which nothing is remembered.
 *
 * @throws in the editor, when there is no deposit or the service did not list them
 */
export async function startDeposits(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (n8n.getMode() !== 'manual') {
		const items = await claimItems(n8n);
		return items.map(({ json }) => ({ json }));
	}
	const { credentialType, workspaceId } = await readDepositParameters(n8n);
	const client = await Client.connect(n8n, credentialType);
	const deposits = await getDeposits(client, workspaceId);
	if (deposits.length === 0) {
		throwInputError(
			'The workspace has no unlinked deposit',
			'In the sandbox environment, make one with "Simulate" of "Deposit". Once the workflow is published, each new deposit starts it.',
		);
	}
	return deposits.slice(0, MAX_TEST_DEPOSITS).map((json) => ({ json }));
}
