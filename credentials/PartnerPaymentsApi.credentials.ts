import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { ANY_ANSWER, textResponse } from '../nodes/PartnerPayments/api/http/message';
import { sharedToken } from '../nodes/PartnerPayments/api/auth/accessToken';
import { hiddenField, textField } from '../nodes/PartnerPayments/shared/fields';
import { accountFields, icon, usageFields } from './sharedFields';

export class PartnerPaymentsApi implements ICredentialType {
	name = 'partnerPaymentsApi';

	displayName = 'Partner Payments API';

	icon = icon;

	documentationUrl = 'https://github.com/partner-payments/n8n-nodes-partner-payments#credentials';

	properties: INodeProperties[] = [
		...accountFields,
		textField('Audience', 'audience', {
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Audience of the API, as the operator of the service gave it. Each environment has its own.',
		}),
		...usageFields,
		hiddenField('Access Token', 'accessToken', {
			typeOptions: { expirable: true, password: true },
		}),
	];

	/** Called by n8n when there is no token yet, and when the service refused the one there is. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const rejected = typeof credentials.accessToken === 'string' ? credentials.accessToken : '';
		const accessToken = await sharedToken(credentials, rejected, async (request) => {
			const response: unknown = await this.helpers.httpRequest({ ...request, ...ANY_ANSWER });
			return await textResponse(response);
		});
		return { accessToken };
	}

	/**
	 * Puts the token into a request, in the object of its headers as n8n does it for OAuth2, so that
	 * the sender knows which one was sent. An expression would cost n8n more time than the rest of the
	 * request.
	 */
	async authenticate(
		{ accessToken }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const token = typeof accessToken === 'string' ? accessToken : '';
		request.headers = Object.assign(request.headers ?? {}, { Authorization: `Bearer ${token}` });
		return await Promise.resolve(request);
	}
}
