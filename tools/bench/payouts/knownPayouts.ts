import { randomUUID } from 'node:crypto';

import { rowOf } from '../../../nodes/PartnerPayments/ledger/table/rows';
import type { Environment } from '../../environment';
import type { N8n } from '../../n8n';
import { UNLIMITED } from '../../payouts/credentials';
import {
	addLedgerRows,
	addLedgerTable,
	type LedgerStore,
	projectLedgerFields,
	sharedLedgerFields,
} from '../../payouts/ledgerStore';
import { itemsOf, makePayouts, type PayoutRequest } from '../../payouts/payout';
import { sandboxCredentialData } from '../../sandboxCredentialData';
import { type Measured, TableBuilder } from '../results/table';
import { type PayoutBench, STORES } from './bench';
import { type ActiveWorkflow, activateWith, timeExecution } from './workflows';

const MAX_SECONDS = 10;

/** What it takes to submit everything again. Passes when nothing is sent. */
export async function measureAgain(bench: PayoutBench): Promise<Measured> {
	const { againPayouts: count, againRounds: rounds } = bench.scale;
	const { n8n, sandbox } = bench;
	const { control } = sandbox;
	const payouts = makePayouts(`again-${randomUUID()}`, count);
	const ledger = await addTable(bench, payouts);
	const workflows = {
		project: await activateOn(bench, 'project', ledger),
		shared: await activateOn(bench, 'shared', ledger),
	};

	const seconds: Record<LedgerStore, number[]> = { project: [], shared: [] };
	await control.setSettings({ requestsPerMinute: UNLIMITED });
	await control.clearRequests();

	for (let round = 0; round < rounds; round += 1) {
		for (const { store } of STORES) {
			const elapsedMs = await timeDuplicates(n8n, workflows[store], payouts);
			seconds[store].push(elapsedMs / 1000);
		}
	}

	const requests = await control.requests();
	const writing = requests.filter(({ operationId }) => operationId?.startsWith('create') === true);
	const table = new TableBuilder(
		`${count.toLocaleString('en-US')} known references again: ${rounds} rounds`,
		{ own: 'Partner Payments', peer: '' },
	);

	for (const { store, name } of STORES) {
		const own = seconds[store];
		table.add({ name, unit: 's', digits: 2, own, wanted: `at most ${MAX_SECONDS}` });
	}

	table.add({ name: 'requests that make or pay something', own: writing.length, wanted: '0' });
	return { isPassed: writing.length === 0, table: table.build() };
}

/**
 * Executes a workflow with payouts that its ledger knows; returns the milliseconds. A run that has read no
 * ledger would be the fastest: so its answer has to name a duplicate.
 *
 * @throws when the first of them is none
 */
export async function timeDuplicates(
	n8n: N8n,
	workflow: ActiveWorkflow,
	payouts: PayoutRequest[],
): Promise<number> {
	const { elapsedMs, answer } = await timeExecution(n8n, workflow, itemsOf(payouts));
	if (!isDuplicate(answer)) {
		throw new Error(`The first reference is not a duplicate: ${JSON.stringify(answer)}`);
	}

	return elapsedMs;
}

const isDuplicate = (answer: unknown): boolean =>
	typeof answer === 'object' &&
	answer !== null &&
	'status' in answer &&
	answer.status === 'duplicate';

/** Makes a table that knows these payouts; returns its name. */
export async function addTable(
	{ n8n, sandbox }: Environment,
	payouts: PayoutRequest[],
): Promise<string> {
	const name = `Ledger ${randomUUID()}`;
	const id = await addLedgerTable(n8n, name);
	const rows = payouts.map((payout) => {
		const payment = {
			...payout,
			workspaceId: sandbox.workspaceId,
			payableId: `pbl_${randomUUID()}`,
		};

		return rowOf(payment, {
			state: 'funded',
			claim: randomUUID(),
			execution: '1',
			environment: 'sandbox',
		});
	});

	await addLedgerRows(n8n, id, rows);

	return name;
}

/** Activates a workflow of this package's node whose ledger is a table, reached in one of the ways. */
export async function activateOn(
	bench: Environment,
	store: LedgerStore,
	table: string,
): Promise<ActiveWorkflow> {
	const { n8n, sandbox } = bench;
	const fields = store === 'project' ? projectLedgerFields(table) : sharedLedgerFields(n8n, table);
	const credential = await n8n.createCredential('A ledger of its own', 'partnerPaymentsApi', {
		...sandboxCredentialData(sandbox),
		requestsPerMinute: UNLIMITED,
		...fields,
	});

	return await activateWith(bench, credential);
}
