import { LearnedLimit } from '../../../nodes/PartnerPayments/service/http/learnedLimit';
import { UNLIMITED } from '../../../nodes/PartnerPayments/service/http/rateLimit';

test('a server without a limit that refuses a burst of one moment is asked again', () => {
	const learned = new LearnedLimit();
	for (let request = 0; request < 50; request += 1) learned.recordSuccess(0, 0, UNLIMITED);
	expect(learned.recordRateLimited(0, 0, UNLIMITED, 0)).toBe(true);
	const { requests, windowMs } = learned.apply(UNLIMITED, 0);
	expect(requests).toBe(47);
	expect(windowMs).toBeGreaterThan(0);
});
