import { systemClock } from '../../../nodes/PartnerPayments/api/http/clock';
import { rejectionOf } from '../support';

test('a wait is never shorter than it should be', async () => {
	const start = systemClock.now();

	await systemClock.wait(20);

	expect(systemClock.now() - start).toBeGreaterThanOrEqual(20);
});

describe('a signal that is aborted', () => {
	const reason = new Error('The execution was cancelled');

	test('ends all waits for it, with its reason', async () => {
		const controller = new AbortController();
		const waits = Array.from({ length: 50 }, () =>
			rejectionOf(systemClock.wait(86_400_000, controller.signal)),
		);

		controller.abort(reason);

		expect(new Set(await Promise.all(waits))).toEqual(new Set([reason]));
	});

	test('ends no wait for another signal', async () => {
		const controller = new AbortController();
		const elsewhere = systemClock.wait(5, new AbortController().signal);

		controller.abort(reason);

		await expect(elsewhere).resolves.toBeUndefined();
	});

	test('lets no wait begin', async () => {
		const wait = systemClock.wait(0, AbortSignal.abort(reason));

		expect(await rejectionOf(wait)).toBe(reason);
	});
});
