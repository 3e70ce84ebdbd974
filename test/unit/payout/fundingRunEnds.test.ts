import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { DONE, verdictsOn, type ByReference } from './fakeLedger';
import { errorOf, FakeRun, messageOf, statusesOf } from './fakeRun';
import { payoutOf } from './payouts';

/** A run whose ledger blocks these, once for each. */
function runThatBlocks(...blocked: ByReference[]): FakeRun {
	const run = new FakeRun();
	for (const byReference of blocked) {
		run.ledger.begin.mockImplementationOnce(async (payments) => {
			const verdicts = verdictsOn(payments, byReference);
			return await Promise.resolve({ kind: 'blocked', verdicts });
		});
	}
	return run;
}

describe('a group of which the ledger blocks a part', () => {
	test('is funded without it, and its payable is left as one of no use', async () => {
		const run = runThatBlocks({ 'INV-1': DONE });
		const payouts = [payoutOf('INV-1'), payoutOf('INV-2')];

		await run.fundingRun.fund(payouts);

		expect(statusesOf(payouts)).toEqual(['duplicate', 'funded']);
		expect(run.log).toEqual([
			'store as surplus: INV-1',
			'begin INV-2',
			'fund INV-2',
			'complete funded fund-1',
		]);
	});

	test('leaves the others the payables that this run has made', async () => {
		const known = { state: 'prepared', payableId: 'pay-other' };
		const run = runThatBlocks({ 'INV-1': DONE, 'INV-2': { kind: 'prepared', known } });
		run.service.answerTo = () => 422;
		const payouts = [payoutOf('INV-1'), payoutOf('INV-2')];

		await run.fundingRun.fund(payouts);

		expect(payouts[1]?.result().output?.json).toMatchObject({
			status: 'failed',
			payable_id: 'pay-INV-2',
		});
	});

	test('sends nothing when that is all of it', async () => {
		const run = runThatBlocks({ 'INV-1': { kind: 'busy' }, 'INV-2': DONE });
		const payouts = [payoutOf('INV-1'), payoutOf('INV-2')];

		await run.fundingRun.fund(payouts);

		expect(statusesOf(payouts)).toEqual(['not_sent', 'duplicate']);
		expect(run.logOf('begin', 'fund')).toEqual([]);
	});

	test('is held where a rule says so, and leaves the payable for the person', async () => {
		const run = runThatBlocks({
			'INV-1': { kind: 'held', reason: 'Large', release: { kind: 'afterYes' } },
		});
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('held');
		expect(run.log).toEqual(['store as held: INV-1']);
	});

	test('ends what is left of it when it is blocked again, so that a run does not wait for ever', async () => {
		const run = runThatBlocks({ 'INV-1': DONE }, { 'INV-2': DONE });
		const payouts = [payoutOf('INV-1'), payoutOf('INV-2'), payoutOf('INV-3')];

		await run.fundingRun.fund(payouts);

		expect(statusesOf(payouts)).toEqual(['duplicate', 'duplicate', 'not_sent']);
		expect(messageOf(payouts[2])).toContain('other executions');
		expect(payouts[2]?.leftover).toBe('prepared');
		expect(run.logOf('fund')).toEqual([]);
	});
});

describe('a failure before the funding', () => {
	test('of the ledger ends the run', async () => {
		const run = new FakeRun();
		run.ledger.begin.mockRejectedValueOnce(new LedgerError('It is full', 'Empty it.'));
		const [one, other] = [payoutOf('INV-1'), payoutOf('INV-2')];

		await run.fundingRun.fund([one]);
		await run.fundingRun.fund([other]);

		expect(statusesOf([one, other])).toEqual(['not_sent', 'not_sent']);
		expect(errorOf(one)).toMatchObject({ message: 'It is full', hint: 'Empty it.' });
		expect(messageOf(other)).toContain('its ledger cannot be used (It is full)');
		expect(run.log).toEqual([]);
	});

	test('that is explained leaves the payout for a later run, and the others are paid', async () => {
		const run = new FakeRun();
		run.ledger.begin.mockRejectedValueOnce(new InputError('Not now', 'Wait.'));
		const [one, other] = [payoutOf('INV-1'), payoutOf('INV-2')];

		await run.fundingRun.fund([one]);
		await run.fundingRun.fund([other]);

		expect(statusesOf([one, other])).toEqual(['not_sent', 'funded']);
	});

	test('that is a fault of this package asks for a person', async () => {
		const run = new FakeRun();
		const fault = new TypeError('A fault');
		run.ledger.begin.mockRejectedValueOnce(fault);
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('failed');
		expect(errorOf(payout)).toBe(fault);
		expect(run.logOf('fund')).toEqual([]);
	});
});

describe('a run that was stopped', () => {
	test('sends nothing more', async () => {
		const run = new FakeRun();
		run.stopper.abort();
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('not_sent');
		expect(messageOf(payout)).toContain('the run was stopped');
		expect(run.log).toEqual([]);
	});

	test('while a funding waits for its turn sends nothing', async () => {
		const run = new FakeRun();
		jest.spyOn(run.service.rateLimiter, 'acquire').mockImplementationOnce(async (signal) => {
			run.stopper.abort();
			signal?.throwIfAborted();
			return await Promise.reject(new Error('It goes on'));
		});
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('not_sent');
		expect(run.log).toEqual([]);
	});

	test('while its claim began withdraws it, and sends nothing', async () => {
		const run = new FakeRun();
		run.ledger.begin.mockImplementationOnce(async () => {
			run.stopper.abort();
			return await Promise.resolve({ kind: 'begun', claim: run.claim });
		});
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('not_sent');
		expect(run.log).toEqual(['withdraw']);
	});

	test('comes to the answer of the funding that is under way', async () => {
		const run = new FakeRun();
		run.service.answerTo = () => {
			run.stopper.abort();
			return undefined;
		};
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('funded');
		expect(run.log).toContain('complete funded fund-1');
	});

	test('says the first reason, whatever goes wrong after it', async () => {
		const run = new FakeRun();
		run.fundingRun.stop('the service does not answer');
		run.fundingRun.stop('its ledger cannot be used');
		const payout = payoutOf('INV-1');

		await run.fundingRun.fund([payout]);

		expect(messageOf(payout)).toContain('the service does not answer');
	});
});

describe('the invoice of a funding', () => {
	const byInvoice = () => payoutOf('INV-1', { method: 'invoice' });

	test('is in the item and in the ledger', async () => {
		const run = new FakeRun();
		const payout = byInvoice();

		await run.fundingRun.fund([payout]);

		expect(payout.result().output?.json).toMatchObject({
			status: 'awaiting_deposit',
			funding_id: 'fund-1',
			pdf_url: 'https://x.test/fund-1.pdf',
		});
		expect(run.log).toContain('add https://x.test/fund-1.pdf');
	});

	test('may be missing', async () => {
		const run = new FakeRun();
		run.service.answerTo = (asked) => (asked.startsWith('invoice ') ? 404 : undefined);
		const payout = byInvoice();

		await run.fundingRun.fund([payout]);

		expect(payout.status).toBe('awaiting_deposit');
		expect(payout.result().output?.json).not.toHaveProperty('pdf_url');
		expect(run.logOf('add')).toEqual([]);
	});

	test('is told also when the ledger does not take it', async () => {
		const run = new FakeRun();
		run.claim.addInvoice.mockRejectedValueOnce(new LedgerError('It is gone', 'Make one.'));
		const payout = byInvoice();

		await run.fundingRun.fund([payout]);

		expect(payout.result().output?.json).toMatchObject({
			status: 'awaiting_deposit',
			pdf_url: 'https://x.test/fund-1.pdf',
		});
	});

	test('is not asked for when the wallet pays', async () => {
		const run = new FakeRun();

		await run.fundingRun.fund([payoutOf('INV-1')]);

		expect(run.logOf('invoice')).toEqual([]);
	});
});

test('the funding of the answer is named as the service names it, also by a number', async () => {
	const run = new FakeRun();
	run.service.answerTo = () => ({ id: 7 });
	const payout = payoutOf('INV-1');

	await run.fundingRun.fund([payout]);

	expect(payout.result().output?.json).toMatchObject({ status: 'funded', funding_id: '7' });
});

test('no payouts need no funding', async () => {
	const run = new FakeRun();

	await run.fundingRun.fund([]);

	expect(run.log).toEqual([]);
});
