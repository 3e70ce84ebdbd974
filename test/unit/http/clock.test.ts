import { systemClock } from '../../../nodes/PartnerPayments/api/http/clock';
import { rejectionOf } from '../support';

test('a wait is never shorter than it should be', async () => {
	const start = systemClock.now();

	await systemClock.wait(20);

	expect(systemClock.now() - start).toBeGreaterThanOrEqual(20);
});

test('a wait ends with the reason of its signal, for all who wait for the same signal', async () => {
	const controller = new AbortController();
	const reason = new Error('The execution was cancelled');
	const waits = Array.from({ length: 50 }, () =>
		rejectionOf(systemClock.wait(86_400_000, controller.signal)),
	);
	const elsewhere = systemClock.wait(5, new AbortController().signal);
	controller.abort(reason);

	expect(new Set(await Promise.all(waits))).toEqual(new Set([reason]));
	expect(await rejectionOf(systemClock.wait(0, controller.signal))).toBe(reason);

	await elsewhere;
});
