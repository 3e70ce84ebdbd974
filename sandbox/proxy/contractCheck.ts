import type { HostContract, MatchedOperation } from '../contract/contract';
import { isFields, isSuccess, type Exchange, type Fields } from './exchange';

/** The part of JSON schema that tells which names a record has. */
interface Schema {
	properties?: Record<string, Schema>;
	items?: Schema;
	/** Says that it is an assumption. */
	'x-open'?: string;
}

/** Where an exchange is not as the contract has it, each as a sentence without values. */
export function contractDifferences(contract: HostContract, exchange: Exchange): string[] {
	const { match, status, answer, requestErrors } = exchange;
	if (match === undefined) {
		return [];
	}

	if (!isSuccess(exchange)) {
		const isNamed = String(status) in (match.operation.responses ?? {});
		return isNamed ? [] : [`The status ${status} is not in the contract.`];
	}

	const taken = requestErrors.map(
		({ field, message }) => `A request was taken although ${field || 'the whole'} ${message}.`,
	);

	const errors = contract
		.responseErrors(match, 200, answer)
		.map(({ field, message }) => `In the answer, ${field || 'the whole'} ${message}.`);

	// Which tokens there are depends on what was asked for.
	const names =
		match.operationId === 'requestToken' ? [] : nameDifferences(schemaOf(match), answer);
	return [...taken, ...errors, ...names];
}

function schemaOf({ operation }: MatchedOperation): Schema {
	const { 200: response } = operation.responses as Record<number, Fields | undefined>;
	const { content } = response ?? {};
	const json = isFields(content) ? content['application/json'] : undefined;
	// The library has put every reference in its place.
	return isFields(json) && isFields(json['schema']) ? json['schema'] : {};
}

/** The names that only one of the two has: they are assumptions, since records are open. */
function nameDifferences(schema: Schema, value: unknown, path = ''): string[] {
	if (Array.isArray(value)) {
		return value.length === 0 ? [] : nameDifferences(schema.items ?? {}, value[0], `${path}[]`);
	}

	const { properties } = schema;
	if (!isFields(value) || properties === undefined) {
		return [];
	}

	const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
	const extra = Object.keys(value)
		.filter((name) => !(name in properties))
		.map((name) => `The answer has ${at(name)}, which is not assumed.`);

	// Others are documented, and left out where they do not apply.
	const missing = Object.entries(properties)
		.filter(([name, property]) => 'x-open' in property && !(name in value))
		.map(([name]) => `The answer lacks ${at(name)}, which is assumed.`);

	const inside = Object.entries(properties).flatMap(([name, inner]) =>
		nameDifferences(inner, value[name], at(name)),
	);

	return [...extra, ...missing, ...inside];
}
