import { nameOf, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import { newPayeeReasons } from '../../../nodes/PartnerPayments/ledger/protocol/newPayees';
import type { RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { paymentOf } from './ledgerRuns';
import { Project } from './project';

const NEW = paymentOf('Video', { payee: 'lena@mailbox.example' });
const ALONE = 'This ledger has never paid lena@mailbox.example';

/** A payment that another run has written into the ledger, and what its row says of it. */
interface Earlier {
	payment: Payment;
	values?: Partial<RowValues>;
}

const paidTo = (payee: string, reference: string): Earlier => ({
	payment: paymentOf(reference, { payee }),
});

/** Why a payment to a new payee waits, beside what other runs have paid, unless told otherwise. */
async function reasonBeside(...earlier: Earlier[]): Promise<string> {
	const project = new Project();
	await project.table().id();
	for (const { payment, values } of earlier) {
		project.addRival(payment, { state: 'funded', ...values });
	}
	const reasons = await newPayeeReasons(project.table(), [NEW], 'sandbox');
	return reasons.get(nameOf(NEW)) ?? '';
}

/** The references that a reason names. */
const namedIn = (reason: string): string[] =>
	Array.from(reason.matchAll(/"(.+?)" to /g), ([, reference = '']) => reference);

test.each<[what: string, earlier: Earlier[]]>([
	['nothing', []],
	['what was never sent', [{ ...paidTo('a@a.example', 'A-1'), values: { state: 'held' } }]],
	[
		'what was paid in another environment',
		[{ ...paidTo('a@a.example', 'A-1'), values: { environment: 'production' } }],
	],
	[
		'what may have been sent to the payee',
		[{ ...paidTo(NEW.payee, 'A-1'), values: { state: 'unconfirmed' } }],
	],
	['another amount', [{ payment: paymentOf('A-1', { payee: 'a@a.example', amount: 1 }) }]],
])('beside %s, the reason names no other payment', async (_, earlier) => {
	expect(await reasonBeside(...earlier)).toBe(ALONE);
});

test('what may have been paid to others is named, each with its payee', async () => {
	const reason = await reasonBeside(paidTo('a@a.example', 'A-1'), {
		...paidTo('b@b.example', 'B-1'),
		values: { state: 'unconfirmed' },
	});

	expect(reason).toMatch(/^This .*\(.*"A-1" to a@a\.example, .+, "B-1" to b@b\.example, .+\)$/);
});

test('of many payments to few payees, the last three are named', async () => {
	const reason = await reasonBeside(
		paidTo('a@a.example', 'A-1'),
		paidTo('a@a.example', 'A-2'),
		paidTo('b@b.example', 'B-1'),
		paidTo('c@c.example', 'C-1'),
	);

	expect(namedIn(reason)).toEqual(['A-2', 'B-1', 'C-1']);
});

test('an amount that more payees got is a common one: only those of the company are named', async () => {
	const common = ['a', 'b', 'c', 'd'].map((name) => paidTo(`${name}@${name}.example`, name));

	expect(await reasonBeside(...common)).toBe(ALONE);
	expect(namedIn(await reasonBeside(...common, paidTo('office@mailbox.example', 'LV-77')))).toEqual(
		['LV-77'],
	);
});
