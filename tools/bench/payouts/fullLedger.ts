import { randomUUID } from 'node:crypto';

import { rowOf } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { chunk } from '../../../nodes/PartnerPayments/shared/lists';
import type { Environment } from '../../environment';
import { UNLIMITED } from '../../payouts/credentials';
import { addLedgerTable, projectLedgerFields, sharedLedgerFields } from '../../payouts/ledgerStore';
import { itemsOf, makePayouts, type PayoutRequest } from '../../payouts/payout';
import { sandboxCredentialData } from '../../sandboxCredentialData';
import { payoutBench } from './ledger';
import { activateWith, executionTimeMs } from './workflows';

/** n8n's public API takes so many rows at once. */
const ROWS_PER_REQUEST = 500;

/** The stores over an empty table, and over one with rows. */
const STORES = {
	project: projectLedgerFields,
	shared: sharedLedgerFields,
};

type TableCompetitor = 'projectEmpty' | 'projectFull' | 'sharedEmpty' | 'sharedFull';

const ORDER: TableCompetitor[] = ['projectEmpty', 'projectFull', 'sharedEmpty', 'sharedFull'];

/** Activates a workflow for each store and each of two tables; returns what measures them. */
export async function fullLedgerBench(environment: Environment, rows: number) {
	const { n8n } = environment;
	const empty = await addTable(environment, []);
	const full = await addTable(environment, makePayouts(`known-${randomUUID()}`, rows));

	return await payoutBench(environment, ORDER, {
		projectEmpty: await activate(environment, STORES.project(empty)),
		projectFull: await activate(environment, STORES.project(full)),
		sharedEmpty: await activate(environment, STORES.shared(n8n, empty)),
		sharedFull: await activate(environment, STORES.shared(n8n, full)),
	});
}

/**
 * Submits references again that a ledger knows; returns the milliseconds, and how many requests the
 * service has got for them: none.
 */
export async function measureAgain(
	environment: Environment,
	count: number,
	rounds: number,
): Promise<{ project: number[]; shared: number[]; requests: number }> {
	const { n8n, sandbox } = environment;
	const { control } = sandbox;
	const payouts = makePayouts(`again-${randomUUID()}`, count);
	const table = await addTable(environment, payouts);
	const workflows = [
		await activate(environment, STORES.project(table)),
		await activate(environment, STORES.shared(n8n, table)),
	] as const;

	const times: [number[], number[]] = [[], []];
	await control.setSettings({ requestsPerMinute: UNLIMITED });
	await control.clearRequests();

	for (let round = 0; round < rounds; round += 1) {
		for (const [index, workflow] of workflows.entries()) {
			times[index]?.push(await executionTimeMs(n8n, workflow, itemsOf(payouts)));
		}
	}

	const writing = await control.requests();
	const requests = writing.filter(({ operationId }) => operationId?.startsWith('create') === true);
	return { project: times[0], shared: times[1], requests: requests.length };
}

/** Makes a table that knows these payouts; returns its name. */
async function addTable({ n8n, sandbox }: Environment, payouts: PayoutRequest[]): Promise<string> {
	const name = `Ledger ${randomUUID()}`;
	const id = await addLedgerTable(n8n, name);
	const rows = payouts.map(({ reference, payee, amount }) =>
		rowOf(
			{
				reference,
				payee,
				amount,
				workspaceId: sandbox.workspaceId,
				payableId: `pbl_${randomUUID()}`,
			},
			{ state: 'funded', attempt: randomUUID(), execution: '1', environment: 'sandbox' },
		),
	);

	for (const data of chunk(rows, ROWS_PER_REQUEST)) {
		const path = `/data-tables/${id}/rows`;
		await n8n.client.publicApi('POST', path, { data, returnType: 'count' });
	}

	return name;
}

/** Activates a workflow of this package's node whose credential has these fields beside the account. */
async function activate(environment: Environment, fields: object) {
	const { n8n, sandbox } = environment;
	const credential = await n8n.createCredential('A ledger of its own', 'partnerPaymentsApi', {
		...sandboxCredentialData(sandbox),
		requestsPerMinute: UNLIMITED,
		...fields,
	});

	return await activateWith(environment, credential);
}
