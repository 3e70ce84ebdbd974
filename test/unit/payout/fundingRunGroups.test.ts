import type { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import { FakeRun, messageOf, statusesOf } from './fakeRun';
import type { Answer } from './fakeService';
import { payoutOf } from './payouts';

/** Payouts of INV-1, INV-2 and so on. */
const payoutsUpTo = (count: number): Payout[] =>
	Array.from({ length: count }, (_, index) => payoutOf(`INV-${index + 1}`));

/** A run whose service answers so whenever a funding has one of these. */
function runThatRefuses(numbers: number[], answer: Answer = 422): FakeRun {
	const run = new FakeRun();
	run.service.answerTo = (asked) => {
		const isRefused = numbers.some((number) => asked.split(' ').includes(`INV-${number}`));
		return asked.startsWith('fund ') && isRefused ? answer : undefined;
	};
	return run;
}

describe('a group that is refused is divided until each payout that can be paid is', () => {
	test.each<[refused: number[], count: number, fundings: string[]]>([
		[[1], 4, ['INV-1 INV-2 INV-3 INV-4', 'INV-1 INV-2', 'INV-3 INV-4', 'INV-1', 'INV-2']],
		[[3], 4, ['INV-1 INV-2 INV-3 INV-4', 'INV-1 INV-2', 'INV-3', 'INV-4']],
		[[2], 3, ['INV-1 INV-2 INV-3', 'INV-1', 'INV-2', 'INV-3']],
		[[2], 2, ['INV-1 INV-2', 'INV-1', 'INV-2']],
		[
			[1, 4],
			4,
			['INV-1 INV-2 INV-3 INV-4', 'INV-1 INV-2', 'INV-3 INV-4', 'INV-1', 'INV-2', 'INV-3', 'INV-4'],
		],
	])('when the service refuses %j of %i', async (refused, count, fundings) => {
		const run = runThatRefuses(refused);
		const payouts = payoutsUpTo(count);

		await run.fundingRun.fund(payouts);

		expect(run.logOf('fund')).toEqual(fundings.map((references) => `fund ${references}`));
		expect(statusesOf(payouts)).toEqual(
			payouts.map((_, index) => (refused.includes(index + 1) ? 'failed' : 'funded')),
		);
	});
});

test('a payout that is refused alone is sent once', async () => {
	const run = runThatRefuses([1]);
	const payouts = payoutsUpTo(1);

	await run.fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['failed']);
	expect(run.logOf('fund')).toHaveLength(1);
});

test('a group is not divided when the service does not say no to what it asks', async () => {
	const run = runThatRefuses([1], 403);
	const payouts = payoutsUpTo(2);

	await run.fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['failed', 'failed']);
	expect(run.logOf('fund')).toHaveLength(1);
});

test('a group whose refusal the ledger cannot write down is not divided, and ends the run', async () => {
	const run = runThatRefuses([1]);
	run.claim.withdraw.mockResolvedValueOnce(false);
	const payouts = payoutsUpTo(2);

	await run.fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['failed', 'failed']);
	expect(payouts.map(({ isRecorded }) => isRecorded)).toEqual([false, false]);
	expect(run.logOf('fund')).toHaveLength(1);
	expect(run.fundingRun.stopReason).toContain('ledger');
});

test('a group that does not reach the service is not sent, and can be sent later', async () => {
	const run = runThatRefuses([1], 'unopened');
	const payouts = payoutsUpTo(2);

	await run.fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['not_sent', 'not_sent']);
	expect(payouts.map(({ leftover }) => leftover)).toEqual(['prepared', 'prepared']);
	expect(run.fundingRun.stopReason).toBeUndefined();
});

describe('a funding without a clear answer', () => {
	test('leaves each of its payouts unconfirmed, and nothing more is sent', async () => {
		const run = runThatRefuses([1], 'cut');
		const payouts = payoutsUpTo(3);

		await run.fundingRun.fund(payouts.slice(0, 2));
		await run.fundingRun.fund(payouts.slice(2));

		expect(statusesOf(payouts)).toEqual(['unconfirmed', 'unconfirmed', 'not_sent']);
		expect(messageOf(payouts[0])).toContain('the funding was sent');
		expect(messageOf(payouts[2])).toContain('did not answer a funding');
		expect(run.log).toEqual(['begin INV-1 INV-2', 'fund INV-1 INV-2', 'leave unconfirmed']);
	});

	test('does not end the run when it was for a payable that may be funded already', async () => {
		const run = runThatRefuses([1], 409);
		const payouts = payoutsUpTo(3);

		await run.fundingRun.fund(payouts.slice(0, 2));
		await run.fundingRun.fund(payouts.slice(2));

		expect(statusesOf(payouts)).toEqual(['unconfirmed', 'unconfirmed', 'funded']);
		expect(messageOf(payouts[0])).toContain('another funding');
		expect(messageOf(payouts[0])).not.toContain('the funding was sent');
		expect(run.logOf('fund')).toHaveLength(2);
	});
});

describe('fundings that fail in a row', () => {
	/** Funds payouts one by one. */
	async function fundEach(run: FakeRun, payouts: Payout[]): Promise<void> {
		for (const payout of payouts) {
			await run.fundingRun.fund([payout]);
		}
	}

	test('end the run when they are five, with the reason of the last one', async () => {
		const run = runThatRefuses([1, 2, 3, 4, 5]);
		const payouts = payoutsUpTo(6);

		await fundEach(run, payouts);

		expect(statusesOf(payouts)).toEqual([...Array<string>(5).fill('failed'), 'not_sent']);
		expect(messageOf(payouts[5])).toMatch(/5 fundings in a row failed \(.*No.*\)/);
		expect(run.logOf('fund')).toHaveLength(5);
	});

	test('end it also when their payables may be in another funding', async () => {
		const run = runThatRefuses([1, 2, 3, 4, 5], 409);
		const payouts = payoutsUpTo(6);

		await fundEach(run, payouts);

		expect(statusesOf(payouts)).toEqual([...Array<string>(5).fill('unconfirmed'), 'not_sent']);
		expect(run.logOf('fund')).toHaveLength(5);
	});

	test('do not end it when one between them is taken', async () => {
		const run = runThatRefuses([1, 2, 3, 4, 6, 7, 8, 9]);
		const payouts = payoutsUpTo(10);

		await fundEach(run, payouts);

		expect(payouts[4]?.status).toBe('funded');
		expect(payouts[9]?.status).toBe('funded');
	});

	test('end it while a group is divided, and the rest stays prepared', async () => {
		const run = runThatRefuses([1, 2, 3, 4, 5, 6, 7, 8]);
		const payouts = payoutsUpTo(8);

		await run.fundingRun.fund(payouts);

		expect(run.logOf('fund')).toHaveLength(5);
		expect(statusesOf(payouts)).not.toContain('would_pay');
		expect(statusesOf(payouts.slice(4))).toEqual(Array<string>(4).fill('not_sent'));
		expect(payouts[7]?.leftover).toBe('prepared');
	});
});
