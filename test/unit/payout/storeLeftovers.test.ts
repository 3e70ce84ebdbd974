import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { storeLeftovers } from '../../../nodes/PartnerPayments/resources/payout/storeLeftovers';
import { DONE } from './fakeLedger';
import { FakeRun } from './fakeRun';
import { newPayout, payoutOf } from './payouts';

test('each payable that was not funded is stored as what its payout has become', async () => {
	const run = new FakeRun();
	const ready = payoutOf('INV-1');
	const repeated = payoutOf('INV-2');
	repeated.apply(DONE);
	const held = payoutOf('INV-3');
	held.apply({ kind: 'held', reason: 'Large', release: { kind: 'afterYes' } });
	const unapproved = newPayout('INV-4');
	unapproved.setCreated('pay-4');

	await storeLeftovers(run.ledger, [ready, repeated, held, unapproved]);

	expect(run.log).toEqual([
		'store as surplus: INV-2 INV-4',
		'store as held: INV-3',
		'store as prepared: INV-1',
	]);
});

test('what was funded, or may be, is not left for a later run', async () => {
	const run = new FakeRun();
	const funded = payoutOf('INV-1');
	funded.endFunded('funded', { fundingId: 'fund-1' }, true);
	const unconfirmed = payoutOf('INV-2');
	unconfirmed.endUnanswered('no answer came');

	await storeLeftovers(run.ledger, [funded, unconfirmed]);

	expect(run.log).toEqual([]);
});

test('a payout without a payable stores none', async () => {
	const run = new FakeRun();

	await storeLeftovers(run.ledger, [newPayout('INV-1')]);

	expect(run.log).toEqual([]);
});

test('what the ledger cannot write down keeps nothing else from being written', async () => {
	const run = new FakeRun();
	run.ledger.storeLeftover.mockRejectedValueOnce(new LedgerError('It is full', 'Empty it.'));
	const repeated = payoutOf('INV-1');
	repeated.apply(DONE);

	await storeLeftovers(run.ledger, [repeated, payoutOf('INV-2')]);

	expect(run.log).toEqual(['store as prepared: INV-2']);
});
