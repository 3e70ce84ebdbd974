import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import type { FailureKind } from '../../../nodes/PartnerPayments/api/http/outcome';
import type { Known, Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import { remainingOf, type Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { newPayout, payoutOf, requestOf } from './payouts';

const AT = '2026-05-01T10:00:00.000Z';
const KNOWN: Known = { state: 'funded', at: AT, payableId: 'pay-9', fundingId: 'fund-9' };

/** A payout about which the ledger says this. */
function applied(verdict: Verdict, payout = newPayout('INV-1')): Payout {
	payout.apply(verdict);
	return payout;
}

const itemOf = (payout: Payout) => payout.result().output?.json;

const errorOf = (payout: Payout): ServiceError => payout.result().error as ServiceError;

describe('a payout', () => {
	test('ends once', () => {
		const payout = payoutOf('INV-1');
		payout.end('funded');

		expect(() => {
			payout.end('failed');
		}).toThrow('"INV-1" has ended as funded');
		expect(payout.status).toBe('funded');
	});

	test('without a payable has none to approve', () => {
		const payout = newPayout('INV-1');

		expect(() => {
			payout.setApproved();
		}).toThrow('INV-1');
	});

	test('that has not ended is among those that remain', () => {
		const [ended, remaining] = [payoutOf('INV-1'), payoutOf('INV-2')];
		ended.end('failed');

		expect(remainingOf([ended, remaining])).toEqual([remaining]);
	});

	test('that is funded has its funding, its invoice, and its state', () => {
		const payout = payoutOf('INV-1');

		payout.endFunded('awaiting_deposit', { fundingId: 'fund-1', pdfUrl: 'https://x.test/1' }, true);

		expect(itemOf(payout)).toMatchObject({
			status: 'awaiting_deposit',
			payable_id: 'pay-INV-1',
			funding_id: 'fund-1',
			pdf_url: 'https://x.test/1',
		});
		expect(payout).toMatchObject({ isDone: true, isAwaiting: true, mayBeFunded: true });
	});

	test('that is funded with the payable of this run names that one', () => {
		const payout = applied({ kind: 'prepared', known: KNOWN }, payoutOf('INV-1'));

		payout.endFunded('funded', { fundingId: 'fund-1' }, true);

		expect(itemOf(payout)).toMatchObject({ payable_id: 'pay-INV-1', funding_id: 'fund-1' });
	});

	test('names its approver, and says nothing of a ledger that works', () => {
		const { payment } = requestOf('INV-1');
		const payout = newPayout('INV-1', { payment: { ...payment, approvedBy: 'Ann' } });

		payout.endNotSent('the run was stopped');

		expect(itemOf(payout)).toMatchObject({ approved_by: 'Ann' });
		expect(itemOf(payout)).not.toHaveProperty('recorded');
	});

	test('that is funded without an invoice waits for no deposit', () => {
		const payout = payoutOf('INV-1');

		payout.endFunded('funded', { fundingId: 'fund-1' }, true);

		expect(itemOf(payout)).not.toHaveProperty('pdf_url');
		expect(payout).toMatchObject({ isDone: true, isAwaiting: false });
	});

	test.each<[kind: FailureKind, isRecorded: boolean, isTold: boolean]>([
		['declined', true, true],
		['declined', false, false],
		['denied', true, false],
	])(
		'that was refused (%s, recorded: %p) says that it stays prepared: %p',
		(failureKind, isRecorded, isTold) => {
			const payout = payoutOf('INV-1');
			const refusal = {
				message: 'No',
				hint: 'Check it.',
				outcome: 'refused',
				failureKind,
			} as const;

			payout.endUnfunded('failed', new ServiceError(refusal), isRecorded);

			const { hint } = errorOf(payout);
			expect(hint).toMatch(/^Check it\./);
			expect(hint.includes('Not Paid')).toBe(isTold);
			expect(payout.isRecorded).toBe(isRecorded);
		},
	);

	test.each([
		['of an earlier run', applied({ kind: 'prepared', known: KNOWN }), true],
		['of this run', payoutOf('INV-1'), false],
	])('that was refused says what to do if a payable %s is canceled: %#', (_, payout, isTold) => {
		const refusal = {
			message: 'No',
			hint: 'Check it.',
			outcome: 'refused',
			failureKind: 'declined',
		} as const;

		payout.endUnfunded('failed', new ServiceError(refusal), true);

		expect(errorOf(payout).hint.includes('"Void"')).toBe(isTold);
	});

	test('whose payable may be canceled can be void, and one without an answer cannot', () => {
		const conflicting = payoutOf('INV-1');
		const unanswered = payoutOf('INV-1');

		conflicting.endConflicting('it was not clear');
		unanswered.endUnanswered('it was not clear');

		expect(conflicting).toMatchObject({ status: 'unconfirmed', mayBeFunded: true });
		expect(errorOf(conflicting).hint).toContain('operator of the service');
		expect(errorOf(conflicting).hint).toContain('"Void"');
		expect(errorOf(unanswered).hint).toContain('operator of the service');
		expect(errorOf(unanswered).hint).not.toContain('"Void"');
	});

	test('names the funding that was resolved as not paid, after any refusal and where it is unconfirmed', () => {
		const known = { ...KNOWN, resolvedFundingId: 'fund-0' };
		const refusal = { message: 'No', hint: 'Check it.', outcome: 'refused' } as const;
		const refused = applied({ kind: 'prepared', known }, payoutOf('INV-1'));
		const inConflict = applied({ kind: 'prepared', known }, payoutOf('INV-1'));
		const unconfirmed = applied({ kind: 'unconfirmed', known }, payoutOf('INV-1'));

		refused.endUnfunded('failed', new ServiceError({ ...refusal, failureKind: 'declined' }), true);
		inConflict.endConflicting('it was not clear');

		for (const payout of [refused, inConflict, unconfirmed]) {
			expect(errorOf(payout).hint).toContain('Funding fund-0');
		}
	});

	test('that was not sent says why, and with which reference it is run again', () => {
		const payout = newPayout('INV-1');

		payout.endNotSent('the run was stopped');

		expect(payout.status).toBe('not_sent');
		expect(errorOf(payout)).toMatchObject({
			message: expect.stringMatching(/: the run was stopped$/),
			hint: expect.stringContaining('"INV-1"'),
		});
	});

	test('whose funding has no answer names what to look for', () => {
		const payout = payoutOf('INV-1');

		payout.endUnanswered('the line was cut');

		expect(payout).toMatchObject({ status: 'unconfirmed', mayBeFunded: true });
		expect(errorOf(payout)).toMatchObject({
			outcome: 'unknown',
			message: expect.stringMatching(/: the line was cut$/),
			hint: expect.stringContaining('[INV-1] with payable pay-INV-1, $1.00 to ada@example.com'),
		});
	});
});

describe('what the ledger says of a payout', () => {
	test.each<[verdict: Verdict, status: string]>([
		[{ kind: 'new' }, 'would_pay'],
		[{ kind: 'prepared', known: KNOWN }, 'would_pay'],
		[{ kind: 'busy' }, 'not_sent'],
		[{ kind: 'held', reason: 'Large', release: { kind: 'afterYes' } }, 'held'],
		[{ kind: 'overLimit', error: new InputError('Much', 'Wait.') }, 'not_sent'],
		[{ kind: 'unconfirmed', known: KNOWN }, 'unconfirmed'],
		[{ kind: 'done', known: KNOWN }, 'duplicate'],
		[{ kind: 'refused', error: new InputError('Void', 'Ask.'), known: KNOWN }, 'failed'],
	])('decides how it ends: %j', (verdict, status) => {
		expect(applied(verdict).status).toBe(status);
	});

	test.each(['done', 'unconfirmed'] as const)(
		'has the approver of the payment that it repeats: %s',
		(kind) => {
			const { payment } = requestOf('INV-1');
			const payout = newPayout('INV-1', { payment: { ...payment, approvedBy: 'Ann' } });

			applied({ kind, known: { ...KNOWN, approvedBy: 'Bea' } }, payout);

			expect(itemOf(payout)).toMatchObject({
				approved_by: 'Bea',
				payable_id: 'pay-9',
				funding_id: 'fund-9',
			});
		},
	);

	test('tells what became of it, and when', () => {
		expect(applied({ kind: 'done', known: KNOWN }).history).toBe(
			'was paid on 2026-05-01 10:00 UTC',
		);
	});

	test('has it continue with the payable of an earlier run', () => {
		const payout = applied({ kind: 'prepared', known: { ...KNOWN, state: 'prepared' } });

		expect(payout).toMatchObject({ payableId: 'pay-9', isDone: false });
	});

	test('does not replace the payable that this run has made', () => {
		const payout = applied({ kind: 'prepared', known: KNOWN }, payoutOf('INV-1'));

		expect(payout.payableId).toBe('pay-INV-1');
	});

	test('ends it as a duplicate where nothing is to be funded', () => {
		const known = { ...KNOWN, state: 'prepared', approvedBy: 'Ann' };

		const payout = applied({ kind: 'prepared', known }, newPayout('INV-1', { method: 'none' }));

		expect(itemOf(payout)).toMatchObject({
			status: 'duplicate',
			first_status: 'prepared',
			approved_by: 'Ann',
		});
	});

	test.each([
		['sending', /an earlier run may have sent/],
		['unconfirmed', /an earlier run may have sent/],
		['done?', /the ledger table has "done\?" for it/],
	])('says why it is unconfirmed: %s', (state, message) => {
		const payout = applied({ kind: 'unconfirmed', known: { state, at: AT } });

		expect(errorOf(payout).message).toMatch(message);
		expect(errorOf(payout).hint).toContain('[INV-1] with $1.00 to ada@example.com');
	});

	test('names the first open payout of another vendor beside it', () => {
		const beside = {
			reference: 'INV-1',
			payee: 'eve@example.com',
			amount: 1,
			state: 'held',
			at: AT,
			hasPayable: false,
		};
		const payout = applied({ kind: 'new', beside });

		payout.apply({ kind: 'new' });

		expect(payout.beside).toBe(beside);
	});
});

describe('the payable of a payout that was not funded', () => {
	test.each<[what: string, payout: () => Payout, leftover: string]>([
		['is kept when it is approved', () => payoutOf('INV-1'), 'prepared'],
		[
			'is kept when an earlier run has made it',
			() => applied({ kind: 'prepared', known: KNOWN }),
			'prepared',
		],
		[
			'is of no use when it is not approved',
			() => {
				const payout = newPayout('INV-1');
				payout.setCreated('pay-1');
				return payout;
			},
			'surplus',
		],
		[
			'waits with its payout when that is held',
			() =>
				applied(
					{ kind: 'held', reason: 'Large', release: { kind: 'afterYes' } },
					payoutOf('INV-1'),
				),
			'held',
		],
		[
			'is of no use beside another run',
			() => applied({ kind: 'busy' }, payoutOf('INV-1')),
			'surplus',
		],
		[
			'is of no use beside the one that was paid',
			() => applied({ kind: 'done', known: KNOWN }, payoutOf('INV-1')),
			'surplus',
		],
	])('%s', (_, payout, leftover) => {
		expect(payout().leftover).toBe(leftover);
	});

	test('is not touched when another payout has it, too', () => {
		const payout = payoutOf('INV-1');

		payout.dropPayable();

		expect(payout.payableId).toBeUndefined();
	});
});

describe('a repeated item', () => {
	/** A second item for a payment that ended so. */
	function repeated(first: Payout): Payout {
		const payout = newPayout('INV-1');
		payout.endLike(first);
		return payout;
	}

	test('is a duplicate of what was funded', () => {
		const first = payoutOf('INV-1');
		first.endFunded('funded', { fundingId: 'fund-1' }, true);

		expect(itemOf(repeated(first))).toMatchObject({
			status: 'duplicate',
			first_status: 'funded',
			payable_id: 'pay-INV-1',
			funding_id: 'fund-1',
		});
	});

	test('is a duplicate of what was prepared, which the ledger did not know', () => {
		const first = payoutOf('INV-1', { method: 'none' });
		first.end('prepared');

		expect(itemOf(repeated(first))).toMatchObject({
			status: 'duplicate',
			first_status: 'prepared',
			payable_id: 'pay-INV-1',
		});
	});

	test('has the problem of the first one', () => {
		const first = payoutOf('INV-1');
		const error = new InputError('No', 'Ask.');
		first.end('failed', error);

		expect(repeated(first).result()).toMatchObject({
			error,
			output: { json: { status: 'failed' } },
		});
	});

	test('is held like the first one, with the same way to pay it', () => {
		const release = {
			kind: 'ifDifferent' as const,
			lines: ['one', 'two'],
			mayBePaid: true,
			hasResolved: false,
		};
		const first = applied({ kind: 'held', reason: 'Alike', release });

		expect(itemOf(repeated(first))).toMatchObject({
			status: 'held',
			reason: 'Alike',
			hint: expect.stringContaining('"Different Invoice"'),
			different_invoice: 'one\ntwo',
		});
	});

	test('has not ended where the first one has not', () => {
		expect(repeated(payoutOf('INV-1')).hasEnded).toBe(false);
	});

	test('says so if it has another invoice date than the first one', () => {
		const { payment } = newPayout('INV-1').request;
		const dated = (invoiceDate: string) =>
			newPayout('INV-1', { payment: { ...payment, invoiceDate } });
		const [first, other] = [dated('2026-05-04'), dated('2026-05-05')];
		first.apply({ kind: 'done', known: KNOWN });

		other.endLike(first);

		expect(other.reason).toContain('2026-05-04');
	});
});

describe('a preview', () => {
	test('shows a problem as a reason, and what to do about it', () => {
		const payout = newPayout('INV-1');
		payout.end('failed', new InputError('It is void', 'Ask.'));

		const json = expect.objectContaining({ status: 'refused', reason: 'It is void', hint: 'Ask.' });
		expect(payout.previewResult()).toEqual({ item: payout.item, output: { json } });
	});

	test('shows what may have been paid as unconfirmed, as a run does', () => {
		const payout = newPayout('INV-1');
		payout.apply({ kind: 'unconfirmed', known: { ...KNOWN, state: 'unconfirmed' } });

		expect(payout.previewResult().output?.json).toMatchObject({
			status: 'unconfirmed',
			reason: expect.any(String),
			hint: expect.any(String),
		});
	});

	test('shows that what was paid has another invoice date, and what to do', () => {
		const { payment } = newPayout('INV-1').request;
		const payout = newPayout('INV-1', { payment: { ...payment, invoiceDate: '2026-05-05' } });
		payout.apply({ kind: 'done', known: { ...KNOWN, invoiceDate: '2026-05-04' } });

		expect(payout.previewResult().output?.json).toMatchObject({
			status: 'duplicate',
			reason: expect.stringContaining('2026-05-04'),
			hint: expect.any(String),
		});
	});

	test('shows what would be paid', () => {
		const payout = newPayout('INV-1');

		expect(payout.previewResult().output?.json).toMatchObject({ status: 'would_pay' });
	});
});
