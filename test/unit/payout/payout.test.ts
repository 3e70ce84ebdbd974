import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import { NODE, request } from './request';

const payoutInProgress = (): Payout => {
	const item = new ItemParameters({} as unknown as IExecuteFunctions, 0, NODE);
	const payout = new Payout({ item, input: request() });
	payout.learn({ state: 'created', facts: { payable_id: 'pay_own' } });
	return payout;
};

test('a payout that another run has taken over names no payable, and is not called unpaid', () => {
	const payout = payoutInProgress();
	payout.endTakenOver();
	const { output, error } = payout.result();
	expect(output?.json).toMatchObject({
		status: 'not_sent',
		unique_reference: 'INV-1',
		payable_id: null,
	});
	expect(error).toMatchObject({
		message:
			'This run sent no payment for it, since another run works on it, and says what comes of it',
		hint: expect.stringContaining('Run it again with the same unique reference, "INV-1"'),
		outcome: 'notDone',
	});
});

test('a payout in doubt names its payable, and says first that it is not to be paid again', () => {
	const payout = payoutInProgress();
	payout.endInDoubt('the funding was sent, and no answer came in time');
	const { output, error } = payout.result();
	expect(output?.json).toMatchObject({ status: 'in_doubt', payable_id: 'pay_own' });
	expect(error).toMatchObject({
		message:
			'In doubt whether it was paid, so do not pay it again: the funding was sent, and no answer came in time',
		outcome: 'unknown',
	});
});
