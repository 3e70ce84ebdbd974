import type { IDataObject, INode } from 'n8n-workflow';

import {
	writeNodeData,
	type StaticDataHost,
} from '../../../nodes/PartnerPayments/shared/staticData';

let workflows = 0;

/** A workflow whose static data n8n stores as a whole, from the copy of whatever ends. */
class StoredWorkflow {
	private readonly id = `workflow-${(workflows += 1)}`;
	private text = '{}';

	/** What runs with a copy of its own, from what is stored or from nothing. */
	copy(node: string, { isEmpty = false, parents = [] as string[] } = {}) {
		const data = (isEmpty ? {} : JSON.parse(this.text)) as Record<string, IDataObject>;
		const n8n: StaticDataHost = {
			getNode: () => ({ id: node, name: node }) as INode,
			getWorkflow: () => ({ id: this.id, active: true }),
			getWorkflowStaticData: (type) => (data[type] ??= {}),
			getParentNodes: () =>
				parents.map((type) => ({ name: type, type, typeVersion: 1, disabled: false })),
		};

		return { n8n, end: () => (this.text = JSON.stringify(data)) };
	}

	/** The same, which writes something and ends. */
	run(node: string, written: IDataObject, from?: Parameters<StoredWorkflow['copy']>[1]): void {
		const { n8n, end } = this.copy(node, from);
		writeNodeData(n8n, written);
		end();
	}

	/** What stands in n8n's database. */
	get stored(): unknown {
		return JSON.parse(this.text) as unknown;
	}

	/** Another process has this static data. */
	static after(stored: unknown): StoredWorkflow {
		const workflow = new StoredWorkflow();
		workflow.text = JSON.stringify(stored);

		return workflow;
	}
}

test('an execution that ends late stores what a delivery has written in the meantime', () => {
	const workflow = new StoredWorkflow();
	const execution = workflow.copy('payout');
	writeNodeData(execution.n8n, { 'INV-1': 'funded' });
	workflow.run('trigger', { events: 'one' });

	execution.end();

	expect(workflow.stored).toEqual({
		global: { partnerPayments: { trigger: { events: 'one' }, payout: { 'INV-1': 'funded' } } },
	});
});

test('what other nodes and other packages keep stays as it is', () => {
	const stored = {
		'node:Feed': { last: 7 },
		global: { counter: 7, partnerPayments: { other: { a: 1 } } },
	};

	const workflow = StoredWorkflow.after(stored);

	workflow.run('trigger', { events: 'one' });

	expect(workflow.stored).toEqual({
		...stored,
		global: { counter: 7, partnerPayments: { other: { a: 1 }, trigger: { events: 'one' } } },
	});
});

describe('an execution that n8n has given no static data', () => {
	const trigger = 'n8n-nodes-partner-payments.partnerPaymentsTrigger';
	const isEmpty = true;

	test.each([trigger, 'n8n-nodes-partner-payments.partnerPaymentsDepositTrigger'])(
		'stores nothing where it would delete what the trigger keeps: %s',
		(parent) => {
			const stored = { global: { partnerPayments: { trigger: { events: 'one' } } } };
			const workflow = StoredWorkflow.after(stored);
			const { n8n } = workflow.copy('payout', {
				isEmpty,
				parents: ['n8n-nodes-base.wait', parent],
			});

			writeNodeData(n8n, { 'INV-1': 'funded' });

			expect(n8n.getWorkflowStaticData('global')).toEqual({});
		},
	);

	test('stores what the trigger has written in the same process with its own', () => {
		const workflow = new StoredWorkflow();
		writeNodeData(workflow.copy('trigger').n8n, { events: 'one' });

		workflow.run('payout', { 'INV-1': 'funded' }, { isEmpty, parents: [trigger] });

		expect(workflow.stored).toEqual({
			global: { partnerPayments: { trigger: { events: 'one' }, payout: { 'INV-1': 'funded' } } },
		});
	});
});
