import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INode,
} from 'n8n-workflow';

import { credentialTypeOf, readWorkspace, type N8nFunctions } from '../api/auth/credentials';
import type { EventKind } from '../api/endpoints';
import { ServiceError } from '../api/http/errors';
import { writtenParameter } from '../shared/parameters';
import { InputError } from '../shared/errors';
import { readNodeData, writeNodeData } from '../shared/staticData';

/** `secret` signs its deliveries. It is encrypted, and left out when the service returned none. */
export interface Subscription {
	environment: string;
	workspaceId: string;
	url: string;
	events: EventKind[];
	/** Milliseconds since 1970. */
	madeAt: number;
	secret?: string;
}

/** What n8n hands to a trigger: to subscribe, to receive a delivery, to poll, or to begin an execution. */
export type TriggerFunctions = Exclude<N8nFunctions, ILoadOptionsFunctions>;

type TriggerIdentity = Pick<TriggerFunctions, 'getMode' | 'getNode' | 'getWorkflow'>;

/** @throws InputError when the collection that it is in is one expression */
export function parameterOf(n8n: TriggerFunctions, name: string, fallback: unknown = ''): unknown {
	writtenParameter(n8n.getNode().parameters, name);
	return 'getInputData' in n8n
		? n8n.getNodeParameter(name, 0, fallback)
		: n8n.getNodeParameter(name, fallback);
}

export async function readAccount(n8n: TriggerFunctions) {
	const credentialType = credentialTypeOf(parameterOf(n8n, 'authentication'));
	const workspace = parameterOf(n8n, 'workspaceId');
	return { credentialType, workspaceId: await readWorkspace(n8n, workspace, credentialType) };
}

/** In this process: n8n may overwrite static data with older data when deliveries overlap. */
const known = new Map<string, Subscription[]>();

/** n8n does not keep the static data of a test. */
const isTest = (n8n: TriggerIdentity): boolean => n8n.getMode() === 'manual';

/** Names a trigger in this process. All tests share one. */
export const triggerKey = (n8n: TriggerIdentity): string =>
	isTest(n8n) ? 'tests' : `${n8n.getWorkflow().id ?? ''} ${n8n.getNode().id}`;

function rememberedSubscriptions(n8n: TriggerFunctions): Subscription[] {
	const { subscriptions } = storedData(n8n);
	// Only this module writes it.
	const stored = Array.isArray(subscriptions) ? (subscriptions as Subscription[]) : [];
	const all = [...stored, ...(known.get(triggerKey(n8n)) ?? [])];
	return [...new Map(all.map((one) => [JSON.stringify(one), { ...one }])).values()];
}

/** The newest subscription of a workspace. Its secret signs the deliveries. */
export const newestSubscription = (
	n8n: TriggerFunctions,
	{ workspaceId, environment }: { workspaceId: string; environment: unknown },
): Subscription | undefined =>
	rememberedSubscriptions(n8n)
		.filter((one) => one.workspaceId === workspaceId && one.environment === environment)
		.sort((one, other) => one.madeAt - other.madeAt)
		.at(-1);

export function rememberSubscriptions(n8n: TriggerFunctions, ...made: Subscription[]): void {
	const subscriptions = [...rememberedSubscriptions(n8n), ...made];
	known.set(triggerKey(n8n), subscriptions);
	if (!isTest(n8n)) {
		writeNodeData(n8n, { subscriptions });
	}
}

export const storedData = (n8n: TriggerFunctions): IDataObject =>
	isTest(n8n) ? {} : readNodeData(n8n);

/** Turns an error into one for n8n. The hint is in its message, since the editor shows nothing else on publishing. */
export const rethrowTo =
	(n8n: { getNode: () => INode }) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) {
			throw error;
		}
		throw new NodeOperationError(n8n.getNode(), `${error.message}. ${error.hint}`);
	};

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const cipherKeyOf = (clientSecret: string): Buffer =>
	Buffer.from(hkdfSync('sha256', clientSecret, '', 'webhook signing secret', 32));

/** Encrypts a secret with a key derived from the client secret. */
export function encrypt(secret: string, clientSecret: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv(CIPHER, cipherKeyOf(clientSecret), nonce);
	const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Decrypts a secret; undefined when the client secret has changed, or the text is damaged. */
export function decrypt(encrypted: string, clientSecret: string): string | undefined {
	const bytes = Buffer.from(encrypted, 'base64');
	const nonce = bytes.subarray(0, NONCE_BYTES);
	const options = { authTagLength: TAG_BYTES };
	try {
		const decipher = createDecipheriv(CIPHER, cipherKeyOf(clientSecret), nonce, options);
		decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
		const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([decrypted, decipher.final()]).toString();
	} catch {
		return undefined;
	}
}
