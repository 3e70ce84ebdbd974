import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { AxiosInstance } from 'axios';
import { parse } from 'yaml';

interface ContractOperation {
	operationId?: string;
	responses?: Responses;
}
type Responses = Record<string, { $ref?: string; content?: Record<string, unknown> }>;
type Paths = Record<string, Record<string, ContractOperation | undefined>>;

const contract = parse(
	readFileSync(join(__dirname, '..', '..', 'contract', 'openapi.yaml'), 'utf8'),
) as { paths: Paths };

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
ajv.addSchema(contract, 'contract');

interface Operation {
	operationId: string;
	method: string;
	template: string;
	pattern: RegExp;
	responses: Responses;
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
export const checkedStatuses = new Map<string, Set<number>>();

/**
 * Checks an answer against the contract, with nothing of the sandbox's own code in between.
 * @throws when the contract does not allow it
 */
export function checkResponse(method: string, path: string, status: number, body: unknown): void {
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
	const statuses = checkedStatuses.get(operation.operationId) ?? new Set<number>();
	checkedStatuses.set(operation.operationId, statuses.add(status));
}

const validEvent = ajv.compile({ $ref: 'contract#/components/schemas/Event' });

/**
 * Checks what a subscriber gets against the contract.
 * @throws when the contract does not allow it
 */
export function checkEvent(event: unknown): void {
	if (validEvent(event)) return;
	throw new Error(`An event breaks the contract: ${ajv.errorsText(validEvent.errors)}`);
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
