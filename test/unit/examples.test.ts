import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { EXAMPLES, NO_ADDRESS, readExample } from '../../tools/examples';
import type { Workflow, WorkflowNode } from '../../tools/n8n/workflow';

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
	node.parameters['fundingMethod'] !== 'none';

const isIf = ({ type }: WorkflowNode): boolean => type === 'n8n-nodes-base.if';

/** Whether the first output of an If node has only items that the service has signed. */
function checksSignature({ parameters }: WorkflowNode): boolean {
	const { conditions, combinator } = parameters['conditions'] as {
		conditions: Array<{ leftValue: string; operator: object }>;
		combinator: string;
	};
	return (
		combinator === 'and' &&
		conditions.some(
			({ leftValue, operator }) =>
				leftValue === '={{ $json.verified }}' &&
				JSON.stringify(operator) ===
					JSON.stringify({ type: 'boolean', operation: 'true', singleValue: true }),
		)
	);
}

/** The nodes that get items of a node, past outputs that `isOpen` refuses. */
function reached(
	{ nodes, connections }: Workflow,
	from: WorkflowNode,
	isOpen: (node: WorkflowNode, output: number) => boolean = () => true,
): WorkflowNode[] {
	const names = new Set([from.name]);
	for (const name of names) {
		const node = nodes.find((candidate) => candidate.name === name);
		(connections[name]?.main ?? []).forEach((targets, output) => {
			if (node && isOpen(node, output)) targets.forEach((target) => names.add(target.node));
		});
	}
	return nodes.filter(({ name }) => names.has(name));
}

/** The nearest nodes before a node that are no conditions. */
function sourcesOf({ nodes, connections }: Workflow, { name }: WorkflowNode): WorkflowNode[] {
	const before = nodes.filter((node) =>
		(connections[node.name]?.main ?? []).flat().some((target) => target.node === name),
	);
	return before.flatMap((node) =>
		isIf(node) ? sourcesOf({ nodes, connections } as Workflow, node) : [node],
	);
}

const startedByEvents = workflows.flatMap(([name, workflow]) =>
	workflow.nodes
		.filter(({ type }) => type === EVENT_TRIGGER)
		.map((trigger) => ({ name, workflow, trigger })),
);

test('events start these workflows', () => {
	expect(startedByEvents.map(({ name }) => name)).toEqual([
		'onboard-vendor-then-pay.json',
		'slack-on-payable-paid.json',
	]);
	const moving = startedByEvents.filter(({ workflow, trigger }) =>
		reached(workflow, trigger).some(movesMoney),
	);
	expect(moving.map(({ name }) => name)).toEqual(['onboard-vendor-then-pay.json']);
});

test.each(startedByEvents)('$name moves no money on an unverified event', (started) => {
	const isUnsigned = (node: WorkflowNode, output: number): boolean =>
		!(isIf(node) && checksSignature(node) && output === 0);
	const unsigned = reached(started.workflow, started.trigger, isUnsigned);
	expect(unsigned.filter(movesMoney).map(({ name }) => name)).toEqual([]);
});

test.each(startedByEvents)(
	'$name pays whom the service and a list of its own name, once, and so much at most',
	(started) => {
		const { workflow, trigger } = started;
		const fromSettings = expect.stringMatching(/^=\{\{ \$\('Settings'\)\.first\(\)/);
		const paying = reached(workflow, trigger).filter(movesMoney);
		for (const node of paying) {
			expect(operationOf(node)).toBe('payout.send');
			expect(sourcesOf(workflow, node).map(operationOf)).toEqual(['partner.get']);
			expect(node.parameters).toMatchObject({
				payee: { mode: 'email', value: '={{ $json.email }}' },
				uniqueReference: '=First payment {{ $json.email.trim().toLowerCase() }}',
				options: { allowedPayees: fromSettings, maxAmount: fromSettings, maxTotal: fromSettings },
			});
		}
		expect(paying).toHaveLength(started.name.startsWith('onboard') ? 1 : 0);
	},
);

test('what is started by hand pays nobody before an address is entered', () => {
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

test.each(workflows)('%s is started by nobody who has no login', (_, { nodes }) => {
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
