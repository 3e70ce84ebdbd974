import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { readLocatorValue } from '../../shared/fieldReaders';
import { isEmpty } from '../../shared/typeGuards';
import { readWorkspaceId } from '../../shared/workspaceIds';
import { ServiceError } from '../http/errors';

/** What a node needs of n8n to send requests. */
export type N8nFunctions =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

export interface Session {
	n8n: N8nFunctions;
	credentialType: CredentialType;
	credentials: IDataObject;
	root: string;
}

export type CredentialType = 'partnerPaymentsApi' | 'partnerPaymentsOAuth2Api';

/** The credential that a node uses, by the value of its "Authentication". */
export const credentialTypeOf = (authentication: unknown): CredentialType =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

export type Environment = 'sandbox' | 'production';

/**
 * The workspace of a trigger, or else of its credential, in lower case. Throws an InputError when
 * neither has one.
 */
export async function readWorkspace(
	n8n: N8nFunctions,
	value: unknown,
	credentialType: CredentialType,
): Promise<string> {
	const { workspaceId } = n8n.getNode().parameters;
	const { defaultWorkspaceId } = isEmpty(readLocatorValue(workspaceId))
		? await n8n.getCredentials<IDataObject>(credentialType)
		: {};
	const id = readWorkspaceId({ value, written: workspaceId, fallback: defaultWorkspaceId });
	return id.toLowerCase();
}

/** Throws a ServiceError for any other value, so that no payment is taken for one in the sandbox. */
export function readEnvironment({ environment }: { environment?: unknown }): Environment {
	if (environment === 'sandbox' || environment === 'production') {
		return environment;
	}

	throw new ServiceError({
		message: 'The "Environment" of the credential is neither Sandbox nor Production',
		hint: 'Choose one of them in the credential. Nothing was sent.',
	});
}

/**
 * n8n's functions, with requests that end when one of these signals aborts. n8n takes the signal of a
 * request with a credential only from there.
 */
export const withSignals = (n8n: N8nFunctions, ...signals: AbortSignal[]): N8nFunctions => {
	const signal = AbortSignal.any(signals);
	return Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as N8nFunctions;
};

/** Aborts when the execution is stopped; undefined where nothing can be stopped, as in a webhook. */
export const stopSignal = (n8n: N8nFunctions): AbortSignal | undefined =>
	'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
