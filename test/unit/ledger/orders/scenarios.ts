import type { Bounds, Scenario } from './scenario';
import type { Invoice, MemoryService } from './memoryService';
import type { MemoryTable } from './memoryTable';
import type { RowValues } from '../../../../nodes/PartnerPayments/ledger/table/rows';
import { ENVIRONMENT } from './stage';
import {
	ADA,
	fundsById,
	GRACE,
	hearsPaid,
	passesTime,
	resolves,
	sends,
	WORKSPACE,
	type PayoutPlan,
} from './roles';

/** A scenario, with its bounds in each variant. */
export interface Planned {
	scenario: Scenario;
	short: Bounds;
	long: Bounds;
}

export const ONE: PayoutPlan = { reference: 'INV-1' };
const TWO: PayoutPlan = { reference: 'INV-2', payee: GRACE, amount: '50.00' };
export const INVOICE: Invoice = { reference: 'INV-1', payee: ADA, amount: 10_000 };
/** The folded reference, as the ledger keeps it. */
const KEY_OF_ONE = `${WORKSPACE} inv1`;

/** A payable that an earlier execution has prepared for INV-1. */
function prepared(service: MemoryService, table: MemoryTable): void {
	service.addPayable('pay-1', INVOICE);
	insertRow(table, { state: 'prepared' });
}

/** The row of INV-1 of an earlier execution. */
export function insertRow(
	table: MemoryTable,
	values: Pick<RowValues, 'state'> & Partial<RowValues>,
): void {
	table.insert({
		reference: INVOICE.reference,
		payee: INVOICE.payee,
		amount_usd: '100.00',
		amount_cents: INVOICE.amount,
		invoice_date: '',
		payable_id: 'pay-1',
		funding_id: '',
		deposit_id: '',
		approved_by: '',
		paid_at: '',
		pdf_url: '',
		execution: 'earlier',
		environment: ENVIRONMENT,
		workspace_id: WORKSPACE,
		key: KEY_OF_ONE,
		number_key: `${WORKSPACE} 1`,
		amount_key: `1 ${INVOICE.amount}`,
		claim: 'earlier',
		...values,
	});
}

/** A payable that a person has made and approved, which has no reference. */
export function byHand(service: MemoryService): void {
	service.addPayable('pay-1', { reference: '', payee: ADA, amount: 10_000 });
}

export const FEW = { turns: 1, faults: 1 };
export const SOME = { turns: 2, faults: 1 };
const MANY = { turns: 3, faults: 1 };

export const planned = (
	scenario: Scenario,
	short: Bounds = SOME,
	long: Bounds = MANY,
): Planned => ({
	scenario,
	short,
	long,
});

const FOUR = ['INV-1', 'INV-2', 'INV-3', 'INV-4'].map((reference) => ({ reference }));

/** Scenarios of two who act, and come between whole sub-executions of the other. */
export const PAIRS: Planned[] = [
	planned({
		name: 'two runs of one payout',
		roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE])],
		isPaid: true,
	}),
	planned({
		name: 'two runs of one prepared payout',
		roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE])],
		prepare: prepared,
		isPaid: true,
	}),
	planned(
		{
			name: 'a group of two, and a run of one of them',
			roles: [sends('Send 1', [ONE, TWO]), sends('Send 2', [ONE])],
			isPaid: true,
		},
		FEW,
	),
	planned(
		{
			name: 'two groups that overlap, one of them with a prepared payout',
			roles: [sends('Send 1', [ONE, TWO]), sends('Send 2', [TWO, ONE])],
			prepare: prepared,
		},
		FEW,
	),
	planned({
		name: 'a run, and Funding: Create for its payable',
		roles: [sends('Send', [ONE]), fundsById('Create')],
	}),
	planned({
		name: 'two of Funding: Create for a payable made by hand',
		roles: [fundsById('Create 1'), fundsById('Create 2')],
		prepare: byHand,
	}),
	planned({
		name: 'a run, and the event that its payable is paid',
		roles: [sends('Send', [ONE]), hearsPaid('Event')],
	}),
	...(['void', 'notPaid', 'paid'] as const).map((outcome) =>
		planned({
			name: `a run of a prepared payout, and a person who resolves it as ${outcome}`,
			roles: [sends('Send', [ONE]), resolves('Person', { uniqueReference: 'INV-1' }, outcome)],
			prepare: prepared,
		}),
	),
	planned({
		name: 'a run that prepares, and one that pays',
		roles: [sends('Prepare', [{ ...ONE, method: 'none' }]), sends('Send', [ONE])],
		isPaid: false,
	}),
	planned({
		name: 'a run that holds, and one that pays',
		roles: [
			sends('Hold', [{ ...ONE, options: { holdAbove: '1.00' } }]),
			sends('Send', [{ ...ONE, options: { approvedBy: 'Kim' } }]),
		],
	}),
	planned({
		name: 'a run that holds a prepared payout, and one that pays it',
		roles: [sends('Hold', [{ ...ONE, options: { holdNewPayees: true } }]), sends('Send', [ONE])],
		prepare: prepared,
	}),
	planned(
		{
			name: 'a run of four payouts, and a run of one of them',
			roles: [sends('Send 1', FOUR), sends('Send 2', [{ reference: 'INV-3' }])],
		},
		{ turns: 1, faults: 0 },
		{ turns: 2, faults: 0 },
	),
	planned({
		name: 'one reference with two payees',
		roles: [sends('Send 1', [ONE]), sends('Send 2', [{ ...ONE, payee: GRACE }])],
	}),
	planned(
		{
			name: 'one reference with two amounts',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [{ ...ONE, amount: '99.00' }])],
		},
		FEW,
	),
	planned(
		{
			name: 'two spellings of one reference',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [{ reference: 'inv 1' }])],
		},
		FEW,
	),
	planned(
		{
			name: 'one number with and without the words before it',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [{ reference: '1' }])],
		},
		FEW,
	),
	planned(
		{
			name: 'the same number on the invoices of two vendors',
			roles: [
				sends('Send 1', [ONE]),
				sends('Send 2', [{ reference: 'INV-1', payee: GRACE, amount: '99.00' }]),
			],
			isPaid: true,
		},
		FEW,
	),
	planned(
		{
			name: 'a group with a prepared payout, and a person who resolves that one as void',
			roles: [sends('Send', [TWO, ONE]), resolves('Person', { uniqueReference: 'INV-1' }, 'void')],
			prepare: prepared,
		},
		FEW,
	),
];

/** Scenarios of two who act, and come between any two statements of the other. */
export const STATEMENTS: Planned[] = [
	planned({
		name: 'two runs of one payout, statement by statement',
		roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE])],
		granularity: 'statement',
		isPaid: true,
	}),
	planned({
		name: 'two runs of one prepared payout, statement by statement',
		roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE])],
		granularity: 'statement',
		prepare: prepared,
		isPaid: true,
	}),
	planned({
		name: 'a run, and Funding: Create for its prepared payable, statement by statement',
		roles: [sends('Send', [ONE]), fundsById('Create')],
		granularity: 'statement',
		prepare: prepared,
	}),
	planned(
		{
			name: 'two of Funding: Create for a payable made by hand, statement by statement',
			roles: [fundsById('Create 1'), fundsById('Create 2')],
			granularity: 'statement',
			prepare: byHand,
		},
		FEW,
	),
	planned({
		name: 'a run of a prepared payout, and a person who resolves it as void, statement by statement',
		roles: [sends('Send', [ONE]), resolves('Person', { uniqueReference: 'INV-1' }, 'void')],
		granularity: 'statement',
		prepare: prepared,
	}),
];

/** Scenarios of three or more who act. */
export const GROUPS: Planned[] = [
	planned(
		{
			name: 'two runs, and Funding: Create for any payable of theirs',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE]), fundsById('Create')],
		},
		FEW,
	),
	planned(
		{
			name: 'two runs, and the event that a payable is paid',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE]), hearsPaid('Event')],
		},
		FEW,
	),
	planned(
		{
			name: 'two runs of a prepared payout, and a person who resolves it as void',
			roles: [
				sends('Send 1', [ONE]),
				sends('Send 2', [ONE]),
				resolves('Person', { uniqueReference: 'INV-1' }, 'void'),
			],
			prepare: prepared,
		},
		FEW,
	),
	planned(
		{
			name: 'two runs of a prepared payout, and a person who resolves it as not paid',
			roles: [
				sends('Send 1', [ONE]),
				sends('Send 2', [ONE]),
				resolves('Person', { uniqueReference: 'INV-1' }, 'notPaid'),
			],
			prepare: prepared,
		},
		FEW,
	),
	planned(
		{
			name: 'a run, time that passes, a person who resolves as not paid, and another run',
			roles: [
				sends('Send 1', [ONE]),
				passesTime('Time'),
				resolves('Person', { uniqueReference: 'INV-1' }, 'notPaid'),
				sends('Send 2', [ONE], ({ table }) => (table.rows.length > 0 ? ['later'] : [])),
			],
		},
		FEW,
		SOME,
	),
	planned(
		{
			name: 'three runs of one payout',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE]), sends('Send 3', [ONE])],
			isPaid: true,
		},
		{ turns: 2, faults: 0 },
		SOME,
	),
	planned(
		{
			name: 'three runs of one prepared payout',
			roles: [sends('Send 1', [ONE]), sends('Send 2', [ONE]), sends('Send 3', [ONE])],
			prepare: prepared,
			isPaid: true,
		},
		{ turns: 2, faults: 0 },
		SOME,
	),
	planned(
		{
			name: 'a group of two, Funding: Create, and a run of one of them',
			roles: [sends('Send 1', [ONE, TWO]), fundsById('Create'), sends('Send 2', [TWO])],
		},
		{ turns: 1, faults: 0 },
		FEW,
	),
	planned(
		{
			name: 'a run that prepares, Funding: Create, and a run that pays',
			roles: [
				sends('Prepare', [{ ...ONE, method: 'none' }]),
				fundsById('Create'),
				sends('Send', [ONE]),
			],
		},
		FEW,
	),
	planned(
		{
			name: 'Funding: Create, time that passes, a person who resolves as not paid, and Funding: Create',
			roles: [
				fundsById('Create 1'),
				passesTime('Time'),
				resolves('Person', { payableId: 'pay-1' }, 'notPaid'),
				fundsById('Create 2'),
			],
			prepare: byHand,
		},
		FEW,
		SOME,
	),
	planned(
		{
			name: 'a run that prepares, one that holds, and one that pays',
			roles: [
				sends('Prepare', [{ ...ONE, method: 'none' }]),
				sends('Hold', [{ ...ONE, options: { holdAbove: '1.00' } }]),
				sends('Send', [ONE]),
			],
		},
		{ turns: 1, faults: 0 },
		FEW,
	),
	planned({
		name: 'a run, time that passes, and a person who resolves it as paid',
		roles: [
			sends('Send', [ONE]),
			passesTime('Time'),
			resolves('Person', { uniqueReference: 'INV-1' }, 'paid'),
		],
	}),
];
