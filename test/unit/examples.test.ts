import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { EXAMPLES, NO_ADDRESS, readExample } from '../../tools/examples';
import type { WorkflowNode } from '../../tools/n8n/workflow';

const EVENT_TRIGGER = 'n8n-nodes-partner-payments.partnerPaymentsTrigger';
const NODE = 'n8n-nodes-partner-payments.partnerPayments';

/** Operations that move money, or say that it has moved. */
const MONEY = ['payout.send', 'payout.resolve', 'funding.create', 'funding.linkDeposit'];

const workflows = EXAMPLES.map((name) => [name, readExample(name)] as const);

const operationOf = ({ parameters }: WorkflowNode): string =>
	`${String(parameters['resource'])}.${String(parameters['operation'])}`;

const movesMoney = (node: WorkflowNode): boolean =>
	node.type === NODE &&
	MONEY.includes(operationOf(node)) &&
	node.parameters['fundingMethod'] !== 'none' &&
	(node.parameters['options'] as { preview?: boolean } | undefined)?.preview !== true;

test('of the workflows that events start, one moves money to those on its list, and one after a yes', () => {
	const startedByEvents = workflows.filter(([, { nodes }]) =>
		nodes.some(({ type }) => type === EVENT_TRIGGER),
	);

	const moving = startedByEvents.flatMap(([name, { nodes }]) =>
		nodes.filter(movesMoney).map(({ parameters: { options } }) => [name, options]),
	);

	const fromSettings = expect.stringMatching(/^=\{\{ \$\('Settings'\)\.first\(\)/);

	expect(startedByEvents.map(([name]) => name)).toEqual([
		'onboard-vendor-then-pay.json',
		'quickbooks-bills-to-payouts.json',
		'slack-on-payable-paid.json',
	]);
	expect(moving).toEqual([
		[
			'onboard-vendor-then-pay.json',
			expect.objectContaining({
				allowedPayees: fromSettings,
				maxAmount: fromSettings,
				maxTotal: fromSettings,
			}),
		],
		[
			'quickbooks-bills-to-payouts.json',
			expect.objectContaining({ approvedBy: '={{ $json.approved_by }}' }),
		],
	]);
});

test('what is started by hand pays no vendor before an address is entered', () => {
	const startedByHand = workflows.filter(
		([, { nodes }]) =>
			nodes.some(({ type }) => type === 'n8n-nodes-base.manualTrigger') &&
			nodes.some((node) => operationOf(node) !== 'funding.linkDeposit' && movesMoney(node)),
	);

	expect(startedByHand.map(([name]) => name)).toEqual([
		'invoice-with-deposit.json',
		'pay-a-vendor.json',
	]);

	for (const [, workflow] of startedByHand) {
		const addresses = JSON.stringify(workflow).match(/[\w.]+@example\.com|Email address[\w ]*/g);

		expect(addresses?.[0]).toBe(NO_ADDRESS);
	}
});

/** They send or get mails, or ask. No one can be paid at them. */
const ADDRESSES_OF_MAILS = [
	'accounting@example.com',
	'approver@example.com',
	'invoices@example.com',
	'n8n@example.com',
];

test.each(workflows)('%s has no address to pay before one is entered', (_, { nodes }) => {
	const settings = nodes.filter(({ name }) => name === 'Settings');

	const addresses = JSON.stringify(settings).match(/[\w.+-]+@[\w-]+\.\w+/g) ?? [];

	expect(addresses.filter((address) => !ADDRESSES_OF_MAILS.includes(address))).toEqual([]);
});

test.each(workflows)('%s is not started without a login', (_, { nodes }) => {
	const open = nodes.filter(
		({ type, parameters }) =>
			['n8n-nodes-base.webhook', 'n8n-nodes-base.formTrigger'].includes(type) &&
			!['headerAuth', 'basicAuth'].includes(String(parameters['authentication'])),
	);

	expect(open.map(({ name }) => name)).toEqual([]);
});

/** The names of the fields of each of the package's nodes; as a tool, n8n adds two of its own. */
const { properties } = new PartnerPayments().description;
const names = properties.map(({ name }) => name);
const FIELDS = new Map([
	[NODE, names],
	[`${NODE}Tool`, [...names, 'descriptionType', 'toolDescription']],
	[EVENT_TRIGGER, new PartnerPaymentsTrigger().description.properties.map(({ name }) => name)],
]);

test.each(workflows)('%s sets no parameter that the nodes do not have', (_, { nodes }) => {
	const unknown = nodes.flatMap(({ type, parameters }) => {
		const known = FIELDS.get(type) ?? Object.keys(parameters);
		return Object.keys(parameters).filter((name) => !known.includes(name));
	});

	expect(unknown).toEqual([]);
});
