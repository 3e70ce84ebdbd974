import { randomUUID } from 'node:crypto';

import { type Credential, NODE_UNDER_TEST, outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { addLedgerTable, databaseTableOf } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { pathOf } from '../n8n/support/example';
import type { Fixture } from '../n8n/support/fixture';
import { PayoutWorkflow, statusesOf, usePayouts } from '../n8n/support/payouts';
import { ProjectTables } from '../n8n/support/projectTables';

/** So late the service answers a funding, so that something can be deleted meanwhile. */
const LATENCY_MS = 3_000;

/** Long ago, as n8n's database writes it. */
const LONG_AGO = '2026-01-02 03:04:05.678';

/** Tests that what people delete in n8n or in the service is no reason to pay again. */
export function testDeletions(fixture: () => Fixture): void {
	const { addPayouts } = usePayouts(fixture);
	let credential: Credential;
	let tables: ProjectTables;

	beforeAll(async () => {
		credential = await fixture().createClient({ ledgerElsewhere: false });
		tables = new ProjectTables(fixture().n8n);
	});

	beforeEach(async () => {
		await tables.removeAll();
	});

	const publishPayer = async (by = credential, changes = {}): Promise<PayoutWorkflow> => {
		const { n8n, sandbox } = fixture();

		return await PayoutWorkflow.create(n8n, by, payoutParameters(sandbox.workspaceId, changes));
	};

	test('a node that takes the place of a deleted one knows what that one paid #node-deleted', async () => {
		const { n8n } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const payer = await publishPayer();
		const { workflow } = payer;
		const nodes = workflow.nodes.map((node) =>
			node.name === NODE_UNDER_TEST ? { ...node, id: randomUUID() } : node,
		);
		await payer.pay(payouts);

		await n8n.deactivate(workflow.id);
		await n8n.saveWorkflow({ ...workflow, nodes });
		await n8n.activate(workflow.id);

		expect(statusesOf(await payer.pay(payouts))).toEqual(['duplicate']);
		await expectPaidOnce();
	});

	test('a deleted credential pays nothing, and another one knows what it paid #credential-deleted', async () => {
		const { n8n } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const deleted = await fixture().createClient({ ledgerElsewhere: false }, 'Deleted');
		const payer = await publishPayer(deleted);
		await payer.pay(payouts);

		await n8n.client.publicApi('DELETE', `/credentials/${deleted.id}`);
		const [{ json: withoutCredential } = { json: {} }] = outputItems(
			await payer.execute(payouts),
			NODE_UNDER_TEST,
		);
		await payer.useCredential(credential);
		const again = await payer.pay(payouts);

		expect(withoutCredential).toMatchObject({ error: expect.stringContaining('does not exist') });
		expect(statusesOf(again)).toEqual(['duplicate']);
		await expectPaidOnce();
	});

	test('a vendor that the service no longer knows is not paid again #vendor-deleted', async () => {
		const { sandbox } = fixture();
		const { payouts } = await addPayouts(1);
		const payer = await publishPayer();
		await payer.pay(payouts);

		await sandbox.control.reset();
		const again = await payer.pay(payouts);

		expect(statusesOf(again)).toEqual(['duplicate']);
		expect(await sandbox.control.payables()).toEqual([]);
		await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
	});

	test('a file that n8n has made of the table restores all but its times #csv-restored', async () => {
		const { n8n } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const payer = await publishPayer();
		await payer.pay(payouts);
		n8n.database.change(`UPDATE ${databaseTableOf(n8n)} SET createdAt = ?`, LONG_AGO);
		const rows = tables.rows();
		const csv = await tables.download();
		await tables.remove();

		await expect(tables.upload(csv, [])).rejects.toThrow('reserved as a system column');
		await tables.upload(csv, ['id', 'createdAt', 'updatedAt']);

		expect(csv).toContain(new Date(`${LONG_AGO}Z`).toISOString());
		expect(tables.rows()).toEqual(rows.map(withNulls));

		const create = await publishPayer(credential, { resource: 'ledger', operation: 'create' });
		const [confirmed] = await create.pay([{}]);
		const limited = await publishPayer(credential, { options: { maxPerDay: '1.00' } });
		const other = await addPayouts(1);

		expect(confirmed).toMatchObject({ result: 'confirmed', payments: 1 });
		expect(Date.parse(String(confirmed?.['since']))).toBeGreaterThan(Date.parse(`${LONG_AGO}Z`));
		expect(statusesOf(await payer.pay(payouts))).toEqual(['duplicate']);
		expect(await limited.pay(other.payouts)).toMatchObject([
			{ status: 'not_sent', error: expect.stringContaining('Maximum per Day') },
		]);
		await expectPaidOnce();
	});

	describe('while the service has not answered', () => {
		/** Starts to pay, and waits until the funding is on its way. */
		const startPaying = async () => {
			const { n8n, sandbox } = fixture();
			const { payouts, timesFunded, expectPaidOnce } = await addPayouts(1);
			const [{ reference } = { reference: '' }] = payouts;
			// A table that the run makes could be read before it is whole.
			await addLedgerTable(n8n);
			const { workflow } = await publishPayer();
			await sandbox.control.addFault({
				kind: 'latency',
				ms: LATENCY_MS,
				match: { operationId: 'createFunding' },
			});

			// It is not answered if its workflow is deleted.
			void n8n.client.callWebhook(pathOf(workflow), { items: payouts }).catch(() => undefined);
			await poll('the funding to be sent', () => {
				const [state] = tables.states(reference);
				return state === 'sending' || undefined;
			});

			return { workflow, payouts, reference, timesFunded, expectPaidOnce };
		};

		test('a deleted execution still records what it paid #execution-deleted', async () => {
			const { n8n } = fixture();
			const { workflow, payouts, reference, expectPaidOnce } = await startPaying();
			const ids = n8n.database.executionIds(workflow.id);

			await n8n.client.rest('POST', '/executions/delete', { ids });

			await poll('the answer in the ledger', () => {
				const [state] = tables.states(reference);
				return state === 'funded' || undefined;
			});
			const other = await publishPayer();

			expect(n8n.database.executionIds(workflow.id)).not.toEqual(expect.arrayContaining(ids));
			expect(statusesOf(await other.pay(payouts))).toEqual(['duplicate']);
			await expectPaidOnce();
		});

		// The last test: n8n then tries for 20 minutes to record the answer, and keeps other payments of its number waiting.
		test('a workflow that is deleted leaves what it pays in the ledger #workflow-deleted', async () => {
			const { n8n } = fixture();
			const { workflow, reference, timesFunded, expectPaidOnce } = await startPaying();

			await n8n.client.rest('POST', `/workflows/${workflow.id}/archive`);
			await n8n.client.rest('DELETE', `/workflows/${workflow.id}`);

			await poll('the funding in the service', async () => {
				const [times] = Object.values(await timesFunded());
				return times === 1 || undefined;
			});

			expect(tables.states(reference)).toEqual(['sending']);
			await expectPaidOnce();
		});
	});
}

/** A row as n8n imports it: a cell without a text holds nothing. */
const withNulls = (row: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name, value === '' ? null : value]),
	);
