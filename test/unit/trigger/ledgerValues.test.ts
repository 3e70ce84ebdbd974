import { rowOf } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { ProjectStore } from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import {
	OTHER_WORKSPACE,
	paid,
	SECRET,
	subscribed,
	WORKSPACE,
	type FakeTrigger,
} from './fakeTrigger';

const PAYMENT = {
	reference: 'INV-7',
	workspaceId: WORKSPACE,
	payee: 'ana@example.com',
	amount: 1999,
	payableId: 'payable-1',
};
const KNOWN = { unique_reference: 'INV-7', payee: 'ana@example.com', amount_usd: '19.99' };

/** A trigger in whose project a payout has this row. */
async function triggerWith(
	changes: object = {},
	options: FakeTrigger['options'] = {},
): Promise<FakeTrigger> {
	const trigger = await subscribed(options);
	await new ProjectStore(trigger.tables.host()).create('Payout Ledger');
	const row = rowOf(PAYMENT, {
		state: 'funded',
		claim: '1',
		execution: '1',
		environment: 'sandbox',
	});
	trigger.tables.add({ ...row, ...changes });
	// The first delivery of a process finds the table.
	await trigger.deliver(paid({ data: { id: 'payable-0', status: 'paid' } }), SECRET);
	trigger.tables.executions.length = 0;

	return trigger;
}

const changed = (): object =>
	paid({ event_type: 'payable.will_pay', data: { id: 'payable-1', status: 'will_pay' } });

describe("the item of a payable's event", () => {
	test.each([
		['is paid', paid],
		['changes', changed],
	])('has what the ledger knows of it when it %s #event-with-reference', async (_, event) => {
		const trigger = await triggerWith();

		const { items } = await trigger.deliver(event(), SECRET);

		expect(items).toEqual([expect.objectContaining({ payable_id: 'payable-1', ...KNOWN })]);
		expect(trigger.tables.executions).toHaveLength(1);
	});

	test('takes one sub-execution for a delivery of many', async () => {
		const trigger = await triggerWith();

		const { items } = await trigger.deliver({ events: [paid(), changed(), paid()] }, SECRET);

		expect(items.map((item) => item['unique_reference'])).toEqual(['INV-7', 'INV-7', 'INV-7']);
		expect(trigger.tables.executions).toHaveLength(1);
	});

	test.each<[what: string, changes: object]>([
		['another payable', { payable_id: 'payable-2' }],
		['another workspace', { workspace_id: OTHER_WORKSPACE }],
		['another environment', { environment: 'production' }],
		['no reference', { reference: '' }],
	])('has none of it from a row of %s', async (_, changes) => {
		const trigger = await triggerWith(changes);

		const { items } = await trigger.deliver(paid(), SECRET);

		expect(items).toHaveLength(1);
		expect(items[0]).not.toHaveProperty('unique_reference');
	});

	test('has none of it without a ledger, and starts all the same', async () => {
		const trigger = await subscribed();

		const { items } = await trigger.deliver(changed(), SECRET);

		expect(items).toHaveLength(1);
		expect(items[0]).not.toHaveProperty('payee');
		expect(trigger.warnings).toEqual([]);
	});

	test('has none of it when the ledger cannot be read, and starts all the same', async () => {
		const trigger = await triggerWith();
		trigger.tables.before = async () => await Promise.reject(new Error('The database is down'));

		const { items } = await trigger.deliver(paid(), SECRET);

		expect(items).toHaveLength(1);
		expect(items[0]).not.toHaveProperty('payee');
		expect(trigger.warnings).toEqual([expect.stringContaining('ledger')]);
	});
});
