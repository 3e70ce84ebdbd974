import { answered, MINUTE, RequestHarness } from './requestHarness';

describe('the hook before sending', () => {
	test('is called in a slot, before each attempt', async () => {
		const calledAt: number[] = [];
		const harness = new RequestHarness((_, attempt) => answered(attempt === 1 ? 200 : 429), {
			requests: 1,
			windowMs: MINUTE,
		});
		const response = harness.send('nonIdempotent', async () => {
			calledAt.push(harness.clock.now());
			await harness.clock.wait(100);
		});
		await harness.clock.advance();
		await response;
		expect(harness.sentAt).toEqual(calledAt.map((time) => time + 100));
		expect(calledAt).toHaveLength(2);
	});

	test('that throws prevents the request, and its slot stays free', async () => {
		const harness = new RequestHarness(() => answered(200), { requests: 1, windowMs: MINUTE });
		const reason = new Error('Somebody else does it');
		const reject = async (): Promise<void> => await Promise.reject(reason);
		const thrown = await harness.send('nonIdempotent', reject).catch((error: unknown) => error);
		expect([thrown, harness.sentAt]).toEqual([reason, []]);
		await harness.send('nonIdempotent');
		expect(harness.sentAt).toEqual([0]);
	});

	test('during which the execution is stopped prevents the request', async () => {
		const harness = new RequestHarness(() => answered(200));
		const error = await harness
			.send('nonIdempotent', async () => {
				harness.controller.abort();
				await Promise.resolve();
			})
			.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(harness.sentAt).toEqual([]);
	});
});
