import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type NodeParameterValueType,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** The values of a credential. */
export type StoredCredentials = ICredentialDataDecryptedObject;

/**
 * The credentials of an execution, with n8n's own rules for tokens that expire: a token is asked for
 * when the field that holds it is empty or when the service refused it, and is stored then. Only the
 * database is missing: every credential has the values given here.
 */
export class EngineCredentials extends ICredentialsHelper {
	constructor(
		private readonly types: ICredentialType[],
		private readonly stored: StoredCredentials,
	) {
		super();
	}

	getParentTypes(name: string): string[] {
		return this.type(name).extends ?? [];
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		return this.type(name).properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		if (typeof authenticate !== 'function') {
			throw new Error(`${typeName} does not say how to authenticate`);
		}
		return await authenticate(credentials, request as IHttpRequestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		_node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication, properties } = this.type(typeName);
		const expirable = properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (expirable === undefined || preAuthentication === undefined) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const output = await preAuthentication.call(helpers, credentials);
		const renewed = output as ICredentialDataDecryptedObject;
		if (renewed[expirable.name] === undefined) return undefined;
		await this.updateCredentials({ id: typeName, name: typeName }, typeName, renewed);
		return Object.assign(credentials, renewed);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const output = await this.type(typeName).preAuthentication?.call(helpers, credentials);
		return output as ICredentialDataDecryptedObject | undefined;
	}

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const credentials = new Credentials({ id: details.id ?? '', name: details.name }, type);
		await credentials.setData(this.stored);
		return credentials;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_details: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data: StoredCredentials = {};
		for (const { name, default: value } of this.type(typeName).properties) {
			data[name] = value as StoredCredentials[string];
		}
		Object.assign(data, this.stored);
		if (raw === true || resolve === undefined) return await Promise.resolve(data);
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
		const resolved = workflow.expression.getParameterValue(
			data as NodeParameterValueType,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
			false,
			data,
		);
		return resolved as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		_details: INodeCredentialsDetails,
		_typeName: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		Object.assign(this.stored, data);
		await Promise.resolve();
	}

	async updateCredentialsOauthTokenData(
		details: INodeCredentialsDetails,
		typeName: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.updateCredentials(details, typeName, data);
	}

	private type(name: string): ICredentialType {
		const found = this.types.find((type) => type.name === name);
		if (found === undefined) throw new Error(`There is no credential type ${name}`);
		return found;
	}
}
