import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Job, Operation } from '../../../../nodes/PartnerPayments/execution/operation';
import type { Ledger } from '../../../../nodes/PartnerPayments/ledger/ledger';
import type { Row } from '../../../../nodes/PartnerPayments/ledger/table/rows';
import { SENDING_MS } from '../../../../nodes/PartnerPayments/ledger/times';
import { ENVIRONMENT, messageOf, type Part } from './stage';
import { parameterAt } from '../../../../tools/payouts/parameters';

export const WORKSPACE = '7f0c9a52-5b0e-4f7e-9f0e-3c1a2b4d5e6f';

/** One who acts in a scenario. */
export interface Role {
	name: string;
	/** Two roles of the same task differ in their names alone. */
	task?: string;
	/** The ways in which it can begin now, each tried; one that has none begins at once. */
	ways?: (part: Part) => string[];
	act: (part: Part, way: string) => Promise<IDataObject[]>;
}

/** A payout that an item asks for. */
export interface PayoutPlan {
	reference: string;
	payee?: string;
	amount?: string;
	method?: 'balance' | 'invoice' | 'none';
	options?: IDataObject;
}

export const ADA = 'ada@example.com';
export const GRACE = 'grace@example.com';

/** An execution of Payout: Send. */
export function sends(name: string, payouts: PayoutPlan[], ways?: Role['ways']): Role {
	const parameters = payouts.map(({ reference, payee, amount, method, options }) => ({
		workspaceId: WORKSPACE,
		payee: { __rl: true, mode: 'email', value: payee ?? ADA },
		amount: amount ?? '100.00',
		uniqueReference: reference,
		fundingMethod: method ?? 'balance',
		options: { checkBalance: false, ...options },
	}));
	const act = async (part: Part): Promise<IDataObject[]> => {
		// A plan holds nothing of the execution, and takes long to make.
		part.process.plan ??= await jobsOf(part, part.modules.send, parameters);
		return await runJobs(part, part.process.plan);
	};
	const task = `send ${JSON.stringify(payouts)}`;
	return ways === undefined ? { name, task, act } : { name, act, ways };
}

/** An execution of Funding: Create for any payable of which the service has given the ID. */
export const fundsById = (name: string, isInvoice = false): Role => ({
	name,
	task: `fund by ${isInvoice ? 'invoice' : 'balance'}`,
	ways: ({ service }) => [...service.payables.keys()],
	act: async (part, way) => {
		const parameters = {
			workspaceId: WORKSPACE,
			method: isInvoice ? 'invoice' : 'balance',
			amount: '100.00',
			payableIds: way,
		};
		return await runJobs(part, await jobsOf(part, part.modules.createFunding, [parameters]));
	},
});

/** The event that a payable is paid, which can come as soon as its money moves. */
export const hearsPaid = (name: string): Role => ({
	name,
	ways: ({ service }) => [
		...new Set(
			service
				.fundingsOf(() => true)
				.filter((funding) => service.isMoving(funding))
				.flatMap(({ payableIds }) => payableIds),
		),
	],
	act: async (part, way) => {
		const paidAt = new Date(part.world.now).toISOString();
		await part.records().markPaid(ENVIRONMENT, WORKSPACE, [{ payableId: way, paidAt }]);
		return [];
	},
});

/** An execution of Funding: Link Deposit for an invoice funding. */
export const linksDeposit = (name: string, depositId = 'dep-1'): Role => ({
	name,
	task: `link ${depositId}`,
	ways: ({ service }) =>
		service
			.fundingsOf(() => true)
			.flatMap(({ id, method }) => (id !== undefined && method === 'invoice' ? [id] : [])),
	act: async (part, way) => {
		const parameters = { fundingId: way, depositId };
		return await runJobs(part, await jobsOf(part, part.modules.linkDeposit, [parameters]));
	},
});

/** What a person resolves. */
export type Subject = { uniqueReference: string } | { payableId: string };

/** A person who resolves a payout; as Not Paid or Paid only with the word of the operator. */
export const resolves = (
	name: string,
	subject: Subject,
	outcome: 'paid' | 'notPaid' | 'void',
): Role => ({
	name,
	ways: (part) => {
		const isOpen = part.table.rows.some(
			(row) => isOf(subject, row.reference, row.payable_id) && isResolvable(row, part.world.now),
		);
		return isOpen && isTrue(part, subject, outcome) ? [`with ${outcome}`] : [];
	},
	act: async (part) => {
		const findBy = 'payableId' in subject ? 'payableId' : 'uniqueReference';
		const parameters = { workspaceId: WORKSPACE, findBy, ...subject, outcome };
		return await runJobs(part, await jobsOf(part, part.modules.resolve, [parameters]));
	},
});

const isOf = (subject: Subject, reference: string, payableId: string): boolean =>
	'payableId' in subject ? payableId === subject.payableId : reference === subject.uniqueReference;

/** Time that passes while no funding and no deposit is on its way. */
export const passesTime = (name: string): Role => ({
	name,
	ways: ({ service, world }) =>
		[...service.fundings, ...service.links].some(
			({ isOnItsWay, by }) => isOnItsWay && by.state !== 'dead',
		) || world.step === 0
			? []
			: ['21 minutes later'],
	act: async ({ world }) => {
		world.now += SENDING_MS + 60_000;
		return await Promise.resolve([]);
	},
});

const isResolvable = ({ state, updatedAt }: Row, now: number): boolean =>
	['prepared', 'held', 'unconfirmed', 'not_paid', 'awaiting_deposit'].includes(state) ||
	(state === 'sending' && now - Date.parse(updatedAt) > SENDING_MS);

/** Whether the service has funded it, or not and will not, as a person says. */
function isTrue({ service }: Part, subject: Subject, outcome: string): boolean {
	const isFunded = service
		.fundingsOf(({ reference, id }) => isOf(subject, reference, id))
		.some((funding) => service.isMoving(funding));
	const isOnItsWay = service.fundings.some(
		(funding) =>
			funding.isOnItsWay &&
			funding.payableIds.some((id) => isOf(subject, service.payables.get(id)?.reference ?? '', id)),
	);
	switch (outcome) {
		case 'paid':
			return isFunded;
		case 'notPaid':
			return !isFunded && !isOnItsWay;
		default:
			return true;
	}
}

async function jobsOf(
	{ modules }: Part,
	operation: Operation,
	parameters: IDataObject[],
): Promise<Job[]> {
	const items = parameters.map((given, index) => {
		const n8n = {
			getTimezone: () => 'UTC',
			getInputData: () => parameters,
			getNodeParameter: (name: string, _: number, fallback: unknown) =>
				parameterAt(given, name) ?? fallback,
		} as unknown as IExecuteFunctions;
		const node = { type: 'partnerPayments', parameters: given } as ConstructorParameters<
			typeof modules.itemParameters.ItemParameters
		>[3];
		return new modules.itemParameters.ItemParameters(n8n, index, {}, node);
	});
	return await operation.plan(items, ({ error }) => {
		throw error;
	});
}

/** Runs jobs; returns their items, with the message of an error beside them. */
async function runJobs(part: Part, jobs: Job[]): Promise<IDataObject[]> {
	let ledger: Ledger | undefined;
	const context: Parameters<Job['run']>[0] = {
		n8n: { getExecutionId: () => part.actor.name } as unknown as IExecuteFunctions,
		client: part.service.clientFor(part.actor, part.modules),
		ledger: () => (ledger ??= part.ledger()),
		ledgerForPreview: async () => await Promise.resolve(part.ledger()),
		hint: () => undefined,
		signal: undefined,
	};
	const items: IDataObject[] = [];
	for (const job of jobs) {
		for (const { output, error } of await job.run(context)) {
			const item = { ...output?.json };
			if (error !== undefined) {
				item['error'] = messageOf(error);
			}
			items.push(item);
		}
	}
	return items;
}
