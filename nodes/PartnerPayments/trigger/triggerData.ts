import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EventKind } from '../api/endpoints';
import { readNodeData, writeNodeData } from '../shared/staticData';
import { deduplicatorFor, EventDeduplicator } from './deduplicator';

/** A subscription that stands; `secret` signs its deliveries, encrypted, where the service told it. */
export interface Subscription {
	environment: string;
	workspaceId: string;
	url: string;
	events: EventKind[];
	secret?: string;
}

/** What n8n hands a trigger, when it is published and when a delivery comes. */
export type TriggerFunctions = IHookFunctions | IWebhookFunctions;

/** What tells one trigger from another. */
type TriggerIdentity = Pick<TriggerFunctions, 'getMode' | 'getNode' | 'getWorkflow'>;

/** What this process knows: a delivery that overlaps overwrites the static data with older one. */
const known = new Map<string, Subscription[]>();

/** Whether somebody listens for a test event: n8n throws the static data of that away. */
const isTest = (n8n: TriggerIdentity): boolean => n8n.getMode() === 'manual';

/** Subscriptions of tests are known in this process alone. */
export const triggerKey = (n8n: TriggerIdentity): string =>
	isTest(n8n) ? 'tests' : `${n8n.getWorkflow().id ?? ''} ${n8n.getNode().id}`;

/** The subscriptions that were made for a trigger. */
function rememberedSubscriptions(n8n: TriggerFunctions): Subscription[] {
	const { subscriptions } = storedData(n8n);
	// Only this module writes there, so that what is a list is a list of subscriptions.
	const stored = Array.isArray(subscriptions) ? (subscriptions as Subscription[]) : [];
	const all = [...stored, ...(known.get(triggerKey(n8n)) ?? [])];
	return [...new Map(all.map((one) => [JSON.stringify(one), { ...one }])).values()];
}

/** The subscription of a workspace that was made last: its secret signs what is delivered. */
export const newestSubscription = (
	n8n: TriggerFunctions,
	{ workspaceId, environment }: { workspaceId: string; environment: unknown },
): Subscription | undefined =>
	rememberedSubscriptions(n8n)
		.filter((one) => one.workspaceId === workspaceId && one.environment === environment)
		.at(-1);

/** The events that a trigger has received. Somebody who listens for a test event wants to see them all. */
export function deduplicatorOf(n8n: TriggerFunctions): EventDeduplicator {
	if (isTest(n8n)) return new EventDeduplicator();
	const deduplicator = deduplicatorFor(triggerKey(n8n));
	deduplicator.load(storedData(n8n).events);
	return deduplicator;
}

/** Stores the events and subscriptions of a trigger, with those that were made now. */
export function storeTriggerData(n8n: TriggerFunctions, ...made: Subscription[]): void {
	const subscriptions = [...rememberedSubscriptions(n8n), ...made];
	known.set(triggerKey(n8n), subscriptions);
	if (isTest(n8n)) return;
	writeNodeData(n8n, { subscriptions, events: deduplicatorOf(n8n).confirm([]) });
}

const storedData = (n8n: TriggerFunctions): IDataObject => (isTest(n8n) ? {} : readNodeData(n8n));
