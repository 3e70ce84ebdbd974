import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	NodeParameterValueType,
} from 'n8n-workflow';

/** The values of a credential. */
export type StoredCredentials = ICredentialDataDecryptedObject;

/**
 * The credentials of an execution, with n8n's own rules for tokens that expire: a token is asked for
 * when the field that holds it is empty or when the service refused it, and is stored then. Only the
 * database is missing: every credential has the values given here.
 */
export function engineCredentials(
	types: ICredentialType[],
	stored: StoredCredentials,
): Pick<ICredentialsHelper, keyof ICredentialsHelper> {
	const typeOf = (name: string): ICredentialType => {
		const found = types.find((type) => type.name === name);
		if (found === undefined) {
			throw new Error(`There is no credential type ${name}`);
		}

		return found;
	};

	const update = async (data: StoredCredentials): Promise<void> => {
		Object.assign(stored, data);
		await Promise.resolve();
	};

	return {
		getParentTypes: (name) => typeOf(name).extends ?? [],
		getCredentialsProperties: (name) => typeOf(name).properties,
		isCredentialUsableByNode: () => true,
		authenticate: async (credentials, typeName, request) => {
			const { authenticate } = typeOf(typeName);
			if (typeof authenticate !== 'function') {
				throw new Error(`${typeName} does not say how to authenticate`);
			}

			return await authenticate(credentials, request as IHttpRequestOptions);
		},
		preAuthentication: async (helpers, credentials, typeName, _node, credentialsExpired) => {
			const { preAuthentication, properties } = typeOf(typeName);
			const expirable = properties.find(
				({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
			);
			if (expirable === undefined || preAuthentication === undefined) {
				return undefined;
			}

			if (credentials[expirable.name] !== '' && !credentialsExpired) {
				return undefined;
			}

			const output = await preAuthentication.call(helpers, credentials);
			const renewed = output as StoredCredentials;
			if (renewed[expirable.name] === undefined) {
				return undefined;
			}

			await update(renewed);

			return Object.assign(credentials, renewed);
		},
		runPreAuthentication: async (helpers, credentials, typeName) => {
			const output = await typeOf(typeName).preAuthentication?.call(helpers, credentials);
			return output as StoredCredentials | undefined;
		},
		getCredentials: () => {
			throw new Error('An engine test has no database');
		},
		getDecrypted: async (_data, _details, typeName, mode, executeData, raw, resolve) => {
			const data: StoredCredentials = {};
			for (const { name, default: value } of typeOf(typeName).properties) {
				data[name] = value as StoredCredentials[string];
			}

			Object.assign(data, stored);
			if (raw === true || resolve === undefined) {
				return await Promise.resolve(data);
			}

			const resolved = resolve.workflow.expression.getParameterValue(
				data as NodeParameterValueType,
				resolve.runExecutionData,
				resolve.runIndex,
				resolve.itemIndex,
				resolve.node.name,
				resolve.connectionInputData,
				mode,
				{},
				executeData,
				false,
				data,
			);

			return resolved as StoredCredentials;
		},
		updateCredentials: async (_details, _typeName, data) => await update(data),
		updateCredentialsOauthTokenData: async (_details, _typeName, data) => await update(data),
	};
}
