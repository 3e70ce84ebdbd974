import type { Client } from '../../../nodes/PartnerPayments/api/client';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import type { Claim, Ledger, Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import { nameOf } from '../../../nodes/PartnerPayments/ledger/payment';
import { FundingRun } from '../../../nodes/PartnerPayments/resources/payout/fundingRun';
import type { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import { unrecordedHint } from '../../../nodes/PartnerPayments/resources/payout/summary';
import { payoutOf } from './payouts';

/** A ledger that lets everything begin, and takes answers or does not. */
function ledgerThat(takesAnswers: boolean): Ledger {
	const answer = async (): Promise<boolean> => await Promise.resolve(takesAnswers);
	const claim: Claim = {
		complete: answer,
		withdraw: answer,
		leaveUnconfirmed: answer,
		addInvoice: async () => await Promise.resolve(),
	};
	const begin: Ledger['begin'] = async () => await Promise.resolve({ kind: 'begun', claim });
	return { begin } as Partial<Ledger> as Ledger;
}

/** A client whose fundings end so. */
function clientThat(fund: () => Promise<{ id: string }>): Client {
	const request = {
		withSlot: async (work: (send: typeof fund) => Promise<unknown>) => await work(fund),
		waitToRetry: async () => await Promise.resolve(false),
	};
	return { retryableRequest: () => request } as Partial<Record<keyof Client, unknown>> as Client;
}

const refuse = async (): Promise<never> =>
	await Promise.reject(
		new ServiceError({ message: 'No', hint: '', outcome: 'refused', failureKind: 'declined' }),
	);

test.each([
	['was taken', async () => await Promise.resolve({ id: 'fund_1' }), 'funded'],
	['was refused', refuse, 'failed'],
] as const)(
	'the answer that a funding %s is told with the item, when the ledger never takes it #recorded-false',
	async (_, fund, status) => {
		const payout = payoutOf('INV-1');
		const fundingRun = new FundingRun(clientThat(fund), ledgerThat(false), undefined);

		await fundingRun.fund([payout]);

		expect(payout.result().output?.json).toMatchObject({ status, recorded: false });
		const hint = unrecordedHint([payout]);
		expect(hint).toContain(`"INV-1" (${status})`);
		expect(hint?.includes('"Not Paid"')).toBe(status === 'failed');
	},
);

/** A ledger whose claims fail with an error that none of them may have. */
function ledgerThatThrows(): Ledger {
	const fail = async (): Promise<never> => await Promise.reject(new TypeError('A fault'));
	const claim: Claim = {
		complete: fail,
		withdraw: fail,
		leaveUnconfirmed: fail,
		addInvoice: fail,
	};
	const begin: Ledger['begin'] = async () => await Promise.resolve({ kind: 'begun', claim });
	return { begin } as Partial<Ledger> as Ledger;
}

const leaveUnanswered = async (): Promise<never> =>
	await Promise.reject(new ServiceError({ message: 'Gone', hint: '', outcome: 'unknown' }));

test.each([
	['taken', async () => await Promise.resolve({ id: 'fund_1' }), 'funded'],
	['refused', refuse, 'failed'],
	['not answered', leaveUnanswered, 'unconfirmed'],
] as const)(
	'a funding that was %s is told as that, whatever goes wrong when it is written down',
	async (_, fund, status) => {
		const payout = payoutOf('INV-1');
		const fundingRun = new FundingRun(clientThat(fund), ledgerThatThrows(), undefined);

		await fundingRun.fund([payout]);

		expect(payout.status).toBe(status);
	},
);

test('a payout without a payable is in no funding', async () => {
	const payout = payoutOf('INV-1');
	payout.dropPayable();
	const fund = jest.fn(refuse);
	const fundingRun = new FundingRun(clientThat(fund), ledgerThat(true), undefined);

	await expect(fundingRun.fund([payout, payoutOf('INV-2')])).rejects.toThrow('INV-1');

	expect(fund).not.toHaveBeenCalled();
});

test('an answer that the ledger has taken needs no words', async () => {
	const payout = payoutOf('INV-1');
	const fund = async () => await Promise.resolve({ id: 'fund_1' });
	const fundingRun = new FundingRun(clientThat(fund), ledgerThat(true), undefined);

	await fundingRun.fund([payout]);

	expect(payout.result().output?.json).not.toHaveProperty('recorded');
	expect(unrecordedHint([payout])).toBeUndefined();
});

/** A ledger that says of references what the list has, one for each beginning, and then lets all begin. */
function ledgerThatBlocks(...blocked: Array<Record<string, Verdict>>): Ledger {
	const unblocked = ledgerThat(true);
	const begin: Ledger['begin'] = async (payments) => {
		const byReference = blocked.shift();
		if (byReference === undefined) {
			return await unblocked.begin(payments);
		}
		const verdicts = new Map<string, Verdict>();
		for (const payment of payments) {
			verdicts.set(nameOf(payment), byReference[payment.reference] ?? { kind: 'new' });
		}
		return { kind: 'blocked', verdicts };
	};
	const release: Ledger['release'] = async () => {
		await Promise.resolve();
	};
	return { begin, release } as Partial<Ledger> as Ledger;
}

const DONE: Verdict = { kind: 'done', known: { state: 'funded', payableId: 'pay-other' } };

const statusesOf = (payouts: Payout[]): string[] => payouts.map(({ status }) => status);

test('a group that is blocked twice ends each payout once', async () => {
	const payouts = ['INV-1', 'INV-2', 'INV-3'].map((reference) => payoutOf(reference));
	const ledger = ledgerThatBlocks({ 'INV-1': DONE }, { 'INV-2': DONE });
	const fundingRun = new FundingRun(clientThat(refuse), ledger, undefined);

	await fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['duplicate', 'duplicate', 'not_sent']);
});

test('a group that is refused after a part of it was blocked is divided without that part', async () => {
	const payouts = ['INV-1', 'INV-2', 'INV-3'].map((reference) => payoutOf(reference));
	const ledger = ledgerThatBlocks({ 'INV-1': DONE });
	const fund = jest.fn(refuse);
	const fundingRun = new FundingRun(clientThat(fund), ledger, undefined);

	await fundingRun.fund(payouts);

	expect(statusesOf(payouts)).toEqual(['duplicate', 'failed', 'failed']);
	expect(fund).toHaveBeenCalledTimes(3);
});
