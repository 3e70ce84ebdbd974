import { randomUUID } from 'node:crypto';

import {
	type Credential,
	type Execution,
	ITEMS,
	NODE_UNDER_TEST,
	outputItems,
	type Workflow,
	workflowWithNode,
} from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { LEDGER_TABLE } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { pathOf } from '../n8n/support/example';
import { useOwnFixture } from '../n8n/support/fixture';
import { PayoutWorkflow, statusesOf, usePayouts } from '../n8n/support/payouts';
import { testDeletions } from './deletions.suite';
import { ProjectTables } from '../n8n/support/projectTables';

/** So soon n8n ends the execution; the service answers later than that. */
const TIMEOUT_SECONDS = 2;
const LATENCY_MS = 5_000;

const COPY = 'Copy';

/** Copies the node of a workflow, as people do who paste it, and gives both the same items. */
function withCopy({ nodes, connections, ...workflow }: Workflow): Workflow {
	const node = nodes.find(({ name }) => name === NODE_UNDER_TEST);

	if (node === undefined) {
		throw new Error('The workflow has no node to copy');
	}

	const copy = { ...node, id: randomUUID(), name: COPY, position: [480, 200] as [number, number] };
	const targets = [NODE_UNDER_TEST, COPY].map((name) => ({ node: name, type: 'main', index: 0 }));

	return {
		...workflow,
		nodes: [...nodes, copy],
		connections: { ...connections, [ITEMS]: { main: [targets] } },
	};
}

/** The statuses that a node of a run put out. */
const statusesIn = (execution: Execution, node: string): unknown[] =>
	outputItems(execution, node).map(({ json }) => json['status']);

const fixture = useOwnFixture();

describe('the ledger of a project, which the first payment makes', () => {
	const { addPayouts } = usePayouts(fixture);
	let credential: Credential;
	let tables: ProjectTables;

	beforeAll(async () => {
		// It has no key, and names no table.
		credential = await fixture().createClient({ ledgerElsewhere: false });
		tables = new ProjectTables(fixture().n8n);
	});

	beforeEach(async () => {
		await tables.removeAll();
	});

	/** Publishes another workflow with a node that pays. */
	const publishPayer = async (by = credential, changes = {}): Promise<PayoutWorkflow> => {
		const { n8n, sandbox } = fixture();
		const parameters = payoutParameters(sandbox.workspaceId, changes);

		return await PayoutWorkflow.create(n8n, by, parameters);
	};

	describe('needs no setup', () => {
		/** One table was made, and knows each payment once. */
		const expectOneLedger = (payments: number): void => {
			expect(tables.names()).toEqual([LEDGER_TABLE]);
			expect(tables.rows().map(({ state }) => state)).toEqual(Array(payments).fill('funded'));
		};

		test('for two workflows #no-setup-two-workflows', async () => {
			const { payouts, expectPaidOnce } = await addPayouts(3);
			const first = await publishPayer();
			const second = await publishPayer();

			expect(statusesOf(await first.pay(payouts.slice(0, 2)))).toEqual(['funded', 'funded']);
			expect(statusesOf(await second.pay(payouts))).toEqual(['duplicate', 'duplicate', 'funded']);
			expect(statusesOf(await first.pay(payouts))).toEqual(Array(3).fill('duplicate'));
			await expectPaidOnce();
			expectOneLedger(3);
		});

		test('for a node and its copy #no-setup-copied-node', async () => {
			const { n8n, sandbox } = fixture();
			const { payouts, expectPaidOnce } = await addPayouts(2);
			const parameters = payoutParameters(sandbox.workspaceId);
			const { workflow, path } = await n8n.publish((webhookPath) =>
				withCopy(workflowWithNode({ credential, parameters, webhookPath })),
			);

			await n8n.client.callWebhook(path, { items: payouts });
			const execution = await n8n.executions.newestOf(workflow.id, 1);

			expect(statusesIn(execution, NODE_UNDER_TEST)).toEqual(['funded', 'funded']);
			expect(statusesIn(execution, COPY)).toEqual(['duplicate', 'duplicate']);
			await expectPaidOnce();
			expectOneLedger(2);
		});

		test('for a second credential, of another kind #no-setup-second-credential', async () => {
			const { payouts, expectPaidOnce } = await addPayouts(2);
			const first = await publishPayer();
			const client = await fixture().createClient({ ledgerElsewhere: false }, 'Second');
			const second = await publishPayer(client);
			const user = await fixture().createUser({ ledgerElsewhere: false });
			const third = await publishPayer(user, { authentication: 'oAuth2' });

			expect(statusesOf(await first.pay(payouts))).toEqual(['funded', 'funded']);
			expect(statusesOf(await second.pay(payouts))).toEqual(['duplicate', 'duplicate']);
			expect(statusesOf(await third.pay(payouts))).toEqual(['duplicate', 'duplicate']);
			await expectPaidOnce();
			expectOneLedger(2);
		});

		test('for a workflow that is deleted and imported again #no-setup-imported-workflow', async () => {
			const { n8n } = fixture();
			const { client } = n8n;
			const { payouts, expectPaidOnce } = await addPayouts(2);
			const first = await publishPayer();

			expect(statusesOf(await first.pay(payouts))).toEqual(['funded', 'funded']);

			const exported = await client.rest<Workflow>('GET', `/workflows/${first.workflow.id}`);
			await n8n.deactivate(first.workflow.id);
			await client.publicApi('DELETE', `/workflows/${first.workflow.id}`);

			const { name, nodes, connections, settings = {} } = exported;
			const imported = await n8n.createWorkflow({ name, nodes, connections, settings });
			await n8n.activate(imported.id);
			const { data } = await client.callWebhook(pathOf(imported), { items: payouts });

			expect(data).toMatchObject([{ status: 'duplicate' }, { status: 'duplicate' }]);
			await expectPaidOnce();
			expectOneLedger(2);
		});

		test('for ten workflows at once #no-setup-ten-at-once', async () => {
			const { payouts, expectPaidOnce } = await addPayouts(3);
			const other = await fixture().createClient({ ledgerElsewhere: false }, 'Second');
			const workflows: PayoutWorkflow[] = [];

			while (workflows.length < 10) {
				workflows.push(await publishPayer(workflows.length % 2 === 0 ? credential : other));
			}

			await Promise.all(workflows.map(async (workflow) => await workflow.pay(payouts)));
			const again = await Promise.all(
				workflows.map(async (workflow) => statusesOf(await workflow.pay(payouts))),
			);

			expect(again).toEqual(Array(10).fill(Array(3).fill('duplicate')));
			await expectPaidOnce();
			expectOneLedger(3);
		});
	});

	/** A workflow that has paid with the project's ledger, and what was paid and what was not. */
	const paidWorkflow = async () => {
		const { payouts, payees, timesFunded } = await addPayouts(3);
		const [paid, fresh, others] = payouts.map((payout) => [payout]);

		if (paid === undefined || fresh === undefined || others === undefined) {
			throw new Error('There are three payouts');
		}

		const workflow = await publishPayer();

		expect(await workflow.pay(paid)).toMatchObject([{ status: 'funded' }]);

		/** How often each was paid: what was, what was not, and what another workflow may pay. */
		const times = async (): Promise<Array<number | undefined>> => {
			const counts = await timesFunded();
			return payees.map((payee) => counts[payee]);
		};

		/** Expects that the node pays nothing, new or known, and that its error has these words. */
		const expectRefused = async (...words: string[]): Promise<void> => {
			const before = await times();

			for (const items of [paid, fresh]) {
				const [{ status, error } = {}] = await workflow.pay(items);

				expect(status).toBe('not_sent');

				for (const word of [LEDGER_TABLE, ...words]) {
					expect(error).toContain(word);
				}
			}

			expect(await times()).toEqual(before);
		};

		return { workflow, paid, fresh, others, times, expectRefused };
	};

	type Paid = Awaited<ReturnType<typeof paidWorkflow>>;

	/** Has another, new workflow pay something, which makes a table where there is none. */
	const payElsewhere = async ({ others }: Paid): Promise<void> => {
		const other = await publishPayer();

		expect(await other.pay(others)).toMatchObject([{ status: 'funded' }]);
	};

	/** What may become of the ledger, and the payments that the table knows after that. */
	const LOSSES: Record<string, (paid: Paid) => Promise<Array<'paid' | 'others'>>> = {
		deleted: async () => {
			await tables.remove();
			return [];
		},
		'made again': async (paid) => {
			await tables.remove();
			await payElsewhere(paid);

			return ['others'];
		},
		restored: async () => {
			const rows = tables.rows();
			await tables.remove();
			await tables.restore(rows);

			return ['paid'];
		},
	};

	test('pays nothing while it has another name #table-renamed', async () => {
		const { workflow, paid, fresh, times, expectRefused } = await paidWorkflow();
		await tables.rename(LEDGER_TABLE, 'Old payments');

		await expectRefused('Old payments');

		const newcomer = await publishPayer();

		expect(await newcomer.pay(fresh)).toMatchObject([
			{ status: 'not_sent', error: expect.stringContaining('Old payments') },
		]);
		expect(tables.names()).toEqual(['Old payments']);

		await tables.rename('Old payments', LEDGER_TABLE);

		expect(await workflow.pay(paid)).toMatchObject([{ status: 'duplicate' }]);
		expect(await workflow.pay(fresh)).toMatchObject([{ status: 'funded' }]);
		expect(await times()).toEqual([1, 1, 0]);
	});

	test('is not made again by a node that has paid with it #table-deleted', async () => {
		const paid = await paidWorkflow();
		await LOSSES['deleted']?.(paid);

		await paid.expectRefused();

		expect(tables.names()).toEqual([]);
		expect(await paid.times()).toEqual([1, 0, 0]);
	});

	test('is not replaced by one that another node has made #table-made-again', async () => {
		const paid = await paidWorkflow();
		await LOSSES['made again']?.(paid);

		await paid.expectRefused();

		expect(await paid.times()).toEqual([1, 0, 1]);
	});

	test('is not replaced by one that a person has made of its rows #table-restored', async () => {
		const paid = await paidWorkflow();
		await LOSSES['restored']?.(paid);

		await paid.expectRefused();

		expect(await paid.times()).toEqual([1, 0, 0]);
	});

	test.each(Object.entries(LOSSES))(
		'is the table that a person has confirmed, after it was %s #ledger-confirmed',
		async (_what, lose) => {
			const paid = await paidWorkflow();
			const known = await lose(paid);
			await paid.expectRefused();

			const create = await publishPayer(credential, { resource: 'ledger', operation: 'create' });

			expect(await create.pay([{}])).toMatchObject([
				{ table: LEDGER_TABLE, payments: known.length },
			]);

			for (const which of known) {
				expect(await paid.workflow.pay(paid[which])).toMatchObject([{ status: 'duplicate' }]);
			}

			expect(await paid.workflow.pay(paid.fresh)).toMatchObject([{ status: 'funded' }]);
			expect(await paid.workflow.pay(paid.fresh)).toMatchObject([{ status: 'duplicate' }]);
			expect(await paid.times()).toEqual([1, 1, known.includes('others') ? 1 : 0]);
		},
	);

	describe('for a workflow that is moved to another project', () => {
		/** Moves a workflow, with the credential that it needs, to the project of somebody else. */
		const moveTo = async (projectId: string, { workflow }: PayoutWorkflow): Promise<void> => {
			const body = { destinationProjectId: projectId, shareCredentials: [credential.id] };
			await fixture().n8n.client.rest('PUT', `/workflows/${workflow.id}/transfer`, body);
		};

		/** Invites somebody, who gets a project of their own. */
		const addProject = async (): Promise<string> => {
			const { client, database } = fixture().n8n;
			const email = `${randomUUID()}@northwind.example`;
			await client.publicApi('POST', '/users', [{ email, role: 'global:member' }]);

			const [relation] = database.rows(
				'SELECT projectId FROM project_relation r JOIN user u ON u.id = r.userId WHERE u.email = ?',
				email,
			);

			return String(relation?.['projectId']);
		};

		test('is the one of its new project when a person has confirmed that #workflow-moved', async () => {
			const paid = await paidWorkflow();
			const projectId = await addProject();
			await moveTo(projectId, paid.workflow);

			await paid.expectRefused();

			const create = await publishPayer(credential, { resource: 'ledger', operation: 'create' });
			await moveTo(projectId, create);

			expect(await create.pay([{}])).toMatchObject([{ table: LEDGER_TABLE, payments: 0 }]);
			expect(await paid.workflow.pay(paid.fresh)).toMatchObject([{ status: 'funded' }]);
			expect(await paid.workflow.pay(paid.fresh)).toMatchObject([{ status: 'duplicate' }]);
			expect(await paid.times()).toEqual([1, 1, 0]);
			expect(tables.names()).toEqual([LEDGER_TABLE, LEDGER_TABLE]);
		});
	});

	test('cannot be confirmed while it has another name', async () => {
		const { expectRefused } = await paidWorkflow();
		await tables.rename(LEDGER_TABLE, 'Old payments');

		const create = await publishPayer(credential, { resource: 'ledger', operation: 'create' });
		const [{ error } = {}] = await create.pay([{}]);

		expect(error).toContain('Old payments');
		await expectRefused('Old payments');
	});

	test('gets the answer that comes after n8n has ended the execution #late-answer-recorded', async () => {
		const { n8n, sandbox } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const [{ reference } = { reference: '' }] = payouts;
		const payer = await publishPayer();
		const { workflow } = payer;
		await n8n.deactivate(workflow.id);
		await n8n.saveWorkflow({
			...workflow,
			settings: { ...workflow.settings, executionTimeout: TIMEOUT_SECONDS },
		});

		await n8n.activate(workflow.id);
		await sandbox.control.addFault({
			kind: 'latency',
			ms: LATENCY_MS,
			match: { operationId: 'createFunding' },
		});

		const { status } = await payer.execute(payouts);

		expect(status).not.toBe('success');
		expect(tables.states(reference)).toEqual(['sending']);

		await poll('the answer in the ledger', () => {
			const [state] = tables.states(reference);
			return state === 'funded' || undefined;
		});

		const other = await publishPayer();

		expect(await other.pay(payouts)).toMatchObject([{ status: 'duplicate' }]);
		await expectPaidOnce();
	});

	test('adds nothing to the list of executions #executions-stay-clean', async () => {
		const { payouts } = await addPayouts(100);
		const payer = await publishPayer();
		const before = await executionIds();

		const { id } = await payer.execute(payouts);

		const added = (await executionIds()).filter((one) => !before.includes(one));
		expect(added).toEqual([id]);
	});

	/** All executions that people see. */
	const executionIds = async (): Promise<string[]> => {
		const { data } = await fixture().n8n.client.publicApi<{ data: Execution[] }>(
			'GET',
			'/executions?limit=250',
		);

		return data.map(({ id }) => id);
	};
});

describe('what people delete', () => {
	testDeletions(fixture);
});
