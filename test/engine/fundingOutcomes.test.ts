import { randomUUID } from 'node:crypto';

import { BEN, CARLA, PAID, rowsIn, startPayoutService } from './payoutService';
import { jsonOf, type Changes } from './support';

const { service, answerFundings, pay } = startPayoutService();

test('of payouts that were sent in one funding, two outcomes are told to the person who resolves #two-outcomes', async () => {
	const project: Changes = { workflowId: randomUUID() };
	const later = { ...project, executionId: '2' };
	const asNotPaid = { ...PAID, outcome: 'notPaid' };
	const other = { ...PAID, uniqueReference: CARLA.reference };
	answerFundings(500);
	await pay([BEN, CARLA], {}, project);

	const first = await service.execute('payout.resolve', asNotPaid, later);
	const second = await service.execute('payout.resolve', other, later);
	const third = await service.execute('payout.resolve', PAID, later);

	expect(first.hints).toEqual([]);
	expect(second.hints).toEqual([expect.stringContaining('"INV-2"')]);
	// The workflow can tell it to whoever has answered.
	expect(second.items[0]?.json['hint']).toBe(second.hints[0]);
	expect(third.hints).toEqual([]);
	expect(third.items[0]?.json).not.toHaveProperty('hint');
});

describe('after one of the payouts of a funding was resolved as paid', () => {
	let project: Changes;
	let later: Changes;

	beforeEach(async () => {
		project = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
		later = { ...project, executionId: '2' };
		answerFundings(500);
		await pay([BEN, CARLA], {}, project);
		await service.execute('payout.resolve', PAID, later);
	});

	test.each([false, true])(
		'the other one is not resolved as not paid, with its whole funding: %p #one-funding-one-outcome',
		async (wholeFunding) => {
			const other = { ...PAID, uniqueReference: CARLA.reference, outcome: 'notPaid', wholeFunding };

			const { items } = await service.execute('payout.resolve', other, later);

			expect(items[0]?.json['error']).toEqual(expect.stringContaining('"INV-2" was sent together'));
			expect(rowsIn(project).map(({ state }) => state)).toEqual(['paid', 'unconfirmed']);
		},
	);

	test('nor is it while the other one waits for the deposit of their invoice', async () => {
		const [first] = rowsIn(project);
		Object.assign(first ?? {}, { state: 'awaiting_deposit', funding_id: 'fund-1' });
		const other = { ...PAID, uniqueReference: CARLA.reference, outcome: 'notPaid' };

		const { items } = await service.execute('payout.resolve', other, later);

		expect(items[0]?.json['error']).toEqual(expect.stringContaining('waits for its deposit'));
	});

	test('the other one can be resolved as void, and the person is told', async () => {
		const other = { ...PAID, uniqueReference: CARLA.reference, outcome: 'void' };

		const { hints } = await service.execute('payout.resolve', other, later);

		expect(hints).toEqual([expect.stringContaining('"INV-2"')]);
	});
});

test('a wrong Not Paid of a whole funding is corrected for the whole funding #corrected-as-a-whole', async () => {
	const project: Changes = { workflowId: randomUUID() };
	answerFundings(500);
	await pay([BEN, CARLA], {}, project);
	const later = { ...project, executionId: '2' };
	const whole = { ...PAID, wholeFunding: true };
	await service.execute('payout.resolve', { ...whole, outcome: 'notPaid' }, later);

	const corrected = await service.execute('payout.resolve', whole, later);

	expect(jsonOf(corrected.items)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
	expect(rowsIn(project).map(({ state }) => state)).toEqual(['paid', 'paid']);
});
