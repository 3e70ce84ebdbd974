import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isEmpty, readWorkspaceId, valueOf } from '../../shared/values';
import { ServiceError } from '../http/errors';

/** What a node needs of n8n to send requests. */
export type N8nFunctions =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

export interface Session {
	n8n: N8nFunctions;
	credentialType: string;
	credentials: IDataObject;
	root: string;
}

export type Authentication = 'clientCredentials' | 'oAuth2';

export const readAuthentication = (value: unknown): Authentication =>
	value === 'oAuth2' ? 'oAuth2' : 'clientCredentials';

export type Environment = 'sandbox' | 'production';

export const credentialTypeOf = (authentication: Authentication): string =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

export async function readCredentials(
	n8n: N8nFunctions,
	authentication: Authentication,
): Promise<IDataObject> {
	return await n8n.getCredentials<IDataObject>(credentialTypeOf(authentication));
}

/** The workspace of a trigger, or else of its credential, in lower case. Throws an InputError for none. */
export async function readWorkspace(
	n8n: N8nFunctions,
	value: unknown,
	authentication: Authentication,
): Promise<string> {
	const { workspaceId } = n8n.getNode().parameters;
	const { defaultWorkspaceId } = isEmpty(valueOf(workspaceId))
		? await readCredentials(n8n, authentication)
		: {};
	return readWorkspaceId(value, workspaceId, defaultWorkspaceId).toLowerCase();
}

/** Throws a ServiceError for a credential that says neither, so that nothing is taken for a sandbox that is none. */
export function readEnvironment({ environment }: { environment?: unknown }): Environment {
	if (environment === 'sandbox' || environment === 'production') return environment;
	throw new ServiceError({
		message: 'The "Environment" of the credential is neither Sandbox nor Production',
		hint: 'Choose one of them in the credential. Nothing was sent.',
	});
}

/**
 * The functions of n8n with other signals that break off their requests. n8n asks for one whenever it
 * sends a request with a credential, and takes no other.
 */
export const withSignals = (n8n: N8nFunctions, ...signals: AbortSignal[]): N8nFunctions => {
	const signal = AbortSignal.any(signals);
	return Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as N8nFunctions;
};

/** Aborts when the execution is stopped; undefined where there is none, as in a webhook. */
export const stopSignal = (n8n: N8nFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
