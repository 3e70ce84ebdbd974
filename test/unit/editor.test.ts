import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INodeParameters, type INodeTypeDescription } from 'n8n-workflow';

import { PartnerPaymentsApi } from '../../credentials/PartnerPaymentsApi.credentials';
import { PartnerPaymentsLedgerApi } from '../../credentials/PartnerPaymentsLedgerApi.credentials';
import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { resources } from '../../nodes/PartnerPayments/resources';

const ROOT = join(__dirname, '../..');
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}.${operation.value}`,
		resource: resource.value,
		operation,
	})),
);

const { description: node } = new PartnerPayments();
const { description: trigger } = new PartnerPaymentsTrigger();

/** The parameters of a node that was just added, as n8n fills them in; `chosen` are those chosen since. */
const parametersOf = (
	description: INodeTypeDescription,
	chosen: INodeParameters = {},
): INodeParameters => {
	const { name, properties } = description;
	const added = {
		id: '1',
		name: 'Node',
		type: name,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	};
	return NodeHelpers.getNodeParameters(properties, chosen, true, false, added, description) ?? {};
};

test('the node starts with what most people want: Payout: Send', () => {
	expect(parametersOf(node)).toMatchObject({ resource: 'payout', operation: 'send' });
});

test.each(resources)(
	'$name starts with one of its operations',
	({ value, operations, initial }) => {
		const { operation } = parametersOf(node, { resource: value });
		expect(operations.map((one) => one.value)).toContain(operation);
		expect(operation).toBe(initial ?? operations[0]?.value);
	},
);

test.each(resources.flatMap(({ operations }) => operations))(
	'"$action" is an action without articles',
	({ action }) => {
		expect(action).not.toMatch(/\b(?:an?|the)\b/i);
	},
);

test.each([
	['the node', node],
	['the trigger', trigger],
])('the Workspace of %s is chosen from the list at first', (_, description) => {
	const { workspaceId } = parametersOf(description, { authentication: 'oAuth2' });
	expect(workspaceId).toEqual({ __rl: true, mode: 'list', value: '' });
});

test.each(operations)(
	'$name has an action, a description and a schema',
	({ resource, operation }) => {
		expect(operation.action).toMatch(/^[A-Z][^.]+$/);
		expect(operation.description).toMatch(/^[A-Z]/);
		const file = `nodes/PartnerPayments/__schema__/v1.0.0/${resource}/${operation.value}.json`;
		expect(existsSync(join(ROOT, file))).toBe(true);
		expect(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))).toMatchObject({
			type: 'object',
			properties: expect.any(Object),
		});
	},
);

test('every secret of a credential is hidden while it is typed', () => {
	const secrets = [
		new PartnerPaymentsApi(),
		new PartnerPaymentsOAuth2Api(),
		new PartnerPaymentsLedgerApi(),
	]
		.flatMap(({ properties }) => properties)
		.filter(({ name }) => /secret$|accessToken$|apiKey$/i.test(name));
	expect(secrets).toHaveLength(6);
	for (const { typeOptions } of secrets) expect(typeOptions?.password).toBe(true);
});

test('Payout: Send keeps what may be left out among its options, but for what the payment is for', () => {
	const parameters = parametersOf(node);
	const optional = node.properties
		.filter((field) => NodeHelpers.displayParameter(parameters, field, null, node))
		.filter(({ type, required }) => required !== true && type !== 'options' && type !== 'notice')
		.map(({ name }) => name);
	expect(optional).toEqual(['payableDescription', 'options']);
});
