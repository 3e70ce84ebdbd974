import type { INodeProperties } from 'n8n-workflow';

import { thrownBy } from '../support';
import { parametersOf, withInner } from '../shownFields';
import { PartnerPayments } from '../../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsDepositTrigger } from '../../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsTrigger } from '../../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { resources } from '../../../nodes/PartnerPayments/resources';
import {
	assertCollectionsFixed,
	collectionLabel,
	writtenParameter,
} from '../../../nodes/PartnerPayments/shared/parameters';

const EXPRESSION = '={{ { maxAmount: "1.00" } }}';

describe('a parameter as it is set up', () => {
	test.each<[name: string, parameters: Record<string, unknown>, written: unknown]>([
		['amount', { amount: '={{ $json.amount }}' }, '={{ $json.amount }}'],
		['amount', {}, undefined],
		['options.maxAmount', { options: { maxAmount: '={{ 1 }}' } }, '={{ 1 }}'],
		['options.maxAmount', { options: { maxAmount: null } }, null],
		['options.maxAmount', { options: {} }, undefined],
		['options.maxAmount', { options: '' }, undefined],
		['options.maxAmount', {}, undefined],
		['options.lineItems.item', { options: {} }, undefined],
		['options.lineItems.item', { options: { lineItems: { item: [] } } }, []],
	])('is that of %s in %j', (name, parameters, written) => {
		expect(writtenParameter(parameters as never, name)).toEqual(written);
	});

	test.each<[name: string, parameters: Record<string, unknown>, label: string]>([
		['options.maxAmount', { options: EXPRESSION }, 'Options'],
		['options.maxAmount', { options: 'a text' }, 'Options'],
		['options.maxAmount', { options: ['a list'] }, 'Options'],
		['filters.status', { filters: EXPRESSION }, 'Filters'],
		['options.lineItems.item', { options: EXPRESSION }, 'Options'],
		['options.lineItems.item', { options: { lineItems: EXPRESSION } }, 'Line Items'],
	])('is not looked for in one expression: %s in %j', (name, parameters, label) => {
		const error = thrownBy(() => writtenParameter(parameters as never, name));

		expect(error).toMatchObject({
			name: 'InputError',
			message: expect.stringContaining(`"${label}"`),
		});
	});
});

const { description: payments } = new PartnerPayments();
const { description: events } = new PartnerPaymentsTrigger();
const { description: deposits } = new PartnerPaymentsDepositTrigger();
const nodes = [payments, events, deposits];

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value: operation }) => ({ resource, operation })),
);

/** Each node, with each of its operations. */
const cases = [
	...operations.map((chosen) => ({ description: payments, chosen })),
	{ description: events, chosen: {} },
	{ description: deposits, chosen: {} },
];

const isCollection = ({ type }: Partial<INodeProperties>): boolean =>
	type === 'collection' || type === 'fixedCollection';

/** Each of these, with each collection that it has. */
const collectionCases = cases.flatMap(({ description, chosen }) => {
	const parameters = parametersOf(description, chosen);
	return description.properties
		.filter((field) => isCollection(field) && field.name in parameters)
		.map(({ name }) => ({ description, chosen, name }));
});

test.each(collectionCases)(
	'$name of $description.displayName is refused as one expression, which n8n keeps: $chosen',
	({ description, chosen, name }) => {
		const kept = parametersOf(description, { ...chosen, [name]: EXPRESSION });

		expect(kept[name]).toBe(EXPRESSION);
		expect(() => {
			assertCollectionsFixed(description.properties, kept);
		}).toThrow(`"${collectionLabel(name)}"`);
	},
);

test.each(cases)(
	'no collection of $description.displayName is refused as it is at first: $chosen',
	({ description, chosen }) => {
		expect(() => {
			assertCollectionsFixed(description.properties, parametersOf(description, chosen));
		}).not.toThrow();
	},
);

test('a collection is called by its label', () => {
	const collections = nodes
		.flatMap(({ properties }) => properties.flatMap(withInner))
		.filter((field): field is INodeProperties => 'type' in field && isCollection(field));

	expect(collections.map(({ name }) => collectionLabel(name))).toEqual(
		collections.map(({ displayName }) => displayName),
	);
	expect(collections.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['options', 'filters', 'lineItems', 'eventIdentifiers']),
	);
});
