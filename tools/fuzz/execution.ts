import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../nodes/PartnerPayments/execution/itemParameters';
import type { Operation, RunContext } from '../../nodes/PartnerPayments/execution/operation';
import type { Ledger } from '../../nodes/PartnerPayments/ledger/ledger';
import { openRecords } from '../../nodes/PartnerPayments/ledger/openLedger';
import { LedgerProtocol } from '../../nodes/PartnerPayments/ledger/protocol/ledgerProtocol';
import { LedgerTable } from '../../nodes/PartnerPayments/ledger/table/ledgerTable';
import {
	ProjectStore,
	type ProjectHost,
} from '../../nodes/PartnerPayments/ledger/table/projectStore';
import type { Patience } from '../../nodes/PartnerPayments/ledger/times';
import { create } from '../../nodes/PartnerPayments/resources/funding/create';
import { linkDeposit } from '../../nodes/PartnerPayments/resources/funding/linkDeposit';
import { resolve } from '../../nodes/PartnerPayments/resources/payout/resolve';
import { send } from '../../nodes/PartnerPayments/resources/payout/send';
import { clientFor } from './client';
import { ENVIRONMENT, WORKSPACE, type PayoutPlan, type Task } from './messages';
import type { Faults } from './faults';
import { parameterAt } from '../payouts/parameters';

/** How a run waits for others. */
const PATIENCE: Patience = { totalMs: 300, maxPauseMs: 250 };
/** What this process has found out about where its ledger is, in half of the executions. */
const TABLE_ID = 'ledger0000000000';

/** Does a task with the package's own operations; returns its items, with the message of an error beside them. */
export async function execute(
	task: Task,
	port: number,
	host: ProjectHost,
	faults: Faults,
): Promise<IDataObject[]> {
	const n8n = { ...host, getExecutionId: () => task.id } as unknown as IExecuteFunctions;
	let ledger: Ledger | undefined;
	const context: RunContext = {
		n8n,
		client: clientFor(task, port, faults),
		ledger: () => (ledger ??= openLedger(task, host)),
		ledgerForPreview: async () => await Promise.resolve(openLedger(task, host)),
		hint: () => undefined,
		signal: undefined,
	};

	const { work } = task;
	switch (work.kind) {
		case 'send':
			return await run(send, work.payouts.map(sendParameters), context);
		case 'fund': {
			const { payableId, method } = work;
			const funding = { workspaceId: WORKSPACE, method, amount: '100.00', payableIds: payableId };
			return await run(create, [funding], context);
		}
		case 'hear': {
			const { payableId } = work;
			const paid = { payableId, paidAt: new Date().toISOString() };
			await openRecords(n8n, {}).markPaid(ENVIRONMENT, WORKSPACE, [paid]);
			return [];
		}
		case 'link': {
			const { fundingId } = work;
			return await run(linkDeposit, [{ fundingId, depositId: `dep-${fundingId}` }], context);
		}
		case 'resolve': {
			const { subject, outcome, isWholeFunding: wholeFunding } = work;
			const named =
				subject.kind === 'payable'
					? { findBy: 'payableId', payableId: subject.payableId }
					: {
							findBy: 'uniqueReference',
							uniqueReference: subject.reference,
							payeeOfReference: subject.payee,
						};
			const parameters = { workspaceId: WORKSPACE, outcome, wholeFunding, ...named };
			return await run(resolve, [parameters], context);
		}
	}
}

function openLedger({ id, seed }: Task, host: ProjectHost): Ledger {
	const find = async (): Promise<string> => await Promise.resolve(TABLE_ID);
	const expectedId = seed % 2 === 0 ? TABLE_ID : undefined;
	const table = new LedgerTable(new ProjectStore(host), find, expectedId);
	return new LedgerProtocol(table, { execution: id, environment: ENVIRONMENT }, PATIENCE);
}

const sendParameters = ({ reference, payee, amount, method }: PayoutPlan): IDataObject => ({
	workspaceId: WORKSPACE,
	payee: { __rl: true, mode: 'email', value: payee },
	amount,
	uniqueReference: reference,
	fundingMethod: method,
	options: { checkBalance: false },
});

async function run(
	operation: Operation,
	parameters: IDataObject[],
	context: RunContext,
): Promise<IDataObject[]> {
	const results: IDataObject[] = [];
	const inputs = parameters.map((given, index) => itemOf(given, index));
	const jobs = await operation.plan(inputs, ({ error, output }) => {
		results.push({ ...output?.json, error: messageOf(error) });
	});

	for (const job of jobs) {
		const items = await job.run(context).catch((error: unknown) => [{ error, output: undefined }]);
		for (const { output, error } of items) {
			results.push({ ...output?.json, ...(error !== undefined && { error: messageOf(error) }) });
		}
	}

	return results;
}

function itemOf(parameters: IDataObject, index: number): ItemParameters {
	const n8n = {
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, _: number, fallback: unknown) =>
			parameterAt(parameters, name) ?? fallback,
	} as unknown as IExecuteFunctions;
	const node = { type: 'partnerPayments', parameters } as ConstructorParameters<
		typeof ItemParameters
	>[3];
	return new ItemParameters(n8n, index, {}, node);
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : JSON.stringify(error);
