import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type INode,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { EventKind } from '../api/endpoints';
import { ServiceError } from '../api/http/errors';
import { InputError } from '../shared/values';
import { readNodeData, writeNodeData } from '../shared/staticData';

/** A subscription that stands; `secret` signs its deliveries, encrypted, where the service told it. */
export interface Subscription {
	environment: string;
	workspaceId: string;
	url: string;
	events: EventKind[];
	/** Milliseconds since 1970. */
	madeAt?: number;
	secret?: string;
}

/** What n8n hands a trigger, when it is published and when a delivery comes. */
export type TriggerFunctions = IHookFunctions | IWebhookFunctions;

type TriggerIdentity = Pick<TriggerFunctions, 'getMode' | 'getNode' | 'getWorkflow'>;

/** What this process knows: a delivery that overlaps overwrites the static data with older one. */
const known = new Map<string, Subscription[]>();

/** Whether a person listens for a test event: n8n throws the static data of that away. */
const isTest = (n8n: TriggerIdentity): boolean => n8n.getMode() === 'manual';

/** Subscriptions of tests are known in this process alone. */
export const triggerKey = (n8n: TriggerIdentity): string =>
	isTest(n8n) ? 'tests' : `${n8n.getWorkflow().id ?? ''} ${n8n.getNode().id}`;

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
		.sort((one, other) => (one.madeAt ?? 0) - (other.madeAt ?? 0))
		.at(-1);

/** Remembers the subscriptions of a trigger, with those that were made now. */
export function rememberSubscriptions(n8n: TriggerFunctions, ...made: Subscription[]): void {
	const subscriptions = [...rememberedSubscriptions(n8n), ...made];
	known.set(triggerKey(n8n), subscriptions);
	if (!isTest(n8n)) writeNodeData(n8n, { subscriptions });
}

/** What n8n has stored of a trigger; nothing while a person listens for a test event. */
export const storedData = (n8n: TriggerFunctions): IDataObject =>
	isTest(n8n) ? {} : readNodeData(n8n);

/**
 * Makes an error handler that says why a trigger cannot do its work, as n8n shows it. What to do is in the
 * message too, since the editor shows nothing else when a workflow is published.
 */
export const rethrowTo =
	(n8n: { getNode: () => INode }) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
		throw new NodeOperationError(n8n.getNode(), `${error.message}. ${error.hint}`);
	};

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (clientSecret: string): Buffer =>
	Buffer.from(hkdfSync('sha256', clientSecret, '', 'webhook signing secret', 32));

/** Encrypts a secret with a key derived from the client's own, so that n8n stores nothing in clear. */
export function encrypt(secret: string, clientSecret: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(clientSecret), nonce);
	const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Decrypts a secret; undefined when the client's secret is another one now, or it is damaged. */
export function decrypt(encrypted: string, clientSecret: string): string | undefined {
	const bytes = Buffer.from(encrypted, 'base64');
	const nonce = bytes.subarray(0, NONCE_BYTES);
	const options = { authTagLength: TAG_BYTES };
	try {
		const decipher = createDecipheriv(CIPHER, keyOf(clientSecret), nonce, options);
		decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
		const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([decrypted, decipher.final()]).toString();
	} catch {
		// The tag does not fit the bytes and the key, or bytes are missing.
	}
	return undefined;
}
