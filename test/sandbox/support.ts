import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { AxiosInstance, AxiosResponse } from 'axios';
import { parse } from 'yaml';
import type { components } from '../../contract/service';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/client';

type Schemas = components['schemas'];
export type Payable = Required<Schemas['Payable']>;
export type Funding = Required<Schemas['Funding']>;
export type Deposit = Required<Schemas['Deposit']>;
type ErrorBody = Schemas['Error'];

interface Contract {
	paths: Record<string, Record<string, ContractOperation | undefined>>;
}
interface ContractOperation {
	operationId?: string;
	responses?: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}

const contract = parse(
	readFileSync(join(__dirname, '..', '..', 'contract', 'openapi.yaml'), 'utf8'),
) as Contract;

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
ajv.addSchema(contract, 'contract');

interface Operation {
	operationId: string;
	method: string;
	template: string;
	pattern: RegExp;
	responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}

/** Every operation of the contract, those without parameters in the path first. */
export const operations: Operation[] = Object.entries(contract.paths)
	.flatMap(([template, item]) =>
		Object.entries(item).flatMap(([method, operation]) =>
			operation?.operationId === undefined
				? []
				: {
						operationId: operation.operationId,
						method,
						template,
						pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
						responses: operation.responses ?? {},
					},
		),
	)
	.sort((a, b) => a.template.split('{').length - b.template.split('{').length);

const pointer = (parts: string[]): string =>
	parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

const validators = new Map<string, ValidateFunction>();

function validator(operation: Operation, status: string): ValidateFunction {
	const at = pointer(['paths', operation.template, operation.method, 'responses', status]);
	const known = validators.get(at);
	if (known !== undefined) return known;
	const response = operation.responses[status];
	const place = `contract#/${response?.$ref?.slice(2) ?? at}/${pointer(['content', 'application/json', 'schema'])}`;
	// An answer that is listed without a content has none.
	const hasBody = response?.$ref !== undefined || response?.content !== undefined;
	const compiled = ajv.compile(hasBody ? { $ref: place } : { const: '' });
	validators.set(at, compiled);
	return compiled;
}

/** Operations whose answers have been checked in this file, with the statuses seen. */
export const seen = new Map<string, Set<number>>();

/**
 * Checks an answer against the contract, with nothing of the sandbox's own code in between.
 * @throws when the contract does not allow it
 */
export function conform(method: string, path: string, status: number, body: unknown): void {
	const operation = operations.find(
		(candidate) => candidate.method === method && candidate.pattern.test(path),
	);
	if (operation === undefined) return;
	const listed = String(status) in operation.responses ? String(status) : 'default';
	if (status < 400 && listed === 'default') {
		throw new Error(`${operation.operationId} answered ${status}, which the contract lacks.`);
	}
	const validate = validator(operation, listed);
	if (!validate(body)) {
		throw new Error(
			`${operation.operationId} ${status} breaks the contract: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
		);
	}
	const statuses = seen.get(operation.operationId) ?? new Set<number>();
	seen.set(operation.operationId, statuses.add(status));
}

const validEvent = ajv.compile({ $ref: 'contract#/components/schemas/Event' });

/**
 * Checks what a subscriber gets against the contract.
 * @throws when the contract does not allow it
 */
export function conformEvent(event: unknown): void {
	if (validEvent(event)) return;
	throw new Error(`An event breaks the contract: ${ajv.errorsText(validEvent.errors)}`);
}

/** Makes every answer of the client be checked against the contract. */
export function checked(client: AxiosInstance): AxiosInstance {
	client.interceptors.response.use((response) => {
		const { method = 'get', url = '' } = response.config;
		conform(method, url.split('?')[0] ?? '', response.status, response.data);
		return response;
	});
	return client;
}

/** A sandbox for one test file, and the calls that tests make all the time. */
export class World {
	/** The API as the demonstration's client. */
	api!: AxiosInstance;
	sandbox!: Sandbox;

	constructor(private readonly options: SandboxOptions = {}) {
		beforeAll(async () => {
			this.sandbox = await startSandbox({ requestsPerMinute: 1_000_000, ...this.options });
			this.api = await this.client();
		});
		afterAll(async () => {
			await this.sandbox.stop();
		});
	}

	/** The API with another token, or with none. */
	async client(token?: string | null): Promise<AxiosInstance> {
		return checked(await this.sandbox.api(token));
	}

	/** A payable in draft; 1000 us_cents for the verified vendor unless told otherwise. */
	async payable(fields: Partial<Schemas['PayableCreate']> = {}): Promise<Payable> {
		const payee =
			fields.payee_service_id === undefined
				? { payee_email: this.sandbox.verifiedVendorEmail }
				: {};
		const body = { workspace_id: this.sandbox.workspaceId, amount: 1000, ...payee, ...fields };
		return ok(await this.api.post<{ payable: Payable }>('/payable', body)).payable;
	}

	async approve(id: string): Promise<Payable> {
		return ok(await this.api.post<{ payable: Payable }>(`/payable/${id}/approve`)).payable;
	}

	/** An approved payable. */
	async approved(fields: Partial<Schemas['PayableCreate']> = {}): Promise<Payable> {
		return await this.approve((await this.payable(fields)).id);
	}

	/** Asks for a funding of these payables, for their sum unless told otherwise. */
	async fund(
		payables: Payable[],
		fields: Partial<Schemas['FundingCreate']> = {},
	): Promise<AxiosResponse<{ funding: Funding }>> {
		return await this.api.post<{ funding: Funding }>('/funding', {
			workspace_id: this.sandbox.workspaceId,
			method: 'balance',
			amount: payables.reduce((sum, { amount }) => sum + amount, 0),
			payable_ids: payables.map(({ id }) => id),
			...fields,
		});
	}

	/** A funding that must succeed. */
	async funded(
		payables: Payable[],
		fields: Partial<Schemas['FundingCreate']> = {},
	): Promise<Funding> {
		return ok(await this.fund(payables, fields)).funding;
	}

	/** A simulated deposit. */
	async deposit(amount: number, workspaceId = this.sandbox.workspaceId): Promise<Deposit> {
		const path = `/workspace/${workspaceId}/wallet/deposit`;
		return ok(await this.api.post<{ deposit: Deposit }>(path, { amount })).deposit;
	}

	async link(funding: Funding, deposit: { id: string }): Promise<AxiosResponse> {
		return await this.api.post(`/funding/${funding.id}/link-deposit`, { deposit_id: deposit.id });
	}

	/** The payable as it stands now. */
	async now(payable: { id: string }): Promise<Payable> {
		const found = (await this.sandbox.control.payables()).find(({ id }) => id === payable.id);
		if (found === undefined) throw new Error(`There is no payable ${payable.id}.`);
		return found;
	}

	/** What the wallet of a workspace holds, in minor units. */
	async balance(workspaceId = this.sandbox.workspaceId): Promise<number> {
		return ok(await this.api.get<Schemas['Wallet']>(`/workspace/${workspaceId}/wallet`)).balance;
	}
}

/** The body of an answer that must be a success. */
export function ok<T>(response: AxiosResponse<T>): T {
	expect({ status: response.status, body: response.data }).toEqual({
		status: 200,
		body: response.data,
	});
	return response.data;
}

/** The status, code and message of an answer that must be a refusal in the API's own form. */
export function refusal(response: AxiosResponse): {
	status: number;
	code: string;
	message: string;
} {
	const { error } = response.data as ErrorBody;
	return { status: response.status, code: error.code, message: error.message };
}
