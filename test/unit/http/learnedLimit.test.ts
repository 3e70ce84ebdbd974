import { LearnedLimit } from '../../../nodes/PartnerPayments/service/http/learnedLimit';
import { UNLIMITED } from '../../../nodes/PartnerPayments/service/http/rateLimit';

test('a server without a limit that refuses a burst of one moment is asked again', () => {
	const learned = new LearnedLimit();
	for (let request = 0; request < 50; request += 1)
		learned.recordSuccess({ sentAt: 0, order: request }, 0, UNLIMITED);
	for (const order of [50, 51, 52, 53])
		expect(learned.recordRateLimited({ sentAt: 0, order }, 0, UNLIMITED, 0)).toBe(true);
	const { requests, windowMs } = learned.apply(UNLIMITED);
	expect(requests).toBe(47);
	expect(windowMs).toBeGreaterThan(0);
});

test('a refusal when less was let in than is documented is taken for the use by others', () => {
	const learned = new LearnedLimit();
	const stated = { requests: 1000, windowMs: 60_000 };
	const now = 59_000;
	for (let request = 0; request < 59; request += 1) {
		const sentAt = request * 1000;
		learned.recordSuccess({ sentAt, order: request }, sentAt, stated);
	}
	expect(learned.recordRateLimited({ sentAt: now, order: 59 }, now, stated, 1000)).toBe(false);
	expect(learned.apply(stated)).toEqual(stated);
});
