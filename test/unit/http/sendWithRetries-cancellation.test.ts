import { ServiceError } from '../../../nodes/PartnerPayments/service/http/errors';
import type { Semantics } from '../../../nodes/PartnerPayments/service/http/request';
import { rejectionOf } from '../support';
import { answered, MINUTE, RequestHarness } from './requestHarness';

describe('an execution that is stopped', () => {
	const stopAfter = async (ms: number, harness: RequestHarness, semantics: Semantics) => {
		const result = harness.send(semantics).catch((error: unknown) => error);
		await harness.clock.advance(ms);
		harness.controller.abort(new Error('cancelled'));
		return await result;
	};

	test('sends nothing that waits for a slot', async () => {
		const harness = new RequestHarness(() => answered(200), { requests: 1, windowMs: MINUTE });
		await harness.send('safe');
		const error = await stopAfter(1000, harness, 'nonIdempotent');
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'Could not do it: the execution was stopped, and this request was not sent',
			outcome: 'notDone',
			isUnanswered: false,
		});
		await harness.clock.advance();
		expect(harness.sentAt).toHaveLength(1);
	});

	test.each([
		[429, 'nonIdempotent', false],
		[500, 'idempotent', true],
	] as const)('does not go on after a %p', async (status, semantics, isUnanswered) => {
		const harness = new RequestHarness(() => answered(status));
		const error = await stopAfter(100, harness, semantics);
		expect(error).toMatchObject({
			message: expect.stringContaining('the execution was stopped'),
			outcome: 'notDone',
			isUnanswered,
		});
		expect(error).toHaveProperty(
			'hint',
			expect.stringContaining(isUnanswered ? 'may have worked' : 'Run it again'),
		);
		await harness.clock.advance();
		expect(harness.sentAt).toHaveLength(1);
	});

	test('sends nothing at all when it was stopped before', async () => {
		const harness = new RequestHarness(() => answered(200));
		harness.controller.abort();
		const error = await harness.send('nonIdempotent').catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(harness.sentAt).toEqual([]);
	});

	test('does not hide what the hook before sending throws', async () => {
		const thrown = new Error('A bug', { cause: 'another' });
		const harness = new RequestHarness(() => answered(200));
		const beforeSend = async (): Promise<void> => {
			harness.controller.abort();
			await Promise.reject(thrown);
		};
		expect(await rejectionOf(harness.send('safe', { beforeSend }))).toBe(thrown);
		expect(harness.sentAt).toEqual([]);
	});

	test('does not hide what an attempt throws that has begun', async () => {
		const thrown = new Error('A bug');
		const harness: RequestHarness = new RequestHarness(() => {
			harness.controller.abort();
			return thrown;
		});
		expect(await rejectionOf(harness.send('safe'))).toBe(thrown);
	});

	test('while a request is in flight does not say that it was not sent', async () => {
		const reason = new Error('cancelled');
		const harness = new RequestHarness(() => {
			harness.controller.abort(reason);
			return reason;
		});
		expect(await rejectionOf(harness.send('nonIdempotent'))).toMatchObject({ outcome: 'unknown' });
	});

	test('does not repeat an unanswered request, and says so', async () => {
		const error = await stopAfter(100, new RequestHarness(() => answered(500)), 'idempotent');
		expect(error).toHaveProperty(
			'message',
			'Could not do it: the execution was stopped, and this request was not sent again',
		);
	});
});

describe('an execution that cannot be stopped', () => {
	test('sends its requests', async () => {
		const harness = new RequestHarness(() => answered(200));
		expect(await harness.send('safe', { signal: null })).toMatchObject({ status: 200 });
	});

	test('keeps what an attempt throws', async () => {
		const thrown = new Error('A bug');
		const harness = new RequestHarness(() => thrown);
		expect(await rejectionOf(harness.send('safe', { signal: null }))).toBe(thrown);
	});
});
