import { unrecordedHint } from '../../../nodes/PartnerPayments/resources/payout/summary';
import { DONE, verdictsOn } from './fakeLedger';
import { FakeRun, statusesOf } from './fakeRun';
import type { Answer } from './fakeService';
import { payoutOf } from './payouts';

/** A run whose fundings all get this answer; undefined takes them. */
function runThatGets(answer: Answer | undefined): FakeRun {
	const run = new FakeRun();
	run.service.answerTo = () => answer;
	return run;
}

test.each([
	['was taken', undefined, 'funded'],
	['was refused', 422, 'failed'],
] as const)(
	'the answer that a funding %s is told with the item, when the ledger never takes it #recorded-false',
	async (_, answer, status) => {
		const run = runThatGets(answer);
		run.claim.complete.mockResolvedValue(false);
		run.claim.withdraw.mockResolvedValue(false);
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.result().output?.json).toMatchObject({ status, recorded: false });
		const hint = unrecordedHint([payout]);
		expect(hint).toContain(`"INV-1" (${status})`);
		expect(hint?.includes('"Not Paid"')).toBe(status === 'failed');
	},
);

test('an answer that the ledger has taken needs no words', async () => {
	const run = new FakeRun();
	const payout = payoutOf('INV-1');

	await run.fundingRun.fund([payout]);

	expect(payout.result().output?.json).not.toHaveProperty('recorded');
	expect(unrecordedHint([payout])).toBeUndefined();
});

test.each([
	['taken', undefined, 'funded'],
	['refused', 422, 'failed'],
	['not answered', 'cut', 'unconfirmed'],
] as const)(
	'a funding that was %s is told as that, whatever goes wrong when it is written down',
	async (_, answer, status) => {
		const run = runThatGets(answer);
		const fault = new TypeError('A fault');
		run.claim.complete.mockRejectedValue(fault);
		run.claim.withdraw.mockRejectedValue(fault);
		run.claim.leaveUnconfirmed.mockRejectedValue(fault);
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe(status);
	},
);

test('a payout without a payable is in no funding', async () => {
	const run = new FakeRun();
	const payout = payoutOf('INV-1');
	payout.dropPayable();

	await expect(run.fundingRun.fund([payout, payoutOf('INV-2')])).rejects.toThrow('INV-1');

	expect(run.log).toEqual([]);
});

test('a group that is refused after a part of it was blocked is divided without that part', async () => {
	const run = runThatGets(422);
	run.ledger.begin.mockImplementationOnce(async (payments) => {
		const verdicts = verdictsOn(payments, { 'INV-1': DONE });
		return await Promise.resolve({ kind: 'blocked', verdicts });
	});
	const payouts = ['INV-1', 'INV-2', 'INV-3'].map((reference) => payoutOf(reference));

	await run.fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['duplicate', 'failed', 'failed']);
	expect(run.logOf('fund')).toEqual(['fund INV-2 INV-3', 'fund INV-2', 'fund INV-3']);
});
