import { nameOf, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import type { Rules, Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import { RuleChecker } from '../../../nodes/PartnerPayments/ledger/protocol/ruleChecker';
import type { RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { DAY_MS } from '../../../nodes/PartnerPayments/shared/dates';
import { paymentOf, rulesWith } from './ledgerRuns';
import { Project } from './project';

const ELSEWHERE = '00000000-0000-4000-8000-000000000000';
const BOB = { payee: 'bob@example.com' };

const [FIRST, TWIN] = [paymentOf('INV-7'), paymentOf('INV-8')];

/** A payment that another run has written into the ledger, and what its row says of it. */
interface Earlier {
	payment: Payment;
	values?: Partial<RowValues>;
	createdAt?: string;
}

/** A project in whose ledger other runs have paid payments, unless told otherwise. */
async function projectWith(...earlier: Earlier[]): Promise<Project> {
	const project = new Project();
	await project.table().id();
	for (const { payment, values, createdAt } of earlier) {
		project.addRival(payment, { state: 'funded', ...values });
		Object.assign(project.rows.at(-1) ?? {}, createdAt === undefined ? {} : { createdAt });
	}
	return project;
}

/** The verdict that a run in the sandbox has on the last of its payments; undefined if no rule stops it. */
async function check(
	project: Project,
	rules: Partial<Rules>,
	...payments: Payment[]
): Promise<Verdict | undefined> {
	const checker = new RuleChecker(project.table(), { execution: '1', environment: 'sandbox' });
	const verdicts = await checker.check(payments, rulesWith(rules));
	return payments.map((payment) => verdicts.get(nameOf(payment))).at(-1);
}

const HOUR_MS = DAY_MS / 24;

/** @param windowMs how far back a payment is compared, in milliseconds */
const holding = (windowMs = HOUR_MS): Partial<Rules> => ({
	holdDuplicatesSince: new Date(Date.now() - windowMs).toISOString(),
});

describe('a run that holds possible duplicates', () => {
	test('does not hold what looks like a payment of another environment and workspace', async () => {
		const values = { environment: 'production' };
		const elsewhere = await projectWith({ payment: { ...FIRST, workspaceId: ELSEWHERE }, values });
		const here = await projectWith({ payment: FIRST, values });

		expect(await check(elsewhere, holding(), TWIN)).toBeUndefined();
		expect(await check(here, holding(), TWIN)).toMatchObject({ kind: 'held' });
	});

	test('holds what looks like a payment of another workspace of its environment', async () => {
		const project = await projectWith({ payment: { ...FIRST, workspaceId: ELSEWHERE } });

		expect(await check(project, holding(), TWIN)).toMatchObject({ kind: 'held' });
	});

	test.each<[reference: string, other: string]>([
		['Invoice 12-34', 'Bill 12-34'],
		['Invoice 12-34', 'Bill 1234'],
		['INV-1042-2', 'Bill 1042'],
	])('finds the number of %s in %s of another vendor', async (reference, other) => {
		const project = await projectWith({ payment: paymentOf(other, BOB) });

		expect(await check(project, holding(), paymentOf(reference))).toMatchObject({ kind: 'held' });
	});

	test('says that a payment is compared as of when a person has resolved it as not paid', async () => {
		const values = { state: 'not_paid', claim: '' } as const;
		const createdAt = '2026-05-20T12:00:00.000Z';
		const resolved = { payment: TWIN, values, createdAt };
		const ofThen = { payment: FIRST, createdAt: '2026-05-19T12:00:00.000Z' };
		const [project, alone] = [await projectWith(ofThen, resolved), await projectWith(resolved)];

		const verdict = await check(project, holding(DAY_MS * 2), TWIN);

		expect(verdict).toMatchObject({
			kind: 'held',
			reason: expect.stringMatching(/"INV-7" .*; "INV-8" of 2026-05-20 12:00 UTC was resolved/),
		});
		expect(await check(alone, holding(DAY_MS * 2), TWIN)).toBeUndefined();
	});

	test('looks for no number that many vendors have', async () => {
		const project = await projectWith({ payment: paymentOf('May', BOB) });

		expect(await check(project, holding(), paymentOf('May', { amount: 100 }))).toBeUndefined();
	});

	test('finds the number of another vendor in another workspace, if the amount is the same', async () => {
		const elsewhere = { ...paymentOf('Bill 1042', BOB), workspaceId: ELSEWHERE };
		const project = await projectWith({ payment: elsewhere });

		expect(await check(project, holding(), paymentOf('INV-1042'))).toMatchObject({
			kind: 'held',
		});
		expect(await check(project, holding(), paymentOf('INV-1042', { amount: 100 }))).toBeUndefined();
	});
});

test('without that rule, payments that look alike are not held, also where the ledger was read', async () => {
	const project = await projectWith({ payment: FIRST });
	const similar = paymentOf('Bill 7', { amount: 100 });

	expect(await check(project, { holdNewPayees: true }, similar)).toBeUndefined();
	expect(await check(project, {}, FIRST, TWIN)).toBeUndefined();
});

describe('a held payment is let pass', () => {
	const line = (known: string): string =>
		`INV-8 250.00 ada@example.com is not ${known} 250.00 ada@example.com`;
	const unconfirmed = { payment: paymentOf('INV-1'), values: { state: 'unconfirmed' } } as const;
	const funded = { payment: paymentOf('INV-2') };
	const voided = { payment: paymentOf('INV-3'), values: { state: 'void' } } as const;
	const held = { payment: paymentOf('INV-4'), values: { state: 'held', claim: '' } } as const;
	const elsewhere = { payment: { ...TWIN, workspaceId: ELSEWHERE } };

	test.each<[beside: string, earlier: Earlier[], release: object]>([
		[
			'one that was paid, with its line',
			[funded],
			{ kind: 'ifDifferent', lines: [line('INV-2')], mayBePaid: true, hasResolved: false },
		],
		[
			'one that is held, with its line',
			[held],
			{
				kind: 'ifDifferent',
				lines: [`${line('INV-4')}, which is held`],
				mayBePaid: false,
				hasResolved: false,
			},
		],
		[
			'three, with a line for each',
			[held, funded, voided],
			{
				kind: 'ifDifferent',
				lines: [
					line('INV-2'),
					`${line('INV-3')}, which is void`,
					`${line('INV-4')}, which is held`,
				],
				mayBePaid: true,
				hasResolved: true,
			},
		],
		['an unconfirmed one once that is known', [unconfirmed], { kind: 'findOutFirst' }],
		[
			'one that is unconfirmed and others once that is known',
			[funded, elsewhere, unconfirmed],
			{ kind: 'findOutFirst' },
		],
		['the same invoice elsewhere never', [elsewhere], { kind: 'sameInvoice' }],
		['that and one that was paid never', [funded, elsewhere], { kind: 'sameInvoice' }],
	])('beside %s', async (_, earlier, release) => {
		const project = await projectWith(...earlier);

		expect(await check(project, holding(), TWIN)).toMatchObject({ kind: 'held', release });
	});

	test('by a yes where nothing looks like it', async () => {
		const project = await projectWith();

		expect(await check(project, { holdAbove: 100 }, TWIN)).toEqual({
			kind: 'held',
			reason: 'The amount is above $1.00',
			release: { kind: 'afterYes' },
		});
	});
});

describe('the limit of a day', () => {
	const dayStart = '2026-05-20T22:00:00.000Z';
	const limit = { maxPerDay: 49_999, dayStart };

	test.each<[when: string, createdAt: string, isOver: boolean]>([
		['the moment in which the day begins', '2026-05-20T22:00:00.000Z', true],
		['the moment before', '2026-05-20T21:59:59.999Z', false],
	])('counts what was paid in %s: %s, %p', async (_, createdAt, isOver) => {
		const project = await projectWith({ payment: FIRST, createdAt });

		const verdict = await check(project, limit, TWIN);

		expect(verdict?.kind === 'overLimit').toBe(isOver);
	});

	test('is not reached by a payment that is as high, and by a cent more', async () => {
		const project = await projectWith({ payment: FIRST, createdAt: dayStart });

		expect(await check(project, { ...limit, maxPerDay: 50_000 }, TWIN)).toBeUndefined();
		expect(await check(project, limit, TWIN)).toMatchObject({
			error: {
				message: expect.stringMatching(/^Today.*\$500\.00.*"Limit: Maximum per Day".*\$499\.99/),
				hint: expect.stringContaining('tomorrow'),
			},
		});
	});

	test('stops no run without payments', async () => {
		const project = await projectWith();

		expect(await check(project, limit)).toBeUndefined();
	});
});

test('the limit of an execution names its total, and another run', async () => {
	const earlier = { payment: FIRST, values: { execution: '1' } };
	const project = await projectWith(earlier);

	expect(await check(project, { maxTotal: 50_000 }, TWIN)).toBeUndefined();
	expect(await check(project, { maxTotal: 49_999 }, TWIN)).toMatchObject({
		kind: 'overLimit',
		error: {
			message: expect.stringMatching(
				/^This execution.*\$500\.00.*"Limit: Maximum Total".*\$499\.99/,
			),
			hint: expect.stringContaining('later'),
		},
	});
});
