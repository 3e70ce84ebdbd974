import type { Claim, ClaimedEntry, EntryState } from '../../../nodes/PartnerPayments/ledger/ledger';
import { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import { statesOf } from '../ledger/ledgerContract-support';
import { FakeTable } from './fakeTable';
import { requestOf } from './payouts';

const claimOf = (reference: string): Claim => requestOf(reference).claim;

const entryOf = (state: EntryState): ClaimedEntry => ({
	state,
	facts: { payable_id: 'pay-1', funding_id: 'fund-1' },
	isApprovalUnanswered: false,
	isOutsideTable: true,
	isNew: false,
	isInterrupted: false,
});

/** A run of a node that has sent references by itself before. */
const openAfter = (table: FakeTable, sent: Record<string, ClaimedEntry | InputError>) =>
	table.open({
		own: {
			resolve: async (claims) => {
				const known = claims.flatMap((claim) => {
					const entry = sent[claim.reference];
					return entry === undefined ? [] : [[claim, entry] as const];
				});
				return await Promise.resolve(new Map(known));
			},
		},
	});

describe('what a node has sent by itself before', () => {
	test('is in the table for others once it was met again, when it was settled', async () => {
		const table = new FakeTable();
		const sent = { paid: entryOf('funded'), owed: entryOf('awaiting_deposit') };
		const claims = ['paid', 'owed'].map(claimOf);
		for (let times = 0; times < 2; times += 1)
			expect(await openAfter(table, sent).claim(claims)).toEqual([sent.paid, sent.owed]);
		expect(table.row('paid')).toMatchObject({
			state: 'funded',
			payable_id: 'pay-1',
			funding_id: 'fund-1',
			run: '',
		});
		expect(await statesOf(table.open(), claims)).toEqual(['funded', 'awaiting_deposit']);
	});

	test('is not entered while it is in doubt, or stands for something else', async () => {
		const table = new FakeTable();
		const sent = { unclear: entryOf('funding'), other: new InputError('It is another one', '') };
		const claims = ['unclear', 'other'].map(claimOf);
		expect(await openAfter(table, sent).claim(claims)).toEqual([sent.unclear, sent.other]);
		expect(table.rows).toEqual([]);
	});

	test('stays in the table as it is there, and is not sent again', async () => {
		const table = new FakeTable();
		await table.open().claim([claimOf('paid')]);
		const before = { ...table.row('paid') };
		const sent = { paid: entryOf('funded') };
		expect(await openAfter(table, sent).claim([claimOf('paid')])).toEqual([sent.paid]);
		expect(table.row('paid')).toEqual(before);
	});
});
