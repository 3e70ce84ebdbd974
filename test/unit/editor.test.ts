import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

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

/** Whether the editor shows a field or a credential of the node. */
const isShown = (
	chosen: INodeParameters,
	subject: INodeProperties | INodeCredentialDescription,
): boolean => NodeHelpers.displayParameter(parametersOf(node, chosen), subject, null, node);

const shownFields = (chosen: INodeParameters): INodeProperties[] =>
	node.properties.filter((field) => field.type !== 'hidden' && isShown(chosen, field));

test.each([
	['payout', 'send'],
	['payable', 'create'],
])('%s: %s asks for what it needs before what may be left empty', (resource, operation) => {
	const names = shownFields({ resource, operation }).map(({ displayName }) => displayName);
	const reference = names.indexOf('Unique Reference');
	expect(reference).toBeGreaterThan(names.indexOf('Amount (Cents)'));
	expect(names.slice(-2)).toEqual(['Description', 'Options']);
	expect(reference).toBeLessThan(names.length - 2);
});

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A property, with its choices and the fields in it. */
const withInner = (property: Property): Property[] => [
	property,
	...(('options' in property && property.options) || []).flatMap(withInner),
	...(('values' in property && property.values) || []).flatMap(withInner),
];

/** What the editor shows of a label beside its controls, and of a choice's description in two lines. */
const ROOM = { label: 28, description: 115 };

test('no label and no description of a choice is cut off', () => {
	const all = [node, trigger].flatMap(({ properties }) => properties).flatMap(withInner);
	const labels = all.flatMap((property) =>
		'displayName' in property && 'type' in property && property.type !== 'notice'
			? property.displayName
			: [],
	);
	const descriptions = all.flatMap((property) =>
		'value' in property ? (property.description ?? []) : [],
	);
	expect(labels.filter(({ length }) => length > ROOM.label)).toEqual([]);
	expect(descriptions.filter(({ length }) => length > ROOM.description)).toEqual([]);
});

test('no field of a funding explains what few need under it', () => {
	const fields = shownFields({ resource: 'funding', operation: 'create' });
	expect(fields.filter(({ hint }) => hint !== undefined).map(({ name }) => name)).toEqual([]);
});

test('only operations with a ledger ask for its credential', () => {
	const [ledger] = node.credentials?.slice(-1) ?? [];
	const asking = resources.flatMap(({ value: resource, operations }) =>
		operations
			.map(({ value: operation }) => ({ resource, operation }))
			.filter((chosen) => ledger !== undefined && isShown(chosen, ledger))
			.map(({ operation }) => `${resource}.${operation}`),
	);
	expect(asking.sort()).toEqual([
		'funding.create',
		'payable.create',
		'payout.getMany',
		'payout.send',
		'payout.settle',
	]);
});
