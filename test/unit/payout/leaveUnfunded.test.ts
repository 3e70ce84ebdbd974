import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { leaveUnfunded } from '../../../nodes/PartnerPayments/resources/payout/leaveUnfunded';
import { DONE } from './fakeLedger';
import { FakeRun } from './fakeRun';
import { newPayout, payoutOf } from './payouts';

test('each payable that was not funded is left as what its payout has become', async () => {
	const run = new FakeRun();
	const ready = payoutOf('INV-1');
	const repeated = payoutOf('INV-2');
	repeated.apply(DONE);
	const held = payoutOf('INV-3');
	held.apply({ kind: 'held', reason: 'Large', release: { kind: 'afterYes' } });
	const unapproved = newPayout('INV-4');
	unapproved.setCreated('pay-4');

	await leaveUnfunded(run.ledger, [ready, repeated, held, unapproved]);

	expect(run.log).toEqual([
		'leave as surplus: INV-2 INV-4',
		'leave as held: INV-3',
		'leave as prepared: INV-1',
	]);
});

test('what was funded, or may be, is not left for a later run', async () => {
	const run = new FakeRun();
	const funded = payoutOf('INV-1');
	funded.endFunded('funded', { fundingId: 'fund-1' }, true);
	const unconfirmed = payoutOf('INV-2');
	unconfirmed.endSentUnconfirmed('no answer came');

	await leaveUnfunded(run.ledger, [funded, unconfirmed]);

	expect(run.log).toEqual([]);
});

test('a payout without a payable leaves none', async () => {
	const run = new FakeRun();

	await leaveUnfunded(run.ledger, [newPayout('INV-1')]);

	expect(run.log).toEqual([]);
});

test('what the ledger cannot write down keeps nothing else from being written', async () => {
	const run = new FakeRun();
	run.ledger.leave.mockRejectedValueOnce(new LedgerError('It is full', 'Empty it.'));
	const repeated = payoutOf('INV-1');
	repeated.apply(DONE);

	await leaveUnfunded(run.ledger, [repeated, payoutOf('INV-2')]);

	expect(run.log).toEqual(['leave as prepared: INV-2']);
});
