import type { KnownContent } from '../../../nodes/PartnerPayments/ledger/ledger';
import { conflictError } from '../../../nodes/PartnerPayments/ledger/messages';
import { differentInvoiceText } from '../../../nodes/PartnerPayments/ledger/payment';

const AT = '2026-05-01T10:00:00.000Z';
const FIRST: KnownContent = {
	reference: 'INV-7',
	payee: 'ana@example.com',
	amount: 2000,
	state: 'funded',
	at: AT,
	hasPayable: true,
};

test.each<[state: string, said: string]>([
	['funded', 'was paid on 2026-05-01 10:00 UTC'],
	['paid', 'was paid on 2026-05-01 10:00 UTC'],
	['awaiting_deposit', 'waits for the deposit of its invoice of 2026-05-01 10:00 UTC'],
	['prepared', 'was not paid, it is prepared since 2026-05-01 10:00 UTC'],
	['held', 'was not paid, it is held since 2026-05-01 10:00 UTC'],
	['unconfirmed', 'may have been paid on 2026-05-01 10:00 UTC (unconfirmed)'],
	['sending', 'may have been paid on 2026-05-01 10:00 UTC (sending)'],
	['something else', 'may have been paid on 2026-05-01 10:00 UTC (something else)'],
	['void', 'is void, as a person decided'],
	['not_paid', 'was not paid, as a person found'],
])('a payment with another amount hears first what became of the %s one', (state, said) => {
	const { message } = conflictError({ ...FIRST, amount: 2500 }, { ...FIRST, state });

	expect(message).toBe(
		`"INV-7" ${said}: $20.00 to ana@example.com, and this is $25.00 to ana@example.com`,
	);
});

test.each<[what: string, change: Partial<KnownContent>]>([
	['another payee', { payee: 'anna@example.com' }],
	['another number', { reference: 'Invoice 7' }],
	['another spelling', { reference: 'inv7' }],
])('so does one with %s', (_, change) => {
	const { message } = conflictError({ ...FIRST, ...change }, FIRST);

	expect(message).toContain('"INV-7" was paid on 2026-05-01 10:00 UTC: $20.00 to ana@example.com');
});

test('a time that the ledger does not know is said to be unknown', () => {
	const { message } = conflictError({ ...FIRST, amount: 2500 }, { ...FIRST, at: '' });

	expect(message).toContain('"INV-7" was paid on an unknown day');
});

test.each(['funded', 'paid', 'awaiting_deposit', 'prepared', 'held', 'void', 'unconfirmed'])(
	'another amount than that of one that is %s leads to no other reference',
	(state) => {
		const { hint } = conflictError({ ...FIRST, amount: 2500 }, { ...FIRST, state });

		expect(hint).not.toMatch(/\w-\d/);
	},
);

test.each([
	['funded', false],
	['paid', false],
	['awaiting_deposit', false],
	['prepared', true],
	['held', true],
	['unconfirmed', true],
	['not_paid', true],
])('another spelling of one that is %s is told the one of the ledger: %p', (state, isTold) => {
	const { hint } = conflictError({ ...FIRST, reference: 'inv7' }, { ...FIRST, state });

	expect(hint.includes('"INV-7"')).toBe(isTold);
});

describe('about one that is void, the person who resolved it is asked', () => {
	const VOID: KnownContent = { ...FIRST, state: 'void' };

	test.each<[what: string, change: Partial<KnownContent>]>([
		['another payee', { payee: 'anna@example.com' }],
		['another number', { reference: 'Invoice 7' }],
	])('and with %s, "Different Invoice" lets this one pass', (_, change) => {
		const payment = { ...FIRST, ...change };

		const { hint } = conflictError(payment, VOID);

		expect(hint).toContain('ask them first');
		expect(hint).toContain(`"${differentInvoiceText(payment, VOID)}"`);
		expect(hint).not.toContain('stopped');
	});

	test('and with another amount, no option is offered that does not help', () => {
		const { hint } = conflictError({ ...FIRST, amount: 2500 }, VOID);

		expect(hint).toContain('ask the person who resolved it as "Void"');
		expect(hint).not.toContain('Different Invoice');
	});
});

test.each<[state: string, ways: string[]]>([
	['prepared', ['Not Paid']],
	['held', ['Not Paid']],
	['awaiting_deposit', ['cancel', 'Not Paid']],
	['funded', ['stop']],
	['paid', ['stop']],
])('the wrong vendor of one that is %s is corrected by %j', (state, ways) => {
	const payment = { ...FIRST, payee: 'anna@example.com' };

	const { hint } = conflictError(payment, { ...FIRST, state });

	const found = ['stop', 'cancel', 'Not Paid'].filter((way) => hint.includes(way));
	expect(found).toEqual(ways);
});

test.each<[state: string, isChoice: boolean]>([
	['prepared', true],
	['held', true],
	['unconfirmed', false],
	['awaiting_deposit', false],
	['funded', false],
	['void', false],
])('one invoice with other words, of which one is %s, leaves a choice: %p', (state, isChoice) => {
	const payment = { ...FIRST, reference: 'Invoice 7' };

	const { hint } = conflictError(payment, { ...FIRST, state });

	expect(hint.includes('leave this one out permanently')).toBe(!isChoice);
});

test.each([true, false])(
	'whether one that is held can have been funded is asked if it has a payable: %p',
	(hasPayable) => {
		const known: KnownContent = { ...FIRST, state: 'held', hasPayable };

		const { hint } = conflictError({ ...FIRST, amount: 2500 }, known);

		expect(hint.includes('operator of the service')).toBe(hasPayable);
		expect(hint).toContain('find out why');
	},
);
