import type { ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, type Document, type Operation } from 'openapi-backend';
import { parse } from 'yaml';
import type { operations } from '../../contract/service';
import { builtIn } from '../shared/builtIn';
import type { FieldError } from '../shared/errors';

/** Every operation that the service answers (receiveEvent is answered by subscribers). */
export type OperationId = Exclude<keyof operations, 'receiveEvent'>;

/** Under which path of its host the REST API stands; part of {base_url}. */
export const API_ROOT = '/api';

export const readContract = (): Document => parse(builtIn.contract) as Document;

/** Every operation of the service, in the order of the contract. */
export const operationIds: string[] = Object.values(readContract().paths ?? {}).flatMap((item) =>
	[item?.get, item?.post, item?.delete].flatMap((operation) => operation?.operationId ?? []),
);

type HostName = 'authentication' | 'api';

// A path of the contract names its server when it is not {base_url}.
const hosts: Record<string, { host: HostName; prefix: string }> = {
	'{auth_url}': { host: 'authentication', prefix: '' },
	'{api_origin}': { host: 'api', prefix: '' },
	'{base_url}': { host: 'api', prefix: API_ROOT },
};

export interface MatchedOperation {
	operation: Operation;
	operationId: string;
	/** The path as the contract writes it, without the root of the API. */
	template: string;
	/** Under which name the answer has a list that may come in pages; undefined when it has none. */
	list: string | undefined;
}

/** What arrives, as far as the contract is concerned. */
export interface ContractRequest {
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[]>;
	body: unknown;
}

/** The part of the contract that one host answers: routing, and checking of both directions. */
export class HostContract {
	private constructor(
		private readonly backend: OpenAPIBackend,
		private readonly templates: Map<string, string>,
		private readonly absent: readonly string[],
	) {}

	/**
	 * Reads the contract and keeps the part of one host.
	 * @param absent operations that this environment does not have
	 * @throws when the contract cannot be read, so that the sandbox does not start
	 */
	static async load(host: HostName, absent: OperationId[] = []): Promise<HostContract> {
		const document = readContract();
		const templates = new Map<string, string>();
		const paths: NonNullable<Document['paths']> = {};
		for (const [template, item] of Object.entries(document.paths ?? {})) {
			const server = hosts[item?.servers?.[0]?.url ?? '{base_url}'];
			if (item === undefined || server?.host !== host) {
				continue;
			}

			paths[server.prefix + template] = item;
			templates.set(server.prefix + template, template);
		}

		const backend = new OpenAPIBackend({
			definition: { ...document, paths } as Document,
			strict: true,
			// Skips the library's own check of the document, which knows OpenAPI 3.0 only.
			quick: true,
			ignoreTrailingSlashes: false,
			ajvOpts: { allErrors: true, strict: false },
			customizeAjv: (ajv) => {
				addFormats(ajv);
				return ajv;
			},
		});

		await backend.init();
		return new HostContract(backend, templates, absent);
	}

	/** The operation that a method and path mean, or undefined when the contract has none. */
	match(method: string, path: string): MatchedOperation | undefined {
		const operation = this.backend.router.matchOperation({ method, path, headers: {} });
		if (operation?.operationId === undefined) {
			return undefined;
		}

		if (this.absent.includes(operation.operationId)) {
			return undefined;
		}

		return {
			operation,
			operationId: operation.operationId,
			template: this.templates.get(operation.path) ?? operation.path,
			list: listOf(operation),
		};
	}

	/** The path's parameters, for example `{ id }`. */
	parameters({ operation }: MatchedOperation, request: ContractRequest): Record<string, string> {
		// The library types these as anything; a path's parameters are text.
		const parsed: { params: unknown } = this.backend.router.parseRequest(request, operation);
		return Object.fromEntries(
			Object.entries(parsed.params ?? {}).map(([name, value]) => [name, String(value)]),
		);
	}

	/** What is wrong with a request, field by field; empty when nothing is. */
	requestErrors({ operation }: MatchedOperation, request: ContractRequest): FieldError[] {
		const { errors } = this.backend.validator.validateRequest(request, operation);
		return describeErrors(errors ?? []);
	}

	/** What is wrong with an answer, field by field; empty when nothing is. */
	responseErrors({ operation }: MatchedOperation, status: number, body: unknown): FieldError[] {
		const { errors } = this.backend.validator.validateResponse(body, operation, status);
		return describeErrors(errors ?? []);
	}
}

/** The name of the list that an operation answers: one that takes a cursor. */
function listOf({ parameters, responses }: Operation): string | undefined {
	const takesCursor = parameters?.some((one) => 'name' in one && one.name === 'cursor') ?? false;
	const answer = responses?.['200'];
	if (!takesCursor || answer === undefined || !('content' in answer)) {
		return undefined;
	}

	const { 'application/json': json = {} } = answer.content ?? {};
	const schema = json.schema ?? {};
	const properties: object = ('properties' in schema && schema.properties) || {};
	const list = Object.entries(properties).find(([, property]) => isArray(property));
	return list?.[0];
}

const isArray = (schema: unknown): boolean =>
	typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'array';

/** Each thing that is wrong, once. */
function describeErrors(errors: ErrorObject[]): FieldError[] {
	const found = new Map<string, FieldError>();
	for (const error of errors) {
		const detail = describeError(error);
		if (detail !== undefined) {
			found.set(`${detail.field} ${detail.message}`, detail);
		}
	}

	return [...found.values()];
}

/** A schema error as a person reads it; one that only repeats another says nothing. */
function describeError(error: ErrorObject): FieldError | undefined {
	const { keyword, instancePath, params, message = 'is not accepted' } = error;
	const field = fieldName(instancePath);
	if (keyword === 'if') {
		return undefined;
	}

	if (keyword === 'required') {
		return { field: joinName(field, String(params['missingProperty'])), message: 'is required' };
	}

	if (keyword === 'additionalProperties') {
		return { field: String(params['additionalProperty']), message: 'is no parameter of this call' };
	}

	const allowed = (params['allowedValues'] ?? params['allowedValue']) as
		string[] | string | undefined;
	if (allowed === undefined) {
		return { field, message };
	}

	return { field, message: `must be one of: ${[allowed].flat().join(', ')}` };
}

/** `/requestBody/line_items/0/amount` → `line_items[0].amount` */
function fieldName(pointer: string): string {
	const inRequest = pointer.replace(/^\/(requestBody|path|query|header)/, '');
	const parts = inRequest.split('/').slice(1);
	let name = '';
	for (const part of parts) {
		const isIndex = /^\d+$/.test(part);
		name = isIndex ? `${name}[${part}]` : joinName(name, part);
	}

	return name;
}

const joinName = (parent: string, child: string): string =>
	parent === '' ? child : `${parent}.${child}`;
