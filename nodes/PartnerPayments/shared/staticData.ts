import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from './typeGuards';

/*
 * What the nodes of this package keep in a workflow's static data. Each execution and each delivery has
 * a copy of its own, as old as its beginning, and n8n stores whichever copy ends last, as a whole. So
 * every copy that a node writes to is stored with what all nodes of this process have written last.
 */

/** Where the nodes keep it, each under its ID, which stays when it is renamed. */
const KEY = 'partnerPayments';
const TRIGGER_TYPES = /\.partnerPayments(?:Deposit)?Trigger$/;

/** What is needed of n8n, wherever a node is called. Only executions know the nodes before them. */
export type StaticDataHost = Partial<Pick<IExecuteFunctions, 'getParentNodes'>> &
	Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'>;

/** What each node of this process has written, by workflow. */
const writtenByWorkflow = new Map<string, Map<string, IDataObject>>();

/** What n8n has loaded of a node's data, empty when there is none. */
export function readNodeData(n8n: StaticDataHost): IDataObject {
	const data = loadedNodes(n8n)[n8n.getNode().id];
	return isRecord(data) ? data : {};
}

/** Writes some of a node's data, for n8n to store when the execution, the poll or the activation ends. */
export function writeNodeData(n8n: StaticDataHost, some: IDataObject): void {
	const { id = '' } = n8n.getWorkflow();
	const written = writtenByWorkflow.get(id) ?? new Map<string, IDataObject>();
	const loaded = { ...loadedNodes(n8n) };
	const isEmpty = written.size === 0 && Object.keys(loaded).length === 0;
	if (isEmpty && mustHaveData(n8n)) {
		// n8n has loaded none here, as on a worker or after a Wait: to store some would delete what is there.
		return;
	}

	const node = n8n.getNode().id;
	const data = { ...(written.get(node) ?? readNodeData(n8n)), ...some };
	writtenByWorkflow.set(id, written.set(node, data));

	const newest = (): object => ({ ...loaded, ...Object.fromEntries(written) });
	// n8n may store this copy long after now: it then asks what is newest.
	const live = Object.defineProperty(newest(), 'toJSON', { value: newest });
	n8n.getWorkflowStaticData('global')[KEY] = live;
}

function loadedNodes(n8n: StaticDataHost): IDataObject {
	const nodes = n8n.getWorkflowStaticData('global')[KEY];
	return isRecord(nodes) ? nodes : {};
}

/** Whether this workflow has data, since a trigger before this node keeps some. */
const mustHaveData = (n8n: StaticDataHost): boolean =>
	n8n.getParentNodes?.(n8n.getNode().name).some(({ type }) => TRIGGER_TYPES.test(type)) ?? false;
