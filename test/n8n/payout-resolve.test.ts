import { randomUUID } from 'node:crypto';
import type { Method } from 'axios';

import { NODE_UNDER_TEST, outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import {
	addLedgerTable,
	projectLedgerFields,
	readLedger,
	sharedLedgerFields,
} from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { hintsOf, PayoutWorkflow, statusesOf, usePayouts } from './support/payouts';

const { fixture, addPayouts, createWorkflow, requestCounts } = usePayouts();

const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

/** Pays one vendor, and loses the answer to the funding before or after it took effect. */
async function payUnconfirmed(kind: 'cut_before' | 'cut_after') {
	const { sandbox } = fixture();
	const { payouts, expectPaidOnce } = await addPayouts(1);
	const workflow = await createWorkflow();
	await sandbox.control.addFault({ kind, ...CREATE_FUNDING });

	const execution = await workflow.execute(payouts);

	const item = outputItems(execution, NODE_UNDER_TEST)[0]?.json;
	const [{ reference } = { reference: '' }] = payouts;
	expect(hintsOf(execution)).toEqual([expect.stringMatching(/^Of 1 item, 1 is unconfirmed\. /)]);
	expect(item).toMatchObject({
		status: 'unconfirmed',
		error: expect.stringMatching(/^Unconfirmed, .*: the funding was sent, and /),
		hint: expect.stringContaining(`[${reference}]`),
	});

	await sandbox.control.clearRequests();

	return { payouts, workflow, item, reference, expectPaidOnce };
}

/** What a person does to the Data Tables, through n8n's public API. */
const api = async <Answer>(method: Method, path: string, data?: object): Promise<Answer> =>
	await fixture().n8n.client.publicApi<Answer>(method, `/data-tables${path}`, data);

/** The IDs of the tables with a name. */
const idsOf = async (name: string): Promise<string[]> => {
	const { data } = await api<{ data: Array<{ id: string; name: string }> }>('GET', '?limit=250');
	return data.flatMap((table) => (table.name === name ? table.id : []));
};

/** The states of a reference's rows. */
const statesOf = async (reference = ''): Promise<unknown[]> => {
	const { rows } = await readLedger(fixture().n8n, fixture().ledgerTable);
	return rows.filter((row) => row['reference'] === reference).map(({ state }) => state);
};

/** Writes the state of a reference's row. */
const writeState = async (reference = '', state: string): Promise<void> => {
	const filters = [{ columnName: 'reference', condition: 'eq', value: reference }];
	const change = { filter: { type: 'and', filters }, data: { state } };
	const [id = ''] = await idsOf(fixture().ledgerTable);
	await api('PATCH', `/${id}/rows/update`, change);
};

const resolveWorkflow = async (change: object) =>
	await createWorkflow({ operation: 'resolve', ...change });

describe('an unconfirmed payout', () => {
	test('is resolved by its payable; others change nothing #resolved-by-payable', async () => {
		const { payouts, workflow, item, expectPaidOnce } = await payUnconfirmed('cut_after');
		const resolve = await resolveWorkflow({
			findBy: 'payableId',
			payableId: '={{ $json.payable_id }}',
			outcome: 'paid',
		});

		const [resolved] = await resolve.pay([{ payable_id: item?.['payable_id'] }]);
		const [other] = await resolve.pay([{ payable_id: 'of another' }]);

		expect(resolved).toMatchObject({ status: 'paid', is_resolved: true });
		expect(other).toMatchObject({ payable_id: 'of another', is_resolved: false });
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'duplicate', first_status: 'paid', payable_id: item?.['payable_id'] },
		]);
		await expectPaidOnce();
	});

	test('is resolved under its own reference in its own workspace, as a person chooses #resolve-exact-reference', async () => {
		const { payouts, workflow, reference } = await payUnconfirmed('cut_before');
		const elsewhere = { __rl: true, mode: 'id', value: randomUUID() };
		const missing = { error: expect.stringContaining('is not in the ledger table') };
		const paid = await resolveWorkflow({ outcome: 'paid' });
		const other = await resolveWorkflow({ outcome: 'paid', workspaceId: elsewhere });
		const open = await resolveWorkflow({});

		expect(await paid.pay([{ reference: reference.toLowerCase() }])).toMatchObject([
			{ error: expect.stringContaining(`"${reference}"`) },
		]);
		expect(await other.pay([{ reference }])).toMatchObject([missing]);
		expect(await open.pay([{ reference }])).toMatchObject([
			{ error: expect.stringContaining('"Outcome" is not chosen') },
		]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['unconfirmed']);
	});

	test('is resolved one by one, and a wrong answer can be corrected', async () => {
		const { payouts, workflow, reference, expectPaidOnce } = await payUnconfirmed('cut_after');
		const { payouts: others } = await addPayouts(1);
		await (await createWorkflow({ options: { holdAbove: '0.01' } })).pay(others);
		const notPaid = await resolveWorkflow({ outcome: 'notPaid' });
		const paid = await resolveWorkflow({ outcome: 'paid' });

		const isFixed = { error: expect.stringContaining('"Outcome" is fixed') };

		expect(await notPaid.pay([{ reference }, ...others])).toMatchObject([isFixed, isFixed]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['unconfirmed']);
		expect(await notPaid.pay([{ reference }])).toMatchObject([{ status: 'not_paid' }]);
		expect(await paid.pay(others)).toMatchObject([
			{ error: expect.stringContaining('says "held"') },
		]);
		expect(await paid.pay([{ reference }])).toMatchObject([{ status: 'paid' }]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['duplicate']);
		await expectPaidOnce();
	});
});

test('a funding that waits is sent for the others alone, when the table says meanwhile that one is paid #paid-while-waiting', async () => {
	const { sandbox } = fixture();
	const { payees, payouts, timesFunded } = await addPayouts(2);
	const headers = { 'retry-after': '3' };
	await sandbox.control.addFault({ kind: 'status', status: 429, headers, ...CREATE_FUNDING });
	const waiting = (await createWorkflow()).pay(payouts);
	await poll('the refusal', async () => (await requestCounts())['createFunding']);
	await poll('the withdrawal', async () =>
		(await statesOf(payouts[0]?.reference)).join() === 'preparing' ? true : undefined,
	);

	await writeState(payouts[0]?.reference, 'paid');

	const [paid = '', other = ''] = payees;
	expect(statusesOf(await waiting)).toEqual(['duplicate', 'funded']);
	expect(await timesFunded()).toEqual({ [paid]: 0, [other]: 1 });
});

test('the ledger lists what it knows, such as all that is unconfirmed', async () => {
	const { reference, item, workflow } = await payUnconfirmed('cut_before');
	const { payouts, payees } = await addPayouts(1);
	const [paid] = payees;
	await workflow.pay(payouts);
	const list = async (filters: object) =>
		await (await createWorkflow({ operation: 'getMany', returnAll: true, filters })).pay([{}]);
	const isPaid = [{ status: 'funded', payee: paid }];

	expect(await list({ status: 'unconfirmed' })).toContainEqual(
		expect.objectContaining({
			status: 'unconfirmed',
			unique_reference: reference,
			payable_id: item?.['payable_id'],
			amount_cents: 100,
			amount_usd: '1.00',
		}),
	);
	expect(await list({ payee: paid })).toMatchObject(isPaid);
	expect(await list({ payee: paid, status: 'paid' })).toMatchObject(isPaid);
	expect(await list({ payee: paid, status: 'prepared' })).toEqual([]);
	expect(await list({ reference: ` ${reference} ` })).toHaveLength(1);
	expect(await list({ since: '2100-01-01' })).toEqual([]);
});

test('what today has paid counts for the limit per day, of all workflows of the project #limit-per-day', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const name = `Limited ${randomUUID()}`;
	await addLedgerTable(n8n, name);
	const credential = await createClient(projectLedgerFields(name));
	const create = async () =>
		await PayoutWorkflow.create(
			n8n,
			credential,
			payoutParameters(sandbox.workspaceId, { options: { maxPerDay: '2.50' } }),
		);

	const first = (await addPayouts(2)).payouts;
	const { payees, payouts: rest, timesFunded } = await addPayouts(1);

	expect(statusesOf(await (await create()).pay(first))).toEqual(['funded', 'funded']);

	const workflow = await create();

	expect(await workflow.pay(rest)).toMatchObject([
		{
			status: 'not_sent',
			error: expect.stringContaining('would pay $3.00, above "Limit: Maximum per Day", $2.50'),
		},
	]);
	expect(statusesOf(await workflow.pay(first))).toEqual(['duplicate', 'duplicate']);
	expect(await timesFunded()).toEqual({ [payees[0] ?? '']: 0 });
});

test.each([
	['project', projectLedgerFields],
	['shared', (name: string) => sharedLedgerFields(fixture().n8n, name)],
])(
	'a ledger that was deleted or made again by hand is not replaced: %s #deleted-table',
	async (_, fieldsOf) => {
		const { n8n, sandbox, createClient } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(2);
		const name = `Made ${randomUUID()}`;
		const id = await addLedgerTable(n8n, name);
		const credential = await createClient(fieldsOf(name));
		const parameters = payoutParameters(sandbox.workspaceId);
		const pay = await PayoutWorkflow.create(n8n, credential, parameters);
		const ledger = { resource: 'ledger', operation: 'create' };
		const confirm = await PayoutWorkflow.create(n8n, credential, ledger);

		expect(statusesOf(await pay.pay(payouts.slice(0, 1)))).toEqual(['funded']);

		await api('DELETE', `/${id}`);

		expect(statusesOf(await pay.pay(payouts))).toEqual(['not_sent', 'not_sent']);

		await addLedgerTable(n8n, name);

		expect(statusesOf(await pay.pay(payouts))).toEqual(['not_sent', 'not_sent']);
		expect(await confirm.pay([{}])).toMatchObject([{ result: 'confirmed', payments: 0 }]);
		expect(statusesOf(await pay.pay(payouts.slice(1)))).toEqual(['funded']);
		await expectPaidOnce();
	},
);

test('the deposit of an invoice completes its payouts in the ledger', async () => {
	const { sandbox } = fixture();
	const { payouts } = await addPayouts(1, 12_345);
	const invoice = await createWorkflow({ fundingMethod: 'invoice' });

	const [item] = await invoice.pay(payouts);

	expect(item).toMatchObject({ status: 'awaiting_deposit', pdf_url: expect.any(String) });

	await sandbox.control.deposit(sandbox.workspaceId, 12_345);
	const list = await createWorkflow({ resource: 'deposit', operation: 'getAll' });
	const deposits = await list.pay([{}]);
	const deposit = deposits.find(({ amount }) => amount === 12_345);
	const link = await createWorkflow({
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
