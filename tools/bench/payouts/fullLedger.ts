import { randomUUID } from 'node:crypto';

import { rowOf } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { chunk } from '../../../nodes/PartnerPayments/shared/lists';
import type { Environment } from '../../environment';
import type { N8n } from '../../n8n';
import { UNLIMITED } from '../../payouts/credentials';
import { addLedgerTable, projectLedgerFields, sharedLedgerFields } from '../../payouts/ledgerStore';
import { itemsOf, makePayouts, type PayoutRequest } from '../../payouts/payout';
import { sandboxCredentialData } from '../../sandboxCredentialData';
import { payoutBench } from './ledger';
import { type ActiveWorkflow, activateWith, timeExecution } from './workflows';

/** The most rows that n8n's public API takes at once. */
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
 *
 * @throws when a run does not answer that its first reference is a duplicate
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
	const project = await activate(environment, STORES.project(table));
	const shared = await activate(environment, STORES.shared(n8n, table));
	const times = { project: [] as number[], shared: [] as number[] };
	await control.setSettings({ requestsPerMinute: UNLIMITED });
	await control.clearRequests();

	for (let round = 0; round < rounds; round += 1) {
		times.project.push(await duplicateTimeMs(n8n, project, payouts));
		times.shared.push(await duplicateTimeMs(n8n, shared, payouts));
	}

	const requests = await control.requests();
	const writing = requests.filter(({ operationId }) => operationId?.startsWith('create') === true);
	return { ...times, requests: writing.length };
}

/** A run that has read no ledger would be the fastest: so its answer has to name a duplicate. */
async function duplicateTimeMs(
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
async function addTable({ n8n, sandbox }: Environment, payouts: PayoutRequest[]): Promise<string> {
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
