import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { LedgerRecords } from '../../../nodes/PartnerPayments/ledger/protocol/records';
import type { RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { MAX_BEGINNING_MS, SENDING_MS } from '../../../nodes/PartnerPayments/ledger/times';
import { paymentOf } from './ledgerRuns';
import { Project } from './project';

const ORDER = { environment: 'sandbox', fundingId: 'fund-1', depositId: 'dep-1' };
const MARK = 'update get';

/** What a row has, if it is not that of a payout which waits for its deposit. */
type Changes = Partial<RowValues> & { updatedAt?: string };

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

let project: Project;

beforeEach(async () => {
	project = new Project();
	await project.table().locate();
});

afterEach(() => {
	jest.restoreAllMocks();
});

/** Adds a row of the funding for a payout that waits for its deposit, but for the changes. */
function addRow(reference: string, { updatedAt, ...changes }: Changes = {}): void {
	const payment = paymentOf(reference);
	project.addRival(payment, {
		payable_id: payment.payableId ?? '',
		state: 'awaiting_deposit',
		claim: 'earlier',
		funding_id: 'fund-1',
		...changes,
	});
	Object.assign(project.rows.at(-1) ?? {}, updatedAt === undefined ? {} : { updatedAt });
}

/** The link of the deposit, and its beginning with the rows that the funding has by then. */
function linkOf() {
	const records = new LedgerRecords(project.table());
	const link = records.depositLink(ORDER);
	return {
		link,
		begin: async (): Promise<void> => {
			await link.begin(await records.ofFunding(ORDER.environment, ORDER.fundingId));
		},
	};
}

/** A link that has begun. */
async function begunLink() {
	const { link, begin } = linkOf();
	await begin();
	return link;
}

/** The error of a beginning, which must fail. */
async function errorOf(beginning: Promise<void>): Promise<unknown> {
	return await beginning.then(
		() => 'It has begun',
		(error: unknown) => error,
	);
}

/** An error that names IDs, and says what to do. */
const naming = (...ids: string[]): unknown =>
	expect.objectContaining({
		name: 'InputError',
		message: expect.stringMatching(new RegExp(ids.join('.*'), 'su')),
		hint: expect.stringMatching(/\w/u),
	});

/** How often rows were changed. */
const updates = (): number =>
	project.tables.executions.filter((kinds) => kinds.includes('update')).length;

describe('a deposit is linked to a funding', () => {
	test('whose rows all have one mark then, and are funded after the answer', async () => {
		addRow('INV-1');
		addRow('INV-2');

		const link = await begunLink();
		const marked = project.rows.map(({ state, deposit_id: deposit }) => ({ state, deposit }));
		const claims = new Set(project.column('claim'));
		await link.complete();

		expect(link.isRepeat).toBe(false);
		expect(marked).toEqual([
			{ state: 'awaiting_deposit', deposit: 'dep-1' },
			{ state: 'awaiting_deposit', deposit: 'dep-1' },
		]);
		expect(claims.size).toBe(1);
		expect(claims).not.toContain('earlier');
		expect(project.column('state')).toEqual(['funded', 'funded']);
	});

	test('and begins again before its request is sent again', async () => {
		addRow('INV-1');
		const { link, begin } = linkOf();

		await begin();
		await begin();

		expect(link.isRepeat).toBe(false);
		expect(project.column('deposit_id')).toEqual(['dep-1']);
	});

	test('that an earlier run may have linked, when its answer can no longer come', async () => {
		addRow('INV-1', { deposit_id: 'dep-1', updatedAt: ago(SENDING_MS + 1000) });
		const { link, begin } = linkOf();

		await begin();
		await begin();

		expect(link.isRepeat).toBe(true);
		expect(project.column('claim')).not.toContain('earlier');
	});

	test('beside rows of other payables, and of another environment', async () => {
		addRow('INV-1');
		addRow('INV-9', { funding_id: 'fund-9', state: 'paid' });
		addRow('INV-1', { environment: 'production', state: 'paid', claim: 'other' });

		await begunLink();

		expect(project.column('deposit_id')).toEqual(['dep-1', '', '']);
	});

	test('whose payable is unknown, beside others of which it is unknown', async () => {
		addRow('INV-1', { payable_id: '' });
		addRow('INV-9', { payable_id: '', funding_id: 'fund-9', state: 'funded' });

		await begunLink();

		expect(project.column('deposit_id')).toEqual(['dep-1', '']);
	});

	test('after an earlier funding of the payable that a person resolved as not paid', async () => {
		addRow('INV-1', { funding_id: 'fund-0', state: 'not_paid', claim: '' });
		addRow('INV-1');

		await begunLink();

		expect(project.column('deposit_id')).toEqual(['', 'dep-1']);
	});
});

describe('no deposit is linked to a funding', () => {
	test.each<[why: string, changes: Changes, named: string[]]>([
		['that is funded', { state: 'funded' }, ['fund-1', 'INV-2']],
		['that is paid', { state: 'paid', deposit_id: 'dep-0' }, ['fund-1', 'dep-0', 'INV-2', 'paid']],
		['that is resolved as not paid', { state: 'not_paid' }, ['fund-1', 'a person', 'not_paid']],
		['that is resolved as void', { state: 'void' }, ['INV-2', 'a person', 'void']],
		['that is being sent', { state: 'sending' }, ['fund-1', 'INV-2', 'sending']],
		['without an answer', { state: 'unconfirmed' }, ['fund-1', 'INV-2', 'unconfirmed']],
		[
			'with another deposit',
			{ deposit_id: 'dep-0', updatedAt: ago(2 * SENDING_MS) },
			['dep-0', 'fund-1'],
		],
		[
			'with this deposit, whose answer can still come',
			{ deposit_id: 'dep-1', updatedAt: ago(SENDING_MS - 60_000) },
			['fund-1'],
		],
		['of two runs', { claim: 'other' }, ['fund-1']],
	])('%s', async (_, changes, named) => {
		addRow('INV-1');
		addRow('INV-2', changes);
		const { link, begin } = linkOf();

		const error = await errorOf(begin());
		await link.withdraw();
		await link.complete();

		expect(error).toEqual(naming(...named));
		expect(updates()).toBe(0);
	});

	test('whose rows do not say which run has written them', async () => {
		addRow('INV-1', { claim: '' });
		addRow('INV-2', { claim: '' });

		const error = await errorOf(linkOf().begin());

		expect(error).toEqual(naming('fund-1'));
		expect(updates()).toBe(0);
	});

	test('that has no rows', async () => {
		const { link, begin } = linkOf();

		const error = await errorOf(begin());
		await link.complete();

		expect(error).toEqual(naming('fund-1'));
		expect(updates()).toBe(0);
	});

	test('that was paid without a deposit, whose error names none', async () => {
		addRow('INV-1', { state: 'funded' });

		const error = await errorOf(linkOf().begin());

		expect(error).toMatchObject({ message: expect.not.stringContaining('deposit') });
	});
});

describe('no deposit is linked whose payable has another row', () => {
	test.each<[why: string, changes: Changes, named: string[]]>([
		['that is funded', { state: 'funded' }, ['"INV-8"', 'funded', 'fund-2', 'fund-1']],
		['that may be', { state: 'sending', updatedAt: ago(SENDING_MS) }, ['unconfirmed', 'fund-1']],
		['without a reference', { reference: '', state: 'paid' }, ['Payable pay-INV-2', 'fund-2']],
		[
			'without a funding',
			{ funding_id: '', state: 'paid' },
			['paid with another funding', 'fund-1'],
		],
	])('%s', async (_, changes, named) => {
		addRow('INV-1');
		addRow('INV-2');
		addRow('INV-8', { payable_id: 'pay-INV-2', funding_id: 'fund-2', claim: 'other', ...changes });

		const error = await errorOf(linkOf().begin());

		expect(error).toEqual(naming(...named));
	});
});

describe('no deposit is linked when meanwhile', () => {
	test.each<[what: string, act: () => void, named: string[]]>([
		[
			'another run has marked the rows with another deposit',
			() => {
				project.change('earlier', { claim: 'rival', deposit_id: 'dep-2' });
			},
			['dep-2', 'fund-1'],
		],
		[
			'another run has marked the rows with this deposit',
			() => {
				project.change('earlier', { claim: 'rival', deposit_id: 'dep-1' });
			},
			['fund-1'],
		],
		[
			'another run has marked them and taken its mark back',
			() => {
				project.change('earlier', { claim: 'rival' });
			},
			['fund-1'],
		],
		[
			'a person has resolved the payout as not paid',
			() => {
				project.change('earlier', { state: 'not_paid', claim: '' });
			},
			['fund-1', 'INV-1', 'a person', 'not_paid'],
		],
		[
			'an event has said that it is paid',
			() => {
				project.change('earlier', { state: 'paid' });
			},
			['fund-1', 'INV-1', 'paid'],
		],
		[
			'a person has deleted the rows',
			() => {
				project.rows.length = 0;
			},
			['fund-1'],
		],
		[
			'a row of another run has come',
			() => {
				addRow('INV-2', { claim: 'other' });
			},
			['fund-1'],
		],
	])('%s', async (_, act, named) => {
		addRow('INV-1');
		project.beforeNth(MARK, act);

		const error = await errorOf(linkOf().begin());

		expect(error).toEqual(naming(...named));
	});
});

/** The error of a beginning whose mark takes so many milliseconds. */
async function errorAfter(elapsedMs: number): Promise<unknown> {
	addRow('INV-1');
	const begunAt = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(begunAt);
	project.beforeNth(MARK, () => {
		clock.mockReturnValue(begunAt + elapsedMs);
	});
	return await errorOf(linkOf().begin());
}

test('a mark may take five minutes', async () => {
	const error = await errorAfter(MAX_BEGINNING_MS);

	expect(error).toBe('It has begun');
});

test('no deposit is linked when its mark takes longer', async () => {
	const error = await errorAfter(MAX_BEGINNING_MS + 1);

	expect(error).toBeInstanceOf(LedgerError);
	expect(error).toMatchObject({
		message: expect.stringMatching(/\w/u),
		hint: expect.stringMatching(/\w/u),
	});
});

describe('a success is written down', () => {
	test.each<[where: string, changes: Changes]>([
		['that a later run has marked with the same deposit', { claim: 'later' }],
		['that a person has resolved as not paid', { state: 'not_paid', claim: '' }],
		['that a person has resolved as void', { state: 'void', claim: '' }],
	])('into a row %s', async (_, changes) => {
		addRow('INV-1');
		const link = await begunLink();
		Object.assign(project.rows[0] ?? {}, changes);

		await link.complete();

		expect(project.rows).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
	});

	test.each<[where: string, changes: Changes, state: string]>([
		['that is paid', { state: 'paid' }, 'paid'],
		['with another deposit', { deposit_id: 'dep-2' }, 'awaiting_deposit'],
		['of another funding', { funding_id: 'fund-2' }, 'awaiting_deposit'],
		['of another environment', { environment: 'production' }, 'awaiting_deposit'],
	])('but not into a row %s', async (_, changes, state) => {
		addRow('INV-1');
		const link = await begunLink();
		Object.assign(project.rows[0] ?? {}, changes);

		await link.complete();

		expect(project.column('state')).toEqual([state]);
	});
});

describe('after a refusal, the mark', () => {
	test('is withdrawn', async () => {
		addRow('INV-1');
		addRow('INV-2');
		const link = await begunLink();

		await link.withdraw();

		expect(project.rows).toMatchObject([
			{ state: 'awaiting_deposit', deposit_id: '' },
			{ state: 'awaiting_deposit', deposit_id: '' },
		]);
	});

	test('stays if an earlier run may have linked the deposit', async () => {
		addRow('INV-1', { deposit_id: 'dep-1', updatedAt: ago(SENDING_MS + 1000) });
		const link = await begunLink();

		await link.withdraw();

		expect(project.column('deposit_id')).toEqual(['dep-1']);
	});

	test.each<[where: string, changes: Changes]>([
		['that a later run has marked', { claim: 'later' }],
		['that is funded', { state: 'funded' }],
		['of another funding', { funding_id: 'fund-2' }],
		['of another environment', { environment: 'production' }],
	])('stays in a row %s', async (_, changes) => {
		addRow('INV-1');
		const link = await begunLink();
		Object.assign(project.rows[0] ?? {}, changes);

		await link.withdraw();

		expect(project.column('deposit_id')).toEqual(['dep-1']);
	});
});
