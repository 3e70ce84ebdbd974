import type { MemoryService } from './memoryService';
import type { MemoryTable } from './memoryTable';
import { fundsById, hearsPaid, linksDeposit, passesTime, resolves, sends } from './roles';
import { byHand, FEW, insertRow, INVOICE, ONE, planned, SOME, type Planned } from './scenarios';
import { Actor } from './world';

/** The invoice of INV-1, which an earlier execution has got. It waits for its deposit. */
function invoiced(service: MemoryService, table: MemoryTable): void {
	service.addPayable('pay-1', INVOICE);
	service.addInvoice('fund-1', 'pay-1', new Actor('earlier'));
	insertRow(table, { state: 'awaiting_deposit', funding_id: 'fund-1' });
}

/** Scenarios of deposits for one invoice. */
export const DEPOSITS: Planned[] = [
	planned({
		name: 'a run by invoice, and its deposit',
		roles: [sends('Send', [{ ...ONE, method: 'invoice' }]), linksDeposit('Link Deposit')],
	}),
	planned({
		name: 'Funding: Create by invoice, and its deposit',
		roles: [fundsById('Create', true), linksDeposit('Link Deposit')],
		prepare: byHand,
	}),
	planned({
		name: 'two deposits for one invoice',
		roles: [linksDeposit('Link 1', 'dep-1'), linksDeposit('Link 2', 'dep-2')],
		prepare: invoiced,
	}),
	planned({
		name: 'two deposits for one invoice, statement by statement',
		roles: [linksDeposit('Link 1', 'dep-1'), linksDeposit('Link 2', 'dep-2')],
		granularity: 'statement',
		prepare: invoiced,
	}),
	planned({
		name: 'one deposit for one invoice, linked twice',
		roles: [linksDeposit('Link 1'), linksDeposit('Link 2')],
		prepare: invoiced,
	}),
	planned(
		{
			name: 'a deposit, time that passes, and another deposit',
			roles: [linksDeposit('Link 1', 'dep-1'), passesTime('Time'), linksDeposit('Link 2', 'dep-2')],
			prepare: invoiced,
		},
		SOME,
		SOME,
	),
	planned(
		{
			name: 'a deposit, time that passes, and the same deposit',
			roles: [linksDeposit('Link 1'), passesTime('Time'), linksDeposit('Link 2')],
			prepare: invoiced,
		},
		SOME,
		SOME,
	),
	planned(
		{
			name: 'a deposit, time that passes, the same deposit, and another one',
			roles: [
				linksDeposit('Link 1', 'dep-1'),
				passesTime('Time'),
				linksDeposit('Link 2', 'dep-1'),
				linksDeposit('Link 3', 'dep-2'),
			],
			prepare: invoiced,
		},
		{ turns: 0, faults: 1 },
		FEW,
	),
	...(['void', 'notPaid', 'paid'] as const).map((outcome) =>
		planned({
			name: `a deposit, and a person who resolves its invoice as ${outcome}`,
			roles: [linksDeposit('Link'), resolves('Person', { uniqueReference: 'INV-1' }, outcome)],
			prepare: invoiced,
		}),
	),
	planned(
		{
			name: 'a deposit, a person who resolves its invoice as not paid, and a run',
			roles: [
				linksDeposit('Link'),
				resolves('Person', { uniqueReference: 'INV-1' }, 'notPaid'),
				sends('Send', [ONE]),
			],
			prepare: invoiced,
		},
		FEW,
	),
	planned(
		{
			name: 'two deposits for one invoice, and the event that its payable is paid',
			roles: [linksDeposit('Link 1', 'dep-1'), hearsPaid('Event'), linksDeposit('Link 2', 'dep-2')],
			prepare: invoiced,
		},
		FEW,
		SOME,
	),
];
