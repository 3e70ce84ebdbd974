import { systemClock } from '../../nodes/PartnerPayments/service/http/clock';
import { rejectionOf } from './support';

test('a wait is never shorter than it should be', async () => {
	const start = systemClock.now();
	await systemClock.wait(20);
	expect(systemClock.now() - start).toBeGreaterThanOrEqual(20);
});

test.each([0, -5, -Infinity])('a wait of %p is over at once', async (ms) => {
	await systemClock.wait(ms);
});

test('a wait ends with the reason when it is stopped, for everybody who waits', async () => {
	const stop = new AbortController();
	const reason = new Error('The execution was cancelled');
	const waits = Array.from({ length: 50 }, () =>
		rejectionOf(systemClock.wait(86_400_000, stop.signal)),
	);
	const elsewhere = systemClock.wait(5, new AbortController().signal);
	stop.abort(reason);
	expect(new Set(await Promise.all(waits))).toEqual(new Set([reason]));
	expect(await rejectionOf(systemClock.wait(0, stop.signal))).toBe(reason);
	await elsewhere;
});
