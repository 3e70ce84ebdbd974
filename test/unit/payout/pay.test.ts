import { LedgerError, type Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { DONE, verdictsOn, type ByReference } from './fakeLedger';
import { FakeRun, itemStatuses } from './fakeRun';
import { itemAt, NO_RULES, requestOf } from './payouts';

const OTHER_WORKSPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';
const HELD: Verdict = { kind: 'held', reason: 'Large', release: { kind: 'afterYes' } };

/** What is asked for payouts of 1.00 each. */
const requestsOf = (references: string[], changes: Partial<PayoutRequest> = {}): PayoutRequest[] =>
	references.map((reference) => ({ ...requestOf(reference), ...changes }));

/** A run whose ledger knows this of references. */
function runThatFinds(byReference: ByReference): FakeRun {
	const run = new FakeRun();
	run.ledger.find.mockImplementationOnce(
		async (payments) =>
			await Promise.resolve({ verdicts: verdictsOn(payments, byReference), rows: [] }),
	);
	return run;
}

test('payouts are prepared, funded together, and told in the order of their items', async () => {
	const run = new FakeRun();

	const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { isBalanceChecked: true }));

	expect(results).toMatchObject([
		{ item: { index: 0 }, output: { json: { status: 'funded', unique_reference: 'INV-1' } } },
		{ item: { index: 1 }, output: { json: { status: 'funded', unique_reference: 'INV-2' } } },
	]);
	expect(run.log).toEqual([
		'find INV-1 INV-2',
		'wallet',
		'create INV-1',
		'create INV-2',
		'record INV-1 INV-2',
		'approve INV-1',
		'approve INV-2',
		'begin INV-1 INV-2',
		'fund INV-1 INV-2',
		'complete funded fund-1',
	]);
	expect(run.hints).toEqual(['Payouts: 2 funded ($2.00).']);
});

test('items with one reference, payee and amount are one payment, and people read so', async () => {
	const run = new FakeRun();

	const results = await run.pay(requestsOf(['INV-1', 'INV-1', 'INV-2']));

	expect(itemStatuses(results)).toEqual(['funded', 'duplicate', 'funded']);
	expect(run.logOf('fund')).toEqual(['fund INV-1 INV-2']);
	expect(run.hints).toEqual([
		'Payouts: 2 funded ($2.00).',
		expect.stringContaining('Items 0, 1 have the same unique reference'),
	]);
});

test('an execution that cannot be stopped is paid like another one', async () => {
	const run = new FakeRun();
	run.signal = undefined;

	const results = await run.pay(requestsOf(['INV-1']));

	expect(itemStatuses(results)).toEqual(['funded']);
});

test('nothing is asked of a ledger that is not located yet', async () => {
	const run = new FakeRun();
	run.ledger.locate.mockImplementationOnce(async () => {
		run.log.push('locate');
		await Promise.resolve();
	});

	await run.pay(requestsOf(['INV-1']));

	expect(run.log.slice(0, 2)).toEqual(['locate', 'find INV-1']);
});

test('the items that an error has refused are told beside the others', async () => {
	const run = new FakeRun();

	await run.pay(requestsOf(['INV-1']), { leftOut: [itemAt(7)] });

	expect(run.hints).toEqual([expect.stringContaining('item 7')]);
});

test('an answer that the ledger has not taken is told above the output', async () => {
	const run = new FakeRun();
	run.claim.complete.mockResolvedValueOnce(false);

	const [result] = await run.pay(requestsOf(['INV-1']));

	expect(result?.output?.json).toMatchObject({ status: 'funded', recorded: false });
	expect(run.hints).toEqual([expect.stringContaining('"INV-1" (funded)')]);
});

test('a payout beside an open one of another vendor is told', async () => {
	const beside = {
		reference: 'INV-1',
		payee: 'eve@example.com',
		amount: 1,
		state: 'held',
		at: '2026-05-01T10:00:00.000Z',
		hasPayable: false,
	};
	const run = runThatFinds({ 'INV-1': { kind: 'new', beside } });

	await run.pay(requestsOf(['INV-1']));

	expect(run.hints).toEqual([expect.stringContaining('eve@example.com')]);
});

describe('a payout that the ledger blocks', () => {
	test('gets no payable, and the others are paid', async () => {
		const run = runThatFinds({ 'INV-1': DONE });

		const results = await run.pay(requestsOf(['INV-1', 'INV-2']));

		expect(itemStatuses(results)).toEqual(['duplicate', 'funded']);
		expect(run.logOf('create', 'fund')).toEqual(['create INV-2', 'fund INV-2']);
	});

	test('needs nothing of the wallet', async () => {
		const run = runThatFinds({ 'INV-1': DONE });
		run.service.answerTo = (asked) => (asked === 'wallet' ? { balance: 100 } : undefined);

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { isBalanceChecked: true }));

		expect(itemStatuses(results)).toEqual(['duplicate', 'funded']);
	});

	test('while its payable is recorded leaves it as one of no use', async () => {
		const run = new FakeRun();
		run.ledger.recordPayables.mockImplementationOnce(
			async (payments) => await Promise.resolve(verdictsOn(payments, { 'INV-1': DONE })),
		);

		const results = await run.pay(requestsOf(['INV-1', 'INV-2']));

		expect(itemStatuses(results)).toEqual(['duplicate', 'funded']);
		expect(run.logOf('store')).toContain('store as surplus: INV-1');
		expect(run.log.indexOf('store as surplus: INV-1')).toBeLessThan(run.log.indexOf('begin INV-2'));
	});
});

describe('the wallet', () => {
	const CHECKED = { isBalanceChecked: true };

	test('that holds too little for all pays none of them', async () => {
		const run = new FakeRun();
		run.service.answerTo = (asked) => (asked === 'wallet' ? { balance: 199 } : undefined);

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], CHECKED));

		expect(itemStatuses(results)).toEqual(['not_sent', 'not_sent']);
		expect(results[0]?.error).toMatchObject({ message: expect.stringContaining('$1.99') });
		expect(run.log).toEqual(['find INV-1 INV-2', 'wallet']);
	});

	test('of a workspace decides for that one alone', async () => {
		const run = new FakeRun();
		const balances = [99, 1_000];
		run.service.answerTo = (asked) =>
			asked === 'wallet' ? { balance: balances.shift() ?? 0 } : undefined;

		const results = await run.pay([
			{ ...requestOf('INV-1'), ...CHECKED },
			{ ...requestOf('INV-2', OTHER_WORKSPACE), ...CHECKED },
		]);

		expect(itemStatuses(results)).toEqual(['not_sent', 'funded']);
	});

	test('does not have to hold what waits for a person', async () => {
		const run = new FakeRun();
		run.service.answerTo = (asked) => (asked === 'wallet' ? { balance: 100 } : undefined);
		run.ledger.checkRules.mockImplementationOnce(async ([payment]) => {
			return await Promise.resolve(
				payment === undefined ? new Map() : verdictsOn([payment], { 'INV-1': HELD }),
			);
		});
		const rules = { ...NO_RULES, holdNewPayees: true };

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { ...CHECKED, rules }));

		expect(itemStatuses(results)).toEqual(['held', 'funded']);
	});
});

describe('a limit of the run', () => {
	const rules = { ...NO_RULES, maxTotal: 150 };

	test('asks the service for nothing when it is exceeded, and people read why', async () => {
		const run = new FakeRun();

		const results = await run.pay(
			requestsOf(['INV-1', 'INV-2'], { rules, isBalanceChecked: true }),
		);

		expect(itemStatuses(results)).toEqual(['not_sent', 'not_sent']);
		expect(run.log).toEqual(['find INV-1 INV-2']);
		expect(run.hints).toEqual([expect.stringMatching(/^Nothing was sent\. .*\$2\.00/)]);
	});

	test('does not count what was paid before, and then the wallet is asked after all', async () => {
		const run = runThatFinds({ 'INV-1': DONE });
		run.service.answerTo = (asked) => (asked === 'wallet' ? { balance: 1 } : undefined);

		const results = await run.pay(
			requestsOf(['INV-1', 'INV-2'], { rules, isBalanceChecked: true }),
		);

		expect(itemStatuses(results)).toEqual(['duplicate', 'not_sent']);
		expect(run.logOf('wallet')).toEqual(['wallet']);
	});

	test('is told in a preview, too', async () => {
		const run = new FakeRun();

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { rules }), { isPreview: true });

		expect(itemStatuses(results)).toEqual(['refused', 'refused']);
		expect(run.hints).toEqual([expect.stringContaining('"Limit: Maximum Total"')]);
	});
});

describe('a rule', () => {
	const rules = { ...NO_RULES, holdNewPayees: true };

	test('holds a payout before it has a payable, and the ledger keeps it for a person', async () => {
		const run = new FakeRun();
		run.ledger.checkRules.mockImplementationOnce(async (payments) => {
			const held = payments.filter(({ reference }) => reference === 'INV-1');
			return await Promise.resolve(verdictsOn(held, { 'INV-1': HELD }));
		});

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { rules }));

		expect(itemStatuses(results)).toEqual(['held', 'funded']);
		expect(run.logOf('create', 'hold')).toEqual(['create INV-2', 'hold INV-1']);
		expect(run.ledger.checkRules.mock.calls[0]?.[1]).toEqual(rules);
	});

	test('holds also what the ledger cannot keep', async () => {
		const run = new FakeRun();
		run.ledger.hold.mockRejectedValueOnce(new LedgerError('It is full', 'Empty it.'));
		run.ledger.checkRules.mockImplementationOnce(
			async (payments) => await Promise.resolve(verdictsOn(payments, { 'INV-1': HELD })),
		);

		const results = await run.pay(requestsOf(['INV-1'], { rules }));

		expect(itemStatuses(results)).toEqual(['held']);
	});

	test('is asked for each workspace by itself, and only where there is one', async () => {
		const run = new FakeRun();

		await run.pay([
			{ ...requestOf('INV-1'), rules },
			{ ...requestOf('INV-2', OTHER_WORKSPACE), rules },
			requestOf('INV-3', '0c0b6a0e-5d43-4d1c-8a53-1f6a3f0f9d11'),
		]);

		expect(run.logOf('judge')).toEqual(['judge INV-1', 'judge INV-2']);
	});

	test('that forbids a payout says so', async () => {
		const run = new FakeRun();
		const error = new InputError('Too much today', 'Wait.');
		run.ledger.checkRules.mockImplementationOnce(
			async (payments) =>
				await Promise.resolve(verdictsOn(payments, { 'INV-1': { kind: 'overLimit', error } })),
		);

		const [result] = await run.pay(requestsOf(['INV-1'], { rules }));

		expect(result).toMatchObject({ error, output: { json: { status: 'not_sent' } } });
	});
});

describe('a preview', () => {
	test('shows what would be paid, and sends nothing', async () => {
		const run = runThatFinds({ 'INV-1': DONE });

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], { isBalanceChecked: true }), {
			isPreview: true,
		});

		expect(itemStatuses(results)).toEqual(['duplicate', 'would_pay']);
		expect(new Set(run.log)).toEqual(new Set(['wallet']));
		expect(run.hints).toEqual([expect.stringMatching(/^Preview, nothing was sent\. /)]);
	});

	test('shows a problem as a reason, and not as an error', async () => {
		const run = new FakeRun();
		run.ledger.locate.mockRejectedValueOnce(new LedgerError('It is gone', 'Make one.'));

		const results = await run.pay(requestsOf(['INV-1']), { isPreview: true });

		expect(results).toMatchObject([
			{ output: { json: { status: 'refused', reason: 'It is gone' } } },
		]);
		expect(results[0]).not.toHaveProperty('error');
	});
});

describe('payouts that are only prepared', () => {
	const PREPARED = { method: 'none' as const };

	test('get approved payables, which the ledger keeps for a later run', async () => {
		const run = new FakeRun();

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], PREPARED));

		expect(itemStatuses(results)).toEqual(['prepared', 'prepared']);
		expect(run.logOf('approve', 'store', 'fund')).toEqual([
			'approve INV-1',
			'approve INV-2',
			'store as prepared: INV-1 INV-2',
			'store as prepared: INV-1 INV-2',
		]);
	});

	test('are not, when the ledger cannot say so', async () => {
		const run = new FakeRun();
		const error = new LedgerError('It is full', 'Empty it.');
		run.ledger.storeLeftover.mockImplementation(async () => await Promise.reject(error));

		const results = await run.pay(requestsOf(['INV-1', 'INV-2'], PREPARED));

		expect(itemStatuses(results)).toEqual(['not_sent', 'not_sent']);
		expect(results[0]?.error).toBe(error);
	});
});

describe('many payouts', () => {
	const references = (count: number): string[] =>
		Array.from({ length: count }, (_, index) => `INV-${index + 1}`);

	test('up to 100 are not announced', async () => {
		const run = new FakeRun();

		const results = await run.pay(requestsOf(references(100)));

		expect(new Set(itemStatuses(results))).toEqual(new Set(['funded']));
		expect(run.log).not.toContain('announce');
	});

	test('above 100 are announced to other executions until the run ends', async () => {
		const run = new FakeRun();

		const results = await run.pay(requestsOf(references(101)));

		expect(new Set(itemStatuses(results))).toEqual(new Set(['funded']));
		expect(run.ledger.announce.mock.calls[0]?.[0]).toHaveLength(101);
		expect(run.log.indexOf('announce')).toBeLessThan(run.log.indexOf('create INV-1'));
		expect(run.log.at(-1)).toBe('end of announcing');
	});

	test('count for that only when they are not paid yet', async () => {
		const run = runThatFinds({ 'INV-1': DONE });

		await run.pay(requestsOf(references(101)));

		expect(run.log).not.toContain('announce');
	});

	test('are paid also when they cannot be announced', async () => {
		const run = new FakeRun();
		run.ledger.announce.mockRejectedValueOnce(new LedgerError('It is full', 'Empty it.'));

		const results = await run.pay(requestsOf(references(101)));

		expect(new Set(itemStatuses(results))).toEqual(new Set(['funded']));
	});

	test('are paid also when the announcement cannot be ended', async () => {
		const run = new FakeRun();
		run.ledger.announce.mockResolvedValueOnce(async () => await Promise.reject(new Error('Gone')));

		const results = await run.pay(requestsOf(references(101)));

		expect(new Set(itemStatuses(results))).toEqual(new Set(['funded']));
	});
});
