import type { INodeProperties } from 'n8n-workflow';

import { PartnerPaymentsApi } from '../../credentials/PartnerPaymentsApi.credentials';
import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { resources } from '../../nodes/PartnerPayments/resources';
import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsDepositTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { withInner } from './shownFields';

const { description } = new PartnerPayments();

/** What a payable is made of, created alone or on the way of a payout. */
const PAYABLE = ['workspaceId', 'payee', 'amount'];
const LINE_ITEMS = ['options.lineItems.item.amount', 'options.lineItems.item.description'];

/** The names that workflows store, each once. Once released, they do not change. */
const PUBLIC_NAMES: Record<string, Record<string, string[]>> = {
	deposit: {
		getAll: ['workspaceId', 'returnAll', 'limit'],
		simulate: ['workspaceId', 'amount', 'options.additionalFields', 'options.amountUnit'],
	},
	funding: {
		create: [
			...['workspaceId', 'method', 'payableIds', 'amount'],
			...['options.additionalFields', 'options.amountUnit', 'options.description'],
			...['options.maxAmount', 'options.poNumber'],
		],
		getInvoicePdf: ['fundingId', 'download', 'options.binaryPropertyName'],
		linkDeposit: ['fundingId', 'depositId'],
	},
	ledger: { create: [] },
	partner: {
		get: ['workspaceId', 'partnerId'],
		invite: [
			...['workspaceId', 'payeeEmail'],
			...['options.invitesPerRequest', 'options.payeeBusinessName'],
		],
	},
	payable: {
		approve: ['payableId'],
		create: [
			...PAYABLE,
			...['options.additionalFields', 'options.amountUnit', 'options.description'],
			...['options.dueDate', 'options.maxAmount', ...LINE_ITEMS, 'options.sendInvite'],
		],
	},
	payout: {
		getMany: [
			...['returnAll', 'limit', 'filters.payee', 'filters.reference', 'filters.since'],
			...['filters.status', 'filters.until'],
		],
		resolve: ['workspaceId', 'findBy', 'uniqueReference', 'payableId', 'outcome'],
		send: [
			...[...PAYABLE, 'uniqueReference', 'fundingMethod'],
			...['options.additionalFields', 'options.amountUnit', 'options.checkBalance'],
			...['options.description', 'options.dueDate', 'options.fundingDescription'],
			...['options.holdAbove', 'options.holdDuplicatesDays', 'options.holdNewPayees'],
			...['options.allowedPayees', 'options.maxAmount', 'options.maxPerDay', 'options.maxTotal'],
			...[...LINE_ITEMS, 'options.poNumber', 'options.preview', 'options.sendInvite'],
		],
	},
	user: { get: [], getWorkspaces: [] },
	wallet: { get: ['workspaceId'] },
	webhookSubscription: {
		create: ['workspaceId', 'url', 'events', 'options.additionalFields', 'options.includeSecret'],
	},
	workspace: { get: ['workspaceId'], getInviteLink: ['workspaceId'] },
};

const CREDENTIAL_FIELDS = [
	...['environment', 'apiBaseUrl', 'authBaseUrl', 'clientId', 'clientSecret', 'audience'],
	...[
		'defaultWorkspaceId',
		'requestsPerMinute',
		'webhookSigningSecret',
		'n8nApiKey',
		'n8nBaseUrl',
		'ledgerTable',
	],
];

/** The names of the values that a field stores, such as `lineItems.item.amount`. */
function namesOf(field: INodeProperties): string[] {
	if (field.type === 'notice') return [];
	if (field.type !== 'collection' && field.type !== 'fixedCollection') return [field.name];
	return (field.options ?? []).flatMap((option) => {
		if ('values' in option) {
			return option.values.flatMap(namesOf).map((name) => `${field.name}.${option.name}.${name}`);
		}
		return 'type' in option ? namesOf(option).map((name) => `${field.name}.${name}`) : [];
	});
}

const fields = description.properties
	.flatMap(withInner)
	.filter(
		(property): property is INodeProperties => 'displayName' in property && 'type' in property,
	);

describe('public names', () => {
	test('of resources, operations and their parameters', () => {
		const names = Object.fromEntries(
			resources.map(({ value, operations: own }) => [
				value,
				Object.fromEntries(
					own.map((operation) => [
						operation.value,
						[...new Set(operation.fields.flatMap(namesOf))],
					]),
				),
			]),
		);
		expect(names).toEqual(PUBLIC_NAMES);
	});

	test.each([
		['authentication', ['clientCredentials', 'oAuth2']],
		['resource', Object.keys(PUBLIC_NAMES)],
		['method', ['balance', 'invoice']],
		['fundingMethod', ['balance', 'invoice', 'none']],
		['amountUnit', ['cents', 'dollars']],
		['events', ['partnerStatusChanged', 'payableApproved', 'payablePaid', 'payableStatusChanged']],
	])('of the values of %s', (name, values) => {
		const found = fields.find((field) => field.name === name)?.options ?? [];
		expect(found.map((option) => ('value' in option ? option.value : option.name))).toEqual(values);
	});

	test.each([
		['workspaceId', 12, ['list', 'id', 'url']],
		['payee', 2, ['email', 'serviceId']],
	])('of the ways to name %s', (name, count, expected) => {
		const locators = fields.filter(
			(field) => field.name === name && field.type === 'resourceLocator',
		);
		expect(locators).toHaveLength(count);
		for (const { modes } of locators) expect(modes?.map((mode) => mode.name)).toEqual(expected);
	});

	test.each([
		['partnerPaymentsApi', new PartnerPaymentsApi()],
		['partnerPaymentsOAuth2Api', new PartnerPaymentsOAuth2Api()],
	])('of the fields of %s', (_, { properties }) => {
		const visible = properties.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
		expect(visible.filter((name) => name !== 'scope')).toEqual(CREDENTIAL_FIELDS);
	});
});

// n8n runs those before every execution, gives up after 250 ms, and then refuses to start it.
test('no field has a regular expression for n8n to run', () => {
	const nodes = [
		new PartnerPayments(),
		new PartnerPaymentsTrigger(),
		new PartnerPaymentsDepositTrigger(),
	];
	const fields = JSON.stringify(nodes.map((node) => node.description.properties));
	expect(fields).toContain('"modes"');
	expect(fields).not.toMatch(/"(?:validation|extractValue)":/);
});
