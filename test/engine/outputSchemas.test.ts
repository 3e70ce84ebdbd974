import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resolve, type Schema } from '../sandbox/contract-checks';
import {
	endpointOf,
	OPERATION_CASES,
	requestingOperations,
	type RequestingOperation,
} from './operationCases';

const FOLDER = join(__dirname, '../../nodes/PartnerPayments/__schema__/v1.0.0');

/** The fields of an operation that adds some to the answer, or names them in another way: texts. */
const OWN_FIELDS: Partial<Record<RequestingOperation, string[]>> = {
	'funding.getInvoicePdf': ['id', 'pdf_url'],
	'funding.linkDeposit': ['id', 'deposit_id'],
	'partner.invite': ['payee_email', 'payee_business_name'],
	'payable.approve': ['id'],
	'workspace.getInviteLink': ['workspace_id', 'vendor_invite_url'],
};

test.each(requestingOperations)('the schema of %s has the documented fields', (operation) => {
	const [operationCase] = OPERATION_CASES[operation];
	const { answer = {} } = endpointOf(operationCase);
	const ownFields = OWN_FIELDS[operation]?.map((name) => [name, { type: 'string' }] as const);
	const properties = ownFields ? Object.fromEntries(ownFields) : documentedFields(recordOf(answer));

	const file = join(FOLDER, `${operation.replace('.', '/')}.json`);
	const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));

	expect(schema).toEqual({ type: 'object', properties, version: 1 });
});

/** What one item holds of an answer: the record or each record of the list in it, or all of it. */
function recordOf(answer: Schema): Schema {
	const [property = {}, ...others] = Object.values(documentedProperties(answer));
	const { type, items } = resolve(property);
	if (others.length > 0) {
		return answer;
	}

	return items ?? (type === 'object' ? property : answer);
}

/** The fields that do not carry x-open, nor does what they are in. */
function documentedProperties(schema: Schema): Record<string, Schema> {
	const { properties = {}, 'x-open': open } = resolve(schema);
	if (open !== undefined || schema['x-open'] !== undefined) {
		return {};
	}

	const documented = Object.entries(properties).filter(
		([, property]) => property['x-open'] === undefined,
	);
	return Object.fromEntries(documented);
}

/** The documented fields of a record with their types, as n8n's editor reads them. */
function documentedFields(record: Schema): Record<string, object> {
	const fields = Object.entries(documentedProperties(record));
	return Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(field)]));
}

function fieldOf(field: Schema): object {
	const { type, items } = resolve(field);
	const [first] = [type].flat();
	if (first === 'object') {
		return { type: first, properties: documentedFields(field) };
	}

	return items === undefined ? { type: first } : { type: first, items: fieldOf(items) };
}
