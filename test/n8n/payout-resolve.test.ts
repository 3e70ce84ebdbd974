import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../nodes/PartnerPayments/shared/values';
import type { N8n } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { addLedgerTable, ledgerFields, readLedger } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { sender } from './support/ledgerTable';
import {
	addVendors,
	hintsOf,
	once,
	payoutsFor,
	PayoutWorkflow,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const { fixture, createTableWorkflow, requestCounts } = usePayouts();

const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

/** Pays one vendor, and loses the answer to the funding before or after it took effect. */
async function payUnconfirmed(kind: 'cut_before' | 'cut_after') {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const payouts = payoutsFor(payees);
	const workflow = await createTableWorkflow();
	await sandbox.control.addFault({ kind, ...CREATE_FUNDING });
	const [item] = await workflow.pay(payouts);
	const [{ reference } = { reference: '' }] = payouts;
	expect(item).toMatchObject({
		status: 'unconfirmed',
		hint: expect.stringContaining(`[${reference}]`),
	});
	await sandbox.control.clearRequests();
	return { payees, payouts, workflow, item, reference };
}

/** The Data Tables of an n8n, as a person changes them, through its public API. */
class StoredTables {
	private readonly send;

	/** @param ledgerTable the name of the table in which rows are changed */
	constructor(
		private readonly n8n: N8n,
		private readonly ledgerTable: string,
	) {
		this.send = sender(n8n.url, n8n.client.apiKey);
	}

	/** The path of the table with a name; undefined when there is none. */
	async find(name: string): Promise<string | undefined> {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const path = `/data-tables?filter=${filter}`;
		const { body } = await this.send({ method: 'GET', path });
		const tables: unknown[] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
		const table = tables.filter(isRecord).find((one) => one.name === name);
		return typeof table?.id === 'string' ? `/data-tables/${table.id}` : undefined;
	}

	/** Deletes the table with a name. */
	async delete(name: string): Promise<void> {
		await this.change('DELETE', await this.find(name));
	}

	/** The states of a reference's rows. */
	async statesOf(reference: string): Promise<unknown[]> {
		const { rows } = await readLedger(this.n8n, this.ledgerTable);
		return rows.filter((row) => row['reference'] === reference).map(({ state }) => state);
	}

	/** Writes the state of a reference's row. */
	async writeState(reference: string, state: string): Promise<void> {
		const filters = [{ columnName: 'reference', condition: 'eq', value: reference }];
		const path = await this.find(this.ledgerTable);
		const body = { filter: { type: 'and', filters }, data: { state } };
		await this.change('PATCH', path && `${path}/rows/update`, body);
	}

	private async change(
		method: 'DELETE' | 'PATCH',
		path?: string,
		body?: IDataObject,
	): Promise<void> {
		if (path === undefined) throw new Error('There is no such table');
		const { status } = await this.send({ method, path, ...(body && { body }) });
		if (status >= 300) throw new Error(`n8n answered ${status}`);
	}
}

/** The table of this file, which a person changes here. */
const tables = (): StoredTables => new StoredTables(fixture().n8n, fixture().ledgerTable);

const resolveWorkflow = async (change: object) =>
	await createTableWorkflow({ operation: 'resolve', ...change });

describe('an unconfirmed payout', () => {
	test('that was paid is resolved as paid, and is a duplicate from then on', async () => {
		const { payees, payouts, workflow, reference, item } = await payUnconfirmed('cut_after');
		const resolve = await resolveWorkflow({ outcome: 'paid' });
		const resolved = await resolve.execute([{ reference }]);
		expect(await resolve.newestOutput()).toMatchObject([
			{ status: 'paid', unique_reference: reference, is_resolved: true },
		]);
		expect(hintsOf(resolved)).toEqual([expect.stringContaining('never sent again')]);
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'duplicate', first_status: 'paid', payable_id: item?.['payable_id'] },
		]);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
		expect(await requestCounts()).toEqual({});
	});

	test('that was not paid is resolved as not paid, and then paid once with the same payable', async () => {
		const { payees, payouts, workflow, reference, item } = await payUnconfirmed('cut_before');
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['unconfirmed']);
		const resolve = await resolveWorkflow({ outcome: 'notPaid' });
		expect(await resolve.pay([{ reference }])).toMatchObject([{ is_resolved: true }]);
		expect(await resolve.pay([{ reference }])).toMatchObject([
			{ error: expect.stringContaining('the ledger table says "not_paid"') },
		]);
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'funded', payable_id: item?.['payable_id'] },
		]);
		expect(await resolve.pay([{ reference }])).toMatchObject([
			{ error: expect.stringContaining('the ledger table says "funded"') },
		]);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
	});

	test('is resolved by its payable; others change nothing #resolved-by-payable', async () => {
		const { payouts, workflow, item } = await payUnconfirmed('cut_after');
		const resolve = await resolveWorkflow({
			findBy: 'payableId',
			payableId: '={{ $json.payable_id }}',
			outcome: 'paid',
		});
		expect(
			await resolve.pay([{ payable_id: item?.['payable_id'] }, { payable_id: 'of another' }]),
		).toMatchObject([
			{ status: 'paid', is_resolved: true },
			{ payable_id: 'of another', is_resolved: false },
		]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['duplicate']);
	});

	test('is resolved under its own reference in its own workspace, as a person chooses #resolve-exact-reference', async () => {
		const { payouts, workflow, reference } = await payUnconfirmed('cut_before');
		const elsewhere = { __rl: true, mode: 'id', value: randomUUID() };
		const missing = { error: expect.stringContaining('is not in the ledger table') };
		const paid = await resolveWorkflow({ outcome: 'paid' });
		expect(await paid.pay([{ reference: reference.toLowerCase() }])).toMatchObject([missing]);
		const other = await resolveWorkflow({ outcome: 'paid', workspaceId: elsewhere });
		expect(await other.pay([{ reference }])).toMatchObject([missing]);
		const open = await resolveWorkflow({});
		expect(await open.pay([{ reference }])).toMatchObject([
			{ error: expect.stringContaining('Outcome is not one of') },
		]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['unconfirmed']);
	});
});

test('what was prepared with wrong values is resolved as not paid, and then sent with others', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const [payout] = payoutsFor(payees);
	const prepare = await createTableWorkflow({ fundingMethod: 'none' });
	expect(statusesOf(await prepare.pay([{ ...payout }]))).toEqual(['prepared']);
	const workflow = await createTableWorkflow();
	const corrected = [{ ...payout, amount: 99 }];
	expect(statusesOf(await workflow.pay(corrected))).toEqual(['failed']);
	const resolve = await resolveWorkflow({ outcome: 'notPaid' });
	await resolve.pay([{ reference: payout?.reference }]);
	expect(statusesOf(await workflow.pay(corrected))).toEqual(['funded']);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('a funding that waits is sent for the others alone, when the table says meanwhile that one is paid #paid-while-waiting', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 2);
	const headers = { 'retry-after': '3' };
	await sandbox.control.addFault({ kind: 'status', status: 429, headers, ...CREATE_FUNDING });
	const payouts = payoutsFor(payees);
	const waiting = (await createTableWorkflow()).pay(payouts);
	await poll('the refusal', async () => (await requestCounts())['createFunding']);
	await poll('the withdrawal', async () =>
		(await tables().statesOf(payouts[0]?.reference ?? '')).join() === 'prepared' ? true : undefined,
	);
	await tables().writeState(payouts[0]?.reference ?? '', 'paid');
	expect(statusesOf(await waiting)).toEqual(['duplicate', 'funded']);
	const [paid = '', other = ''] = payees;
	expect(await timesFunded(sandbox, payees)).toEqual({ [paid]: 0, [other]: 1 });
});

test('the ledger lists what it knows, such as all that is unconfirmed', async () => {
	const { reference, item, workflow } = await payUnconfirmed('cut_before');
	const [paid] = await addVendors(fixture().sandbox, 1);
	await workflow.pay(payoutsFor([paid ?? '']));
	const list = async (filters: object) =>
		await (await createTableWorkflow({ operation: 'getMany', returnAll: true, filters })).pay([{}]);
	expect(await list({ status: 'unconfirmed' })).toContainEqual(
		expect.objectContaining({
			status: 'unconfirmed',
			unique_reference: reference,
			payable_id: item?.['payable_id'],
			amount: 100,
		}),
	);
	expect(await list({ payee: paid })).toMatchObject([{ status: 'funded', payee: paid }]);
	expect(await list({ since: '2100-01-01' })).toEqual([]);
});

test('another workflow and another node know what was paid #table-shared-by-workflows', async () => {
	const payees = await addVendors(fixture().sandbox, 2);
	const payouts = payoutsFor(payees);
	await (await createTableWorkflow()).pay(payouts);
	const again = await (await createTableWorkflow()).pay(payouts);
	expect(statusesOf(again)).toEqual(['duplicate', 'duplicate']);
	expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
});

test('what today has paid counts for the limit per day, of all workflows of the table #limit-per-day', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const name = `Limited ${randomUUID()}`;
	await addLedgerTable(n8n, name);
	const credential = await createClient(ledgerFields(n8n, name));
	const create = async () =>
		await PayoutWorkflow.create(
			n8n,
			credential,
			payoutParameters(sandbox.workspaceId, { options: { maxPerDay: '2.50' } }),
		);
	const payees = await addVendors(sandbox, 3);
	const [first, rest] = [payoutsFor(payees.slice(0, 2)), payoutsFor(payees.slice(2))];
	expect(statusesOf(await (await create()).pay(first))).toEqual(['funded', 'funded']);
	const workflow = await create();
	expect(await workflow.pay(rest)).toMatchObject([
		{
			status: 'not_sent',
			error: expect.stringContaining('pay 3.00 today, above the Maximum per Day of 2.50'),
		},
	]);
	expect(statusesOf(await workflow.pay(first))).toEqual(['duplicate', 'duplicate']);
	expect(await timesFunded(sandbox, payees.slice(2))).toEqual({ [payees[2] ?? '']: 0 });
});

test('a table is made by Ledger: Create alone, and one that was deleted is not replaced #deleted-table', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const payees = await addVendors(sandbox, 1);
	const name = `Made ${randomUUID()}`;
	const credential = await createClient(ledgerFields(n8n, name));
	const pay = await PayoutWorkflow.create(n8n, credential, payoutParameters(sandbox.workspaceId));
	const refused = { status: 'not_sent', error: expect.stringContaining('Data Table') };
	expect(await pay.pay(payoutsFor(payees))).toMatchObject([refused]);
	const parameters = { resource: 'ledger', operation: 'create' };
	const make = await PayoutWorkflow.create(n8n, credential, parameters);
	expect(await make.pay([{}])).toEqual([{ table: name, is_new: true }]);
	expect(await make.pay([{}])).toEqual([{ table: name, is_new: false }]);
	expect(statusesOf(await pay.pay(payoutsFor(payees)))).toEqual(['funded']);
	await tables().delete(name);
	for (let times = 0; times < 2; times += 1)
		expect(statusesOf(await pay.pay(payoutsFor(payees)))).toEqual(['not_sent']);
	expect(await tables().find(name)).toBeUndefined();
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('the deposit of an invoice completes its payouts in the ledger', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const payouts = payoutsFor(payees, 12_345);
	const invoice = await createTableWorkflow({ fundingMethod: 'invoice' });
	const [item] = await invoice.pay(payouts);
	expect(item).toMatchObject({ status: 'awaiting_deposit', pdf_url: expect.any(String) });
	await sandbox.control.deposit(sandbox.workspaceId, 12_345);
	const list = await createTableWorkflow({ resource: 'deposit', operation: 'getAll' });
	const deposits = await list.pay([{}]);
	const deposit = deposits.find(({ amount }) => amount === 12_345);
	const link = await createTableWorkflow({
		resource: 'funding',
		operation: 'linkDeposit',
		fundingId: String(item?.['funding_id']),
		depositId: String(deposit?.['id']),
	});
	await link.pay([{}]);
	expect(await invoice.pay(payouts)).toMatchObject([
		{ status: 'duplicate', first_status: 'funded' },
	]);
});
