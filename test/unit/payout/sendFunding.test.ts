import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { LedgerError, type Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import { MAX_BEGINNING_MS } from '../../../nodes/PartnerPayments/ledger/times';
import {
	sendFunding,
	type FundingOrder,
	type FundingResult,
} from '../../../nodes/PartnerPayments/resources/funding/sendFunding';
import { fundingOf } from '../../../nodes/PartnerPayments/resources/payout/batches';
import { rejectionOf } from '../support';
import { DONE, verdictsOn } from './fakeLedger';
import { FakeRun } from './fakeRun';
import type { Answer } from './fakeService';
import { NO_RULES, payoutOf } from './payouts';

/** What is asked for when INV-1 and INV-2 are funded together. */
function orderOf(changes: Partial<FundingOrder> = {}): FundingOrder {
	const one = payoutOf('INV-1');
	const other = payoutOf('INV-2');
	const payments = [one.payment, other.payment];
	return {
		payments,
		body: fundingOf([one, other]),
		conflictOutcome: 'refused',
		...changes,
	};
}

const send = async (run: FakeRun, changes?: Partial<FundingOrder>): Promise<FundingResult> =>
	await sendFunding(run.service.client, run.ledger, orderOf(changes));

/** A run whose fundings get these answers, one after the other, and are then taken. */
function runWith(...answers: Answer[]): FakeRun {
	const run = new FakeRun();
	run.service.answerTo = () => answers.shift();
	return run;
}

const BEGIN = 'begin INV-1 INV-2';
const FUND = 'fund INV-1 INV-2';

afterEach(() => {
	jest.restoreAllMocks();
});

test('a funding is sent under a claim, and its answer is written down', async () => {
	const run = new FakeRun();
	const rules = { ...NO_RULES, maxPerDay: 500 };

	const result = await send(run, { rules });

	expect(result).toMatchObject({
		kind: 'funded',
		funding: { id: 'fund-1' },
		state: 'funded',
		isRecorded: true,
	});
	expect(run.log).toEqual([BEGIN, FUND, 'complete funded fund-1']);
	expect(run.ledger.begin.mock.calls).toEqual([[expect.anything(), rules]]);
});

test('a funding by invoice waits for its deposit', async () => {
	const run = new FakeRun();

	const result = await send(run, { body: { ...orderOf().body, method: 'invoice' } });

	expect(result).toMatchObject({ kind: 'funded', state: 'awaiting_deposit' });
	expect(run.log).toContain('complete awaiting_deposit fund-1');
});

test('nothing is sent when the ledger allows no claim', async () => {
	const run = new FakeRun();
	const verdicts = verdictsOn(orderOf().payments, { 'INV-1': DONE });
	run.ledger.begin.mockResolvedValueOnce({ kind: 'blocked', verdicts });

	const result = await send(run);

	expect(result).toEqual({ kind: 'blocked', verdicts });
	expect(run.log).toEqual([]);
});

test('nothing is sent when the ledger fails before it', async () => {
	const run = new FakeRun();
	const error = new LedgerError('It is full', 'Empty it.');
	run.ledger.begin.mockRejectedValueOnce(error);

	const result = await send(run);

	expect(result).toEqual({ kind: 'notSent', error });
	expect(run.log).toEqual([]);
});

test('payments with one payable are in no funding, and nothing is begun for them', async () => {
	const run = new FakeRun();
	const { payments } = orderOf();

	const result = await send(run, {
		payments: payments.map((payment) => ({ ...payment, payableId: 'pay-1' })),
	});

	expect(result).toMatchObject({
		kind: 'notSent',
		error: {
			outcome: 'notSent',
			message: expect.stringContaining('the same payable'),
			hint: expect.stringContaining('Report it'),
		},
	});
	expect(run.log).toEqual([]);
});

test('nothing is begun when the turn of the request does not come', async () => {
	const run = new FakeRun();
	run.stopper.abort();

	const error = await rejectionOf(send(run));

	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({ outcome: 'notSent' });
	expect(run.log).toEqual([]);
});

describe('a claim that begins slowly', () => {
	/** A run whose first claim takes so long to begin. */
	function runThatTakes(ms: number): FakeRun {
		const run = new FakeRun();
		let now = Date.parse('2026-05-01T10:00:00.000Z');
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		run.ledger.begin.mockImplementationOnce(async () => {
			now += ms;
			run.log.push('begin slowly');
			return await Promise.resolve({ kind: 'begun', claim: run.claim });
		});
		return run;
	}

	test('is withdrawn, and the funding is sent under the next one', async () => {
		const run = runThatTakes(MAX_BEGINNING_MS + 1);

		const result = await send(run);

		expect(result).toMatchObject({ kind: 'funded' });
		expect(run.log).toEqual(['begin slowly', 'withdraw', BEGIN, FUND, 'complete funded fund-1']);
	});

	test('is used while its rows are sure to count as sending', async () => {
		const run = runThatTakes(MAX_BEGINNING_MS);

		await send(run);

		expect(run.log).toEqual(['begin slowly', FUND, 'complete funded fund-1']);
	});
});

describe('a funding that was not let in', () => {
	test.each<Answer>([429, 'unopened'])(
		'is sent again, under a claim of its own: %s',
		async (answer) => {
			const run = runWith(answer);

			const result = await send(run);

			expect(result).toMatchObject({ kind: 'funded' });
			expect(run.log).toEqual([BEGIN, FUND, 'withdraw', BEGIN, FUND, 'complete funded fund-1']);
		},
	);

	test('is not sent again when the claim could not be withdrawn', async () => {
		const run = runWith('unopened');
		run.claim.withdraw.mockResolvedValueOnce(false);

		const result = await send(run);

		expect(result).toMatchObject({
			kind: 'failed',
			error: { outcome: 'notSent' },
			isRecorded: false,
		});
		expect(run.log).toEqual([BEGIN, FUND]);
	});

	test('is given up after some attempts, all of them withdrawn', async () => {
		const run = new FakeRun();
		run.service.answerTo = () => 'unopened';

		const result = await send(run);

		expect(result).toMatchObject({
			kind: 'failed',
			error: { outcome: 'notSent' },
			isRecorded: true,
		});
		expect(run.logOf('fund')).toHaveLength(5);
		expect(run.logOf('withdraw')).toHaveLength(5);
	});
});

test('a funding that was refused is withdrawn, and not sent again', async () => {
	const run = runWith(422);

	const result = await send(run);

	expect(result).toMatchObject({ kind: 'failed', error: { outcome: 'refused' }, isRecorded: true });
	expect(run.log).toEqual([BEGIN, FUND, 'withdraw']);
});

test.each<Answer>(['cut', 500, 404, {}])(
	'a funding without a clear answer stays unconfirmed, and is not sent again: %j',
	async (answer) => {
		const run = runWith(answer);

		const result = await send(run);

		expect(result).toMatchObject({
			kind: 'failed',
			error: { outcome: 'unknown' },
			isRecorded: true,
		});
		expect(run.log).toEqual([BEGIN, FUND, 'leave unconfirmed']);
	},
);

describe('a payable of a payout', () => {
	test('may be funded already when the service says that it does not fit, so it is unconfirmed', async () => {
		const run = runWith(409);

		const result = await send(run, { conflictOutcome: 'unknown' });

		expect(result).toMatchObject({
			kind: 'failed',
			error: {
				outcome: 'unknown',
				failureKind: 'conflict',
				message: expect.stringContaining('409'),
				reason: expect.stringContaining('another funding'),
				hint: expect.stringContaining('Search the service'),
			},
		});
		expect(run.log).toEqual([BEGIN, FUND, 'leave unconfirmed']);
	});

	test('is refused like another one when the service does not take its values', async () => {
		const run = runWith(422);

		const result = await send(run, { conflictOutcome: 'unknown' });

		expect(result).toMatchObject({ kind: 'failed', error: { outcome: 'refused' } });
		expect(run.log).toContain('withdraw');
	});
});

test('a payable that is funded by its ID may not be approved, so a conflict is a refusal', async () => {
	const run = runWith(409);

	const result = await send(run);

	expect(result).toMatchObject({ kind: 'failed', error: { outcome: 'refused', status: 409 } });
	expect(run.log).toEqual([BEGIN, FUND, 'withdraw']);
});

test.each<[method: keyof Claim, answer: Answer | undefined, kind: string]>([
	['complete', undefined, 'funded'],
	['withdraw', 422, 'failed'],
	['leaveUnconfirmed', 'cut', 'failed'],
])(
	'an answer that cannot be written down counts all the same: %s',
	async (method, answer, kind) => {
		const run = new FakeRun();
		run.service.answerTo = () => answer;
		run.claim[method].mockRejectedValueOnce(new TypeError('A fault'));

		const result = await send(run);

		expect(result).toMatchObject({ kind, isRecorded: false });
		expect(run.logOf('fund')).toHaveLength(1);
	},
);
