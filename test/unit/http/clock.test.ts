import { systemClock, WaitTimer } from '../../../nodes/PartnerPayments/api/http/clock';
import { rejectionOf } from '../support';
import { FakeClock } from './fakeClock';

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

describe('the wait timer', () => {
	const start = () => {
		const clock = new FakeClock();
		return { clock, timer: new WaitTimer(clock) };
	};

	test('counts time once in which several wait, also when a shorter wait ends first', async () => {
		const { clock, timer } = start();
		const long = timer.measure(clock.wait(30_000));
		await clock.advance(10_000);
		await timer.measure(Promise.resolve());
		const short = timer.measure(clock.wait(5_000));
		await clock.advance();
		await Promise.all([long, short]);
		expect(timer.elapsedMs).toBe(30_000);
	});

	test('counts a wait that ends with an error', async () => {
		const { clock, timer } = start();
		const failing = timer.measure(
			clock.wait(20_000).then(() => {
				throw new Error('The service wants no requests');
			}),
		);
		const outcome = failing.catch((error: unknown) => error);
		await clock.advance();
		expect(await outcome).toBeInstanceOf(Error);
		expect(timer.elapsedMs).toBe(20_000);
	});
});
