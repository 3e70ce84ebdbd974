import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { FakeRun, itemStatuses } from './fakeRun';
import { requestOf } from './payouts';

/** What is asked for a payout that shares no funding with the others. */
const requestAlone = (reference: string): PayoutRequest => ({
	...requestOf(reference),
	fundingText: { description: `Only ${reference}` },
});

describe('a funding without an answer', () => {
	/** A run of four fundings, the first of which gets no answer. */
	async function payFour() {
		const run = new FakeRun();
		run.service.answerTo = (asked) => (asked === 'fund INV-1' ? 'cut' : undefined);
		const results = await run.pay(['INV-1', 'INV-2', 'INV-3', 'INV-4'].map(requestAlone));
		return { run, results };
	}

	test('ends the run, and says so with each payout that was not sent', async () => {
		const { run, results } = await payFour();

		expect(itemStatuses(results)).toEqual(['unconfirmed', 'not_sent', 'not_sent', 'not_sent']);
		expect(run.logOf('fund')).toEqual(['fund INV-1']);
		for (const { error } of results.slice(1)) {
			expect(error).toMatchObject({ message: expect.stringContaining('did not answer a funding') });
		}
	});

	test('leaves the payables that are ready for the next run', async () => {
		const { run } = await payFour();

		const [left = ''] = run.logOf('store').slice(-1);
		const ready = run.logOf('approve').map((entry) => entry.replace('approve ', ''));

		expect(ready).toContain('INV-2');
		expect(left).toBe(`store as prepared: ${ready.filter((one) => one !== 'INV-1').join(' ')}`);
	});

	test('ends what is prepared beside it, so that no needless payable is made', async () => {
		const { run } = await payFour();

		expect(run.logOf('create')).not.toContain('create INV-4');
	});
});

test('the next group is prepared while one is funded', async () => {
	const run = new FakeRun();
	let isPrepared = false;
	run.service.answerTo = async (asked) => {
		isPrepared ||= asked === 'approve INV-2';
		while (asked === 'fund INV-1' && !isPrepared) {
			await new Promise(setImmediate);
		}
		return undefined;
	};

	const results = await run.pay(['INV-1', 'INV-2'].map(requestAlone));

	expect(itemStatuses(results)).toEqual(['funded', 'funded']);
	expect(run.logOf('fund')).toEqual(['fund INV-1', 'fund INV-2']);
});

test('a run that is stopped during a funding pays that one, and no other', async () => {
	const run = new FakeRun();
	run.service.answerTo = (asked) => {
		if (asked === 'fund INV-1') {
			run.stopper.abort();
		}
		return undefined;
	};

	const results = await run.pay(['INV-1', 'INV-2'].map(requestAlone));

	expect(itemStatuses(results)).toEqual(['funded', 'not_sent']);
	expect(results[1]?.error).toMatchObject({ message: expect.stringContaining('was stopped') });
});

describe('a failure before the first payout', () => {
	test.each<[what: string, fail: (run: FakeRun, error: Error) => void]>([
		[
			'to find the ledger',
			(run, error) => {
				run.findLedger = () => {
					throw error;
				};
			},
		],
		[
			'to locate it',
			(run, error) => {
				run.ledger.locate.mockRejectedValueOnce(error);
			},
		],
		[
			'to read it',
			(run, error) => {
				run.ledger.find.mockRejectedValueOnce(error);
			},
		],
	])('of the ledger (%s) sends nothing', async (_, fail) => {
		const run = new FakeRun();
		const error = new LedgerError('It is gone', 'Make one.');
		fail(run, error);

		const results = await run.pay([requestOf('INV-1'), requestOf('INV-2')]);

		expect(itemStatuses(results)).toEqual(['not_sent', 'not_sent']);
		expect(results.map((result) => result.error)).toEqual([error, error]);
		expect(run.logOf('create')).toEqual([]);
	});

	test('by a fault of this package asks for a person', async () => {
		const run = new FakeRun();
		run.signal = undefined;
		const fault = new TypeError('A fault');
		run.ledger.find.mockRejectedValueOnce(fault);

		const results = await run.pay([requestOf('INV-1')]);

		expect(itemStatuses(results)).toEqual(['failed']);
		expect(results[0]?.error).toBe(fault);
	});

	test('of a run that was stopped can be sent later', async () => {
		const run = new FakeRun();
		run.ledger.find.mockImplementationOnce(async () => {
			run.stopper.abort();
			return await Promise.reject(new Error('Stopped'));
		});

		const results = await run.pay([requestOf('INV-1')]);

		expect(itemStatuses(results)).toEqual(['not_sent']);
	});
});

test('a fault between fundings keeps what was paid, and sends nothing after it', async () => {
	const run = new FakeRun();
	run.ledger.begin.mockImplementationOnce(async (payments) => {
		run.log.push(`begin ${payments.map(({ reference }) => reference).join(' ')}`);
		return await Promise.resolve({ kind: 'begun', claim: run.claim });
	});
	run.ledger.begin.mockResolvedValueOnce({ kind: 'blocked', verdicts: new Map() });

	const results = await run.pay(['INV-1', 'INV-2', 'INV-3'].map(requestAlone));

	expect(itemStatuses(results)).toEqual(['funded', 'failed', 'failed']);
	expect(results[2]?.error).toMatchObject({ message: expect.stringContaining('no verdict') });
	expect(run.logOf('fund')).toEqual(['fund INV-1']);
	expect(run.logOf('store')).toEqual(['store as prepared: INV-2 INV-3']);
});

describe('two runs of this process', () => {
	/** A run whose first funding waits until it is let through. */
	function waitingRun(): { run: FakeRun; letThrough: () => void } {
		const run = new FakeRun();
		let letThrough = (): void => undefined;
		const gate = new Promise<void>((resolve) => (letThrough = resolve));
		run.service.answerTo = async (asked) => {
			if (asked.startsWith('fund ')) {
				await gate;
			}
			return undefined;
		};
		return { run, letThrough };
	}

	const untilSent = async ({ log }: FakeRun): Promise<void> => {
		while (!log.includes('fund INV-1')) {
			await new Promise(setImmediate);
		}
	};

	test('do not work on one invoice number at once', async () => {
		const { run: first, letThrough } = waitingRun();
		const second = new FakeRun();
		const paying = first.pay([requestOf('INV-1')]);
		await untilSent(first);

		const waiting = second.pay([requestOf('INV-1')]);
		await new Promise(setImmediate);
		const logMeanwhile = [...second.log];
		letThrough();
		await Promise.all([paying, waiting]);

		expect(logMeanwhile).toEqual([]);
		expect(second.log[0]).toBe('find INV-1');
	});

	test('work on different ones at once', async () => {
		const { run: first, letThrough } = waitingRun();
		const second = new FakeRun();
		const paying = first.pay([requestOf('INV-1')]);
		await untilSent(first);

		const results = await second.pay([requestOf('INV-2')]);
		letThrough();
		await paying;

		expect(itemStatuses(results)).toEqual(['funded']);
	});

	test('do not wait for each other after they were stopped', async () => {
		const { run: first, letThrough } = waitingRun();
		const second = new FakeRun();
		const paying = first.pay([requestOf('INV-1')]);
		await untilSent(first);

		const waiting = second.pay([requestOf('INV-1')]);
		second.stopper.abort();
		const results = await waiting;
		letThrough();
		await paying;

		expect(itemStatuses(results)).toEqual(['not_sent']);
		expect(second.log).toEqual([]);
	});
});
