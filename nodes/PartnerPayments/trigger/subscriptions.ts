import { NodeOperationError, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { Client } from '../service/api/client';
import {
	eventIdentifiers,
	subscribeForSecret,
	type EventKind,
} from '../service/api/webhookSubscriptions';
import { readCredentials } from '../service/auth/credentials';
import { ServiceError } from '../service/http/errors';
import { InputError } from '../shared/inputError';
import { decrypt, encrypt } from './encryption';
import { readParameters, type TriggerParameters } from './parameters';

/*
 * The service can neither list nor delete subscriptions. So one is made for each workspace and
 * address, remembered for good, and used again; deactivating a workflow leaves it as it is.
 */

/** A subscription that stands; `secret` signs its deliveries, encrypted, where the service told it. */
interface Subscription {
	environment: string;
	workspaceId: string;
	url: string;
	events: EventKind[];
	secret?: string;
}

type TriggerFunctions = IHookFunctions | IWebhookFunctions;

/** What this process knows: a delivery that overlaps overwrites the static data with older one. */
const known = new Map<string, Subscription[]>();

/** Those of "Listen for test event" are known here alone: n8n throws their static data away. */
const isTest = (n8n: TriggerFunctions): boolean => n8n.getMode() === 'manual';
const triggerOf = (n8n: TriggerFunctions): string =>
	isTest(n8n) ? 'tests' : `${n8n.getWorkflow().id ?? ''} ${n8n.getNode().id}`;

function remembered(n8n: TriggerFunctions): Subscription[] {
	const { subscriptions }: { subscriptions?: unknown } = isTest(n8n)
		? {}
		: n8n.getWorkflowStaticData('node');
	// Only this module writes there, so that what is a list is a list of subscriptions.
	const stored = Array.isArray(subscriptions) ? (subscriptions as Subscription[]) : [];
	const all = [...stored, ...(known.get(triggerOf(n8n)) ?? [])];
	return [...new Map(all.map((one) => [JSON.stringify(one), { ...one }])).values()];
}

/** Stores subscriptions, and writes again what an overlapping delivery may have overwritten. */
export function storeSubscriptions(n8n: TriggerFunctions, ...made: Subscription[]): void {
	const all = [...remembered(n8n), ...made];
	known.set(triggerOf(n8n), all);
	if (!isTest(n8n)) n8n.getWorkflowStaticData('node').subscriptions = all;
}

/**
 * Whether the trigger has a subscription that covers all events it is to hear of. One whose secret
 * cannot be read any more does not count: its deliveries could not be told from forged ones.
 */
export async function isSubscribed(n8n: IHookFunctions): Promise<boolean> {
	const parameters = readParameters(n8n);
	const wanted = await wantedBy(n8n, parameters);
	const { clientSecret } = await readCredentials(n8n, parameters.authentication);
	return remembered(n8n).some(
		({ environment, workspaceId, url, events, secret }) =>
			environment === wanted.environment &&
			workspaceId === wanted.workspaceId &&
			url === wanted.url &&
			wanted.events.every((event) => events.includes(event)) &&
			(secret === undefined || decrypt(secret, text(clientSecret)) !== undefined),
	);
}

/**
 * Subscribes the trigger's address to its events, and remembers it.
 *
 * @throws ServiceError when the service did not take it
 */
export async function subscribe(n8n: IHookFunctions): Promise<void> {
	const parameters = readParameters(n8n);
	const wanted = await wantedBy(n8n, parameters);
	const client = await Client.connect(n8n, parameters.authentication);
	const { urlKey, eventsKey, extraFields } = parameters.subscription;
	const secret = await subscribeForSecret(client, wanted.workspaceId, {
		[urlKey]: wanted.url,
		[eventsKey]: eventIdentifiers(wanted.events),
		...extraFields,
	});
	const { clientSecret } = await readCredentials(n8n, parameters.authentication);
	const encrypted = secret === undefined ? {} : { secret: encrypt(secret, text(clientSecret)) };
	storeSubscriptions(n8n, { ...wanted, ...encrypted });
}

async function wantedBy(
	n8n: IHookFunctions,
	{ authentication, workspaceId, kinds }: TriggerParameters,
): Promise<Subscription> {
	const { environment } = await readCredentials(n8n, authentication);
	return {
		environment: text(environment),
		workspaceId,
		url: n8n.getNodeWebhookUrl('default') ?? '',
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
	n8n: IWebhookFunctions,
	{ authentication, workspaceId }: TriggerParameters,
): Promise<{ secrets: string[]; isLost: boolean }> {
	const credentials = await readCredentials(n8n, authentication);
	const own = text(credentials.webhookSigningSecret);
	const encrypted = remembered(n8n).flatMap((one) =>
		one.workspaceId === workspaceId && one.secret !== undefined ? [one.secret] : [],
	);
	const decrypted = encrypted.flatMap(
		(secret) => decrypt(secret, text(credentials.clientSecret)) ?? [],
	);
	return {
		secrets: own === '' ? decrypted : [own, ...decrypted],
		isLost: own === '' && decrypted.length === 0 && encrypted.length > 0,
	};
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Makes an error handler that says why the trigger cannot be activated, as n8n shows it. */
export const rethrowTo =
	(n8n: IHookFunctions) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
		throw new NodeOperationError(n8n.getNode(), error.message, { description: error.hint });
	};
