import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { AxiosInstance } from 'axios';
import { parse } from 'yaml';
import type { OperationId } from '../../sandbox/contract/contract';

/** The part of JSON schema that the contract is made of. */
export interface Schema {
	$ref?: string;
	oneOf?: Schema[];
	const?: unknown;
	enum?: unknown[];
	type?: string | string[];
	format?: string;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	/** Says that the service does not document it. */
	'x-open'?: string;
}

interface ContractOperation {
	operationId?: OperationId;
	requestBody?: { content?: Record<string, { schema?: Schema }> };
	responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
}

export const contract = parse(
	readFileSync(join(__dirname, '..', '..', 'contract', 'openapi.yaml'), 'utf8'),
) as { paths: Record<string, Record<string, ContractOperation>> };

/** What a schema says, also where it only names another one. */
export function resolve(schema: Schema): Schema {
	if (schema.$ref === undefined) {
		return schema;
	}

	const path = schema.$ref.split('/').slice(1);
	return path.reduce<unknown>(
		(part, name) => (part as Record<string, unknown>)[name],
		contract,
	) as Schema;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
ajv.addSchema(contract, 'contract');
ajv.addSchema({ const: '' }, 'nothing');

/** Every operation of the contract, those without parameters in the path first. */
export const operations = Object.entries(contract.paths)
	.flatMap(([template, item]) =>
		Object.entries(item).flatMap(([method, { operationId, requestBody, responses }]) => {
			if (operationId === undefined) {
				return [];
			}

			const schema = requestBody?.content?.['application/json']?.schema;
			const answer = responses['200']?.content?.['application/json']?.schema;
			const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);

			return { operationId, method, template, pattern, schema, answer, responses };
		}),
	)
	.sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/** Every operation that reads a list and nothing else, with the name of the list. */
export const listOperations = operations.flatMap(
	({ operationId, method, template, answer = {} }) => {
		const [property, ...others] = Object.entries(resolve(answer).properties ?? {});
		const isList = property?.[1].type === 'array' && others.length === 0;
		if (method !== 'get' || !isList) {
			return [];
		}

		return [{ operationId, template, list: property[0] }];
	},
);

/** Operations whose answers have been checked in this file. */
export const checkedOperations = new Set<string>();

/** The operation that a call means, by its method in lower case and its path below the API. */
export const operationOf = (method: string, path: string) =>
	operations.find((one) => one.method === method && one.pattern.test(path));

/** @throws when a value is not as a schema wants it */
function check(what: string, schema: string, value: unknown): void {
	const validate = ajv.getSchema(schema);
	if (validate?.(value) === true) {
		return;
	}

	const faults = ajv.errorsText(validate?.errors);
	throw new Error(`${what} breaks the contract: ${faults}\n${JSON.stringify(value)}`);
}

/**
 * Checks an answer against the contract, with nothing of the sandbox's own code in between.
 * @throws when the contract does not allow it
 */
export function checkResponse(method: string, path: string, status: number, body: unknown): void {
	const operation = operationOf(method, path);
	if (operation === undefined) {
		return;
	}

	const { operationId, template, responses } = operation;
	const listed = String(status) in responses ? String(status) : 'default';
	if (status < 400 && listed === 'default') {
		throw new Error(`${operationId} answered ${status}, which the contract lacks.`);
	}

	const { $ref, content } = responses[listed] ?? {};
	const place = $ref ?? `#/paths/${template.replaceAll('/', '~1')}/${method}/responses/${listed}`;
	// An answer that is listed without a content has none.
	const hasBody = $ref !== undefined || content !== undefined;
	const schema = `contract${place}/content/application~1json/schema`;
	check(`${operationId} ${status}`, hasBody ? schema : 'nothing', body);
	checkedOperations.add(operationId);
}

/**
 * Checks what a subscriber gets against the contract.
 * @throws when the contract does not allow it
 */
export function checkEvent(event: unknown): void {
	check('An event', 'contract#/components/schemas/Event', event);
}

/** Makes every answer of the client be checked against the contract. */
export function withContractChecks(client: AxiosInstance): AxiosInstance {
	client.interceptors.response.use((response) => {
		const { method = 'get', url = '' } = response.config;
		checkResponse(method, url.split('?')[0] ?? '', response.status, response.data);

		return response;
	});

	return client;
}
