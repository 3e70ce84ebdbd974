import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { resources } from '../../nodes/PartnerPayments/resources';
import { magicAmounts } from '../../sandbox/domain/magic';
import { parametersOf, shownFields, shownOptions, withInner } from './shownFields';

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

test.each([
	['the node', node],
	['the trigger', trigger],
])(
	'the Workspace of %s is named by its ID at first, or left empty for the default',
	(_, description) => {
		const { workspaceId } = parametersOf(description, { authentication: 'clientCredentials' });
		const field = description.properties.find(({ name }) => name === 'workspaceId');
		const [first, ...others] = field?.modes ?? [];

		expect(workspaceId).toEqual({ __rl: true, mode: 'id', value: '' });
		expect(first).toMatchObject({ name: 'id', placeholder: expect.stringContaining('default') });
		expect(others.map(({ name: mode }) => mode)).toEqual(['url', 'list']);
	},
);

test('the options of a payout begin with limits, then holds, and end with what is not checked', () => {
	const collection = shownFields(node, { resource: 'payout', operation: 'send' }).find(
		({ name }) => name === 'options',
	);

	const names = (collection?.options ?? []).map((option) =>
		'displayName' in option ? option.displayName : option.name,
	);

	const groups = names.map((name) => /^(?:Limit|Hold)(?=: )/.exec(name)?.[0] ?? 'other');
	expect(groups.filter((group, index) => group !== groups[index - 1])).toEqual([
		'Limit',
		'Hold',
		'other',
	]);
	expect(names.at(-1)).toBe('Additional Fields (JSON)');
});

test('the actions of the node begin with Send payout', () => {
	const actions = node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options)
		.map((option) => ('action' in option ? option.action : undefined));

	expect(actions[0]).toBe('Send payout');
	expect(actions).toContain('Resolve payout');
});

test.each(operations)('$name has an action without articles', ({ operation }) => {
	expect(operation.action).not.toMatch(/\b(?:an?|the)\b/i);
});

test.each(operations)('$name has a schema', ({ resource, operation }) => {
	const file = `nodes/PartnerPayments/__schema__/v1.0.0/${resource}/${operation.value}.json`;

	const schema: unknown = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

	expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
});

test.each([
	['payable', 'create', []],
	['payout', 'send', ['Unique Reference', 'Funding Method']],
])(
	'%s: %s asks only for what it needs, and keeps the rest in Options',
	(resource, operation, more) => {
		const shown = shownFields(node, { resource, operation }).map(({ displayName }) => displayName);
		const common = [
			'Authentication',
			'Resource',
			'Operation',
			'Workspace',
			'Payee',
			'Amount (USD)',
		];

		expect(shown).toEqual([...common, ...more, 'Options']);
	},
);

test.each([
	['funding', 'create', 'method'],
	['payout', 'send', 'fundingMethod'],
])('%s: %s has a PO Number only by invoice', (resource, operation, method) => {
	const namesOfShown = (by: string): string[] => {
		const chosen = { resource, operation, [method]: by };
		return shownOptions(node, chosen, { poNumber: 'PO-1', maxAmount: '5' });
	};

	expect(namesOfShown('invoice')).toEqual(expect.arrayContaining(['poNumber', 'maxAmount']));
	expect(namesOfShown('balance')).toContain('maxAmount');
	expect(namesOfShown('balance')).not.toContain('poNumber');
	expect(namesOfShown('={{ $json.method }}')).toContain('poNumber');
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

test('a new Payout: Send has a limit, asks for the date of the invoice, and holds possible duplicates and a hundred times the usual amount', () => {
	const options = {
		maxAmount: '1000.00',
		holdDuplicatesDays: 6,
		holdUnusualAmounts: 50,
		invoiceDate: '',
	};

	expect([node, tool].map((description) => parametersOf(description)['options'])).toEqual([
		options,
		options,
	]);
});

test.each(magicAmounts)(
	'a new Payout: Send lets the magic amount of $amount cents pass its limit',
	({ amount }) => {
		const { options } = parametersOf(node) as { options: { maxAmount: string } };

		const limitCents = Number(options.maxAmount) * 100;

		expect(amount).toBeLessThan(limitCents);
	},
);

test('as a tool, Payout: Send asks for a reference of the workflow', () => {
	const [reference] = shownFields(tool).filter(({ name }) => name === 'uniqueReference');

	expect(reference?.placeholder).toContain("{{ $('Invoice').item.json.number }}");
	expect(reference?.required).toBe(true);
});

describe('Payout: Send', () => {
	const chosen = { resource: 'payout', operation: 'send' };
	const notices = (description: typeof node) =>
		shownFields(description, chosen).filter(({ type }) => type === 'notice');

	test('says only in tools what a tool needs', () => {
		const texts = notices(tool).map(({ displayName }) => displayName);

		expect(notices(node)).toEqual([]);
		expect(texts).toEqual([expect.stringContaining('Maximum Amount')]);
		expect(texts).toEqual([expect.stringContaining('from a node before the agent')]);
	});

	test.each([
		[{}, 'Amount (USD)'],
		[{ amountUnit: 'dollars' }, 'Amount (USD)'],
		[{ amountUnit: 'cents' }, 'Amount (Cents)'],
	])('names the unit of the amount, which the model reads: %j', (options, name) => {
		const shown = shownFields(tool, { ...chosen, options, amount: '5' });

		const amounts = shown.filter(({ name: own }) => own === 'amount');

		expect(amounts.map(({ displayName }) => displayName)).toEqual([name]);
		expect(parametersOf(tool, { ...chosen, options, amount: '5' })['amount']).toBe('5');
	});
});

test("no field has one of the names that n8n's editor never leaves to a model", () => {
	const reserved = ['toolName', 'description', 'toolDescription', 'descriptionType'];

	expect(node.properties.filter(({ name }) => reserved.includes(name))).toEqual([]);
});
