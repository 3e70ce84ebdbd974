import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { resources } from '../../nodes/PartnerPayments/resources';
import { parametersOf, shownFields, withInner } from './shownFields';

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

test('the node starts with what most people want: Payout: Send', () => {
	expect(parametersOf(node)).toMatchObject({ resource: 'payout', operation: 'send' });
});

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

test.each([
	['payout', 'send'],
	['payable', 'create'],
])('%s: %s asks for what it needs before what may be left empty', (resource, operation) => {
	const names = shownFields(node, { resource, operation }).map(({ displayName }) => displayName);
	expect(names.slice(-2)).toEqual(['Description', 'Options']);
	expect(names.indexOf('Unique Reference')).toBeLessThan(names.length - 2);
});

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

/** n8n's twin of the node, which agents call: it differs by its name. */
const tool = { ...node, name: 'partnerPaymentsTool' };

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

describe('Payout: Send', () => {
	const chosen = { resource: 'payout', operation: 'send' };
	const notices = (description: typeof node) =>
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
