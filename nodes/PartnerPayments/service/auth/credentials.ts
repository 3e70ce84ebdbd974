import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** What a node needs of n8n to send requests. */
export type N8nFunctions = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

/** What requests are authenticated with. */
export interface Session {
	n8n: N8nFunctions;
	credentialType: string;
	credentials: IDataObject;
	/** The API's base URL. */
	root: string;
}

/** The values of the node's Authentication field. */
export type Authentication = 'clientCredentials' | 'oAuth2';

/** The name of the credential type that the node uses. */
export const credentialTypeOf = (authentication: Authentication): string =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

/** The decrypted credential of the node. */
export async function readCredentials(
	n8n: N8nFunctions | IWebhookFunctions,
	authentication: Authentication,
): Promise<IDataObject> {
	return await n8n.getCredentials<IDataObject>(credentialTypeOf(authentication));
}
