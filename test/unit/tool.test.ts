import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';

const { description: node } = new PartnerPayments();

/** n8n's twin of the node, which agents call: it differs by its name. */
const tool: INodeTypeDescription = { ...node, name: 'partnerPaymentsTool' };

const nodeOf = ({ name }: INodeTypeDescription, parameters: INodeParameters) => ({
	id: '1',
	name: 'Node',
	type: `n8n-nodes-partner-payments.${name}`,
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters,
});

/** All parameters as n8n fills them in before it runs the node. */
const parametersOf = (description: INodeTypeDescription, stored: INodeParameters = {}) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		stored,
		true,
		false,
		nodeOf(description, stored),
		description,
	) ?? {};

/** The fields that the editor shows. */
function shownFields(
	description: INodeTypeDescription,
	chosen: INodeParameters = {},
): INodeProperties[] {
	const parameters = parametersOf(description, chosen);
	return description.properties.filter((field) =>
		NodeHelpers.displayParameter(parameters, field, nodeOf(description, parameters), description),
	);
}

test('as a tool, Payout: Send prepares payouts until a person says otherwise #tool-starts-with-none', () => {
	expect(parametersOf(tool)).toMatchObject({ operation: 'send', fundingMethod: 'none' });
	expect(parametersOf(node)).toMatchObject({ operation: 'send', fundingMethod: 'balance' });
	expect(parametersOf(tool, { fundingMethod: 'balance' })).toMatchObject({
		fundingMethod: 'balance',
	});
});

test('as a tool, Payout: Send asks for a maximum amount and for a reference of the workflow', () => {
	expect(parametersOf(tool)['options']).toEqual({ maxAmount: '' });
	expect(parametersOf(node)['options']).toEqual({});
	const [reference] = shownFields(tool).filter(({ name }) => name === 'uniqueReference');
	expect(reference?.placeholder).toContain("{{ $('Invoice').item.json.number }}");
	expect(reference?.required).toBe(true);
});

describe.each([
	['Payout: Send', { resource: 'payout', operation: 'send' }],
	['Funding: Create', { resource: 'funding', operation: 'create' }],
])('%s', (_, chosen) => {
	const notices = (description: INodeTypeDescription) =>
		shownFields(description, chosen).filter(({ type }) => type === 'notice');

	test('tells in tools alone what a tool needs', () => {
		expect(notices(node)).toEqual([]);
		expect(notices(tool)).toHaveLength(1);
		const [text] = notices(tool).map(({ displayName }) => displayName);
		expect(text).toContain('Maximum Amount');
		expect(text).toContain('never from the agent');
	});

	test.each([
		['minor', 'Amount (Cents)'],
		['major', 'Amount (Dollars)'],
	])('names the unit of the amount, which the model reads: %s', (amountUnit, name) => {
		const shown = shownFields(tool, { ...chosen, amountUnit });
		const amounts = shown.filter(({ name: own }) => own === 'amount');
		expect(amounts.map(({ displayName }) => displayName)).toEqual([name]);
	});
});

test("no field has one of the names that n8n's editor never leaves to a model", () => {
	const reserved = ['toolName', 'description', 'toolDescription', 'descriptionType'];
	expect(node.properties.filter(({ name }) => reserved.includes(name))).toEqual([]);
});
