import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { signingSecret } from '../service/api/responseReaders';
import { connect, readCredentials } from '../service/api/client';
import {
	createWebhookSubscription,
	eventIdentifiers,
	type EventKind,
} from '../service/api/webhookSubscriptions';
import { seal, unseal } from './encryption';
import { readSettings, type Settings } from './parameters';

/*
 * The service can neither list nor delete subscriptions. So one is made for each workspace and
 * address, remembered for good, and used again; deactivating a workflow leaves it as it is.
 */

/** A subscription that stands; `secret` signs its deliveries, sealed, where the service told it. */
interface Subscription {
	environment: string;
	workspaceId: string;
	url: string;
	events: EventKind[];
	secret?: string;
}

type Context = IHookFunctions | IWebhookFunctions;

/** What this process knows: a delivery that overlaps overwrites the static data with older one. */
const known = new Map<string, Subscription[]>();

/** Those of "Listen for test event" are known here alone: n8n throws their static data away. */
const isTest = (context: Context): boolean => context.getMode() === 'manual';
const triggerOf = (context: Context): string =>
	isTest(context) ? 'tests' : `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;

function remembered(context: Context): Subscription[] {
	const { subscriptions }: { subscriptions?: unknown } = isTest(context)
		? {}
		: context.getWorkflowStaticData('node');
	// Only this module writes there, so that what is a list is a list of subscriptions.
	const stored = Array.isArray(subscriptions) ? (subscriptions as Subscription[]) : [];
	const all = [...stored, ...(known.get(triggerOf(context)) ?? [])];
	return [...new Map(all.map((one) => [JSON.stringify(one), { ...one }])).values()];
}

/** Remembers a subscription, and writes again what an overlapping delivery may have overwritten. */
export function rememberSubscriptions(context: Context, ...made: Subscription[]): void {
	const all = [...remembered(context), ...made];
	known.set(triggerOf(context), all);
	if (!isTest(context)) context.getWorkflowStaticData('node').subscriptions = all;
}

/**
 * Whether the trigger has a subscription that covers all events it is to hear of. One whose secret
 * cannot be read any more does not count: its deliveries could not be told from forged ones.
 */
export async function isSubscribed(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	const wanted = await wantedBy(context, settings);
	const { clientSecret } = await readCredentials(context, settings.authentication);
	return remembered(context).some(
		({ environment, workspaceId, url, events, secret }) =>
			environment === wanted.environment &&
			workspaceId === wanted.workspaceId &&
			url === wanted.url &&
			wanted.events.every((event) => events.includes(event)) &&
			(secret === undefined || unseal(secret, text(clientSecret)) !== undefined),
	);
}

/**
 * Subscribes the trigger's address to its events, and remembers it.
 *
 * @throws ServiceError when the service did not take it
 */
export async function subscribe(context: IHookFunctions): Promise<void> {
	const settings = readSettings(context);
	const wanted = await wantedBy(context, settings);
	const service = await connect(context, settings.authentication);
	const { urlKey, eventsKey, more } = settings.subscription;
	const answer = await createWebhookSubscription(service, wanted.workspaceId, {
		[urlKey]: wanted.url,
		[eventsKey]: eventIdentifiers(wanted.events),
		...more,
	});
	const secret = signingSecret(answer);
	const { clientSecret } = await readCredentials(context, settings.authentication);
	const sealed = secret === undefined ? {} : { secret: seal(secret, text(clientSecret)) };
	rememberSubscriptions(context, { ...wanted, ...sealed });
}

async function wantedBy(
	context: IHookFunctions,
	{ authentication, workspaceId, kinds }: Settings,
): Promise<Subscription> {
	const { environment } = await readCredentials(context, authentication);
	return {
		environment: text(environment),
		workspaceId,
		url: context.getNodeWebhookUrl('default') ?? '',
		events: kinds,
	};
}

/**
 * The secrets that may sign a delivery: the account's own and those of the workspace's subscriptions.
 *
 * @returns none when deliveries are not signed as far as anybody has told; `isLost` when there are
 *   remembered ones, of which none can be read any more, since the client has got another secret
 */
export async function signingSecrets(
	context: IWebhookFunctions,
	{ authentication, workspaceId }: Settings,
): Promise<{ secrets: string[]; isLost: boolean }> {
	const credentials: IDataObject = await readCredentials(context, authentication);
	const own = text(credentials.webhookSigningSecret);
	const sealed = remembered(context).flatMap((one) =>
		one.workspaceId === workspaceId && one.secret !== undefined ? [one.secret] : [],
	);
	const opened = sealed.flatMap((secret) => unseal(secret, text(credentials.clientSecret)) ?? []);
	return {
		secrets: own === '' ? opened : [own, ...opened],
		isLost: own === '' && opened.length === 0 && sealed.length > 0,
	};
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
