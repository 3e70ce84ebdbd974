import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import { prepare } from '../../../nodes/PartnerPayments/resources/payout/prepare';
import { draftsHint } from '../../../nodes/PartnerPayments/resources/payout/summary';
import { DONE, verdictsOn } from './fakeLedger';
import { errorOf, FakeRun, messageOf, statusesOf } from './fakeRun';
import type { Answer } from './fakeService';
import { newPayout } from './payouts';

const prepareIn = async (run: FakeRun, payouts: Payout[]): Promise<void> => {
	await prepare(run.service.client, run.ledger, payouts, run.fundingRun);
};

/** A run whose service gives this request these answers, one after the other, and then does what it is asked. */
function runWith(request: string, ...answers: Answer[]): FakeRun {
	const run = new FakeRun();
	run.service.answerTo = (asked) => (asked === request ? answers.shift() : undefined);
	return run;
}

/** A run whose service always gives this request this answer. */
const runThatAnswers = (request: string, answer: Answer): FakeRun =>
	runWith(request, ...Array<Answer>(100).fill(answer));

const payoutPair = (): [Payout, Payout] => [newPayout('INV-1'), newPayout('INV-2')];

test('payables are created, recorded together, and then approved', async () => {
	const run = new FakeRun();
	const payouts = payoutPair();

	await prepareIn(run, payouts);

	expect(run.log).toEqual([
		'create INV-1',
		'create INV-2',
		'record INV-1 INV-2',
		'approve INV-1',
		'approve INV-2',
	]);
	expect(run.ledger.recordPayables.mock.calls[0]?.[0]).toMatchObject([
		{ reference: 'INV-1', payableId: 'pay-INV-1' },
		{ reference: 'INV-2', payableId: 'pay-INV-2' },
	]);
	expect(payouts.map(({ leftover }) => leftover)).toEqual(['prepared', 'prepared']);
	expect(statusesOf(payouts)).toEqual(['would_pay', 'would_pay']);
});

test('a payable of an earlier run is used as it is', async () => {
	const run = new FakeRun();
	const [one, other] = payoutPair();
	one.apply({ kind: 'prepared', known: { state: 'prepared', payableId: 'pay-1' } });

	await prepareIn(run, [one, other]);

	expect(one.payableId).toBe('pay-1');
	expect(run.log).toEqual(['create INV-2', 'record INV-2', 'approve INV-2']);
});

test('the number of a payable is kept as a text', async () => {
	const run = runWith('create INV-1', { id: 7 });
	const payout = newPayout('INV-1');

	await prepareIn(run, [payout]);

	expect(payout.payableId).toBe('7');
});

describe('a creation', () => {
	test('without an answer is repeated, since a draft moves no money', async () => {
		const run = runWith('create INV-1', 'cut', 500, 'cut');
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.hasEnded).toBe(false);
		expect(payout.payableId).toBe('pay-INV-1');
	});

	test('that was repeated may have left drafts, which people are told of', async () => {
		const run = runWith('create INV-1', 'cut');
		const [one, other] = payoutPair();

		await prepareIn(run, [one, other]);

		const hint = draftsHint([one, other]);
		expect(hint).toContain('[INV-1] beside payable pay-INV-1');
		expect(hint).not.toContain('INV-2');
		expect(draftsHint([other])).toBeUndefined();
	});

	test('that is never answered is given up after four, and ends the run', async () => {
		const run = runThatAnswers('create INV-1', 'cut');
		const [one, other] = payoutPair();

		await prepareIn(run, [one, other]);

		expect(run.log.filter((asked) => asked === 'create INV-1')).toHaveLength(4);
		expect(one.status).toBe('not_sent');
		expect(draftsHint([one])).toBeUndefined();
		expect(errorOf(one)).toMatchObject({
			message: expect.stringContaining('tried 4 times'),
			hint: expect.stringContaining('do not approve or fund'),
		});
		expect(other.payableId).toBe('pay-INV-2');
		expect(run.fundingRun.stopReason).toContain('does not answer');
	});

	test('at an address where nothing is asks for a person, and the others are paid', async () => {
		const run = runThatAnswers('create INV-1', 404);
		const [one, other] = payoutPair();

		await prepareIn(run, [one, other]);

		expect(one.status).toBe('failed');
		expect(errorOf(one)).toMatchObject({
			outcome: 'refused',
			status: 404,
			failureKind: 'missing',
		});
		expect(other.hasEnded).toBe(false);
		expect(run.fundingRun.stopReason).toBeUndefined();
	});

	test('that is never answered with an ID can be sent later', async () => {
		const run = runThatAnswers('create INV-1', {});
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.status).toBe('not_sent');
		expect(errorOf(payout).outcome).toBe('notSent');
		expect(run.logOf('record', 'approve')).toEqual([]);
	});

	test('that is refused is not repeated, and nothing is recorded for it', async () => {
		const run = runThatAnswers('create INV-1', 422);
		const [one, other] = payoutPair();

		await prepareIn(run, [one, other]);

		expect(statusesOf([one, other])).toEqual(['failed', 'would_pay']);
		expect(run.log).toEqual(['create INV-1', 'create INV-2', 'record INV-2', 'approve INV-2']);
		expect(run.fundingRun.stopReason).toBeUndefined();
	});

	test('that never reaches the service can be sent later', async () => {
		const run = runThatAnswers('create INV-1', 'unopened');
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.status).toBe('not_sent');
		expect(run.fundingRun.stopReason).toBeUndefined();
	});

	test('of a run that was stopped is not sent', async () => {
		const run = new FakeRun();
		run.stopper.abort();
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.status).toBe('not_sent');
		expect(run.log).toEqual([]);
	});
});

describe('one payable for several payouts', () => {
	test('is neither recorded nor approved, and stays out of the ledger', async () => {
		const run = runWith('create INV-2', { id: 'pay-INV-1' });
		const [one, other] = payoutPair();
		const third = newPayout('INV-3');

		await prepareIn(run, [one, other, third]);

		expect(statusesOf([one, other, third])).toEqual(['not_sent', 'not_sent', 'would_pay']);
		expect([one.payableId, other.payableId]).toEqual([undefined, undefined]);
		expect(messageOf(other)).toContain('the same payable');
		expect(run.logOf('record', 'approve')).toEqual(['record INV-3', 'approve INV-3']);
	});

	test('is found across the batches of a run', async () => {
		const run = runWith('create INV-2', { id: 'pay-INV-1' });
		const [one, other] = payoutPair();

		await prepareIn(run, [one]);
		await prepareIn(run, [other]);

		expect(statusesOf([one, other])).toEqual(['would_pay', 'not_sent']);
		expect(run.logOf('record', 'approve')).toEqual(['record INV-1', 'approve INV-1']);
	});
});

test('a ledger that cannot record payables ends the run, and none is approved', async () => {
	const run = new FakeRun();
	const error = new LedgerError('It is full', 'Empty it.');
	run.ledger.recordPayables.mockRejectedValueOnce(error);
	const payouts = payoutPair();

	await prepareIn(run, payouts);

	expect(statusesOf(payouts)).toEqual(['not_sent', 'not_sent']);
	expect(errorOf(payouts[1])).toBe(error);
	expect(payouts[0].leftover).toBe('surplus');
	expect(run.logOf('approve')).toEqual([]);
	expect(run.fundingRun.stopReason).toContain('ledger');
});

test('a payable that somebody funds by its ID is not approved', async () => {
	const run = new FakeRun();
	run.ledger.recordPayables.mockImplementationOnce(
		async (payments) => await Promise.resolve(verdictsOn(payments, { 'INV-1': DONE })),
	);
	const payouts = payoutPair();

	await prepareIn(run, payouts);

	expect(statusesOf(payouts)).toEqual(['duplicate', 'would_pay']);
	expect(run.logOf('approve')).toEqual(['approve INV-2']);
});

describe('an approval', () => {
	test('without an answer is repeated, and a refusal then means that it has worked', async () => {
		const run = runWith('approve INV-1', 'cut', 409);
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.hasEnded).toBe(false);
		expect(payout.leftover).toBe('prepared');
	});

	test('that is never answered ends the run, and its payable is of no use', async () => {
		const run = runThatAnswers('approve INV-1', 500);
		const payouts = payoutPair();

		await prepareIn(run, payouts);

		expect(statusesOf(payouts)).toEqual(['not_sent', 'would_pay']);
		expect(payouts.map(({ leftover }) => leftover)).toEqual(['surplus', 'prepared']);
		expect(run.fundingRun.stopReason).toContain('does not answer');
	});

	test.each([
		[403, /Do not approve or fund .* Check its role/],
		[409, /Do not approve or fund .* same unique reference\.$/],
	])(
		'that is refused with %i asks for a person, who must not approve it by hand',
		async (status, hint) => {
			const run = runThatAnswers('approve INV-1', status);
			const payouts = payoutPair();

			await prepareIn(run, payouts);

			expect(statusesOf(payouts)).toEqual(['failed', 'would_pay']);
			expect(errorOf(payouts[0])).toMatchObject({
				status,
				outcome: 'refused',
				hint: expect.stringMatching(hint),
			});
			expect(run.fundingRun.stopReason).toBeUndefined();
		},
	);

	test('that fails by a fault of this package shows the fault', async () => {
		const run = new FakeRun();
		const fault = new TypeError('A fault');
		run.service.answerTo = (asked) => {
			if (asked === 'approve INV-1') {
				throw fault;
			}
			return undefined;
		};
		const payout = newPayout('INV-1');

		await prepareIn(run, [payout]);

		expect(payout.status).toBe('failed');
		expect(errorOf(payout)).toBe(fault);
	});
});
