import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import type { Idempotency } from '../../../nodes/PartnerPayments/api/http/message';
import { rejectionOf } from '../support';
import { answered, MINUTE, RequestHarness } from './requestHarness';

const STOPPED = 'Could not do it: the execution was stopped';

describe('an execution that is stopped', () => {
	const stopAfter = async (ms: number, harness: RequestHarness, idempotency: Idempotency) => {
		const result = harness.send(idempotency).catch((error: unknown) => error);
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
			message: STOPPED,
			outcome: 'notSent',
		});

		await harness.clock.advance();

		expect(harness.sentAt).toHaveLength(1);
	});

	test.each([
		[429, 'nonIdempotent'],
		[500, 'idempotent'],
	] as const)('does not continue after a %p', async (status, idempotency) => {
		const harness = new RequestHarness(() => answered(status));

		const error = await stopAfter(100, harness, idempotency);

		expect(error).toMatchObject({
			message: STOPPED,
			outcome: 'notSent',
			hint: expect.stringContaining('that does no harm'),
		});

		await harness.clock.advance();

		expect(harness.sentAt).toHaveLength(1);
	});

	test('sends nothing at all when it was stopped before', async () => {
		const harness = new RequestHarness(() => answered(200));
		harness.controller.abort();

		const error = await harness.send('nonIdempotent').catch((thrown: unknown) => thrown);

		expect(error).toMatchObject({ outcome: 'notSent' });
		expect(harness.sentAt).toEqual([]);
	});
});

const bug = new TypeError('A bug');

test('a request that must not be repeated is unconfirmed, whatever goes wrong once it is on its way', async () => {
	const harness = new RequestHarness(() => bug);

	const error = await rejectionOf(harness.send('nonIdempotent'));

	expect(error).toMatchObject({
		message: 'Unconfirmed whether the request to do it worked: its answer could not be read',
		outcome: 'unknown',
	});
	expect(error).not.toHaveProperty('message', expect.stringContaining('A bug'));
	expect(harness.sentAt).toHaveLength(1);
});

test.each(['safe', 'idempotent'] as const)(
	'a %s request keeps what went wrong',
	async (idempotency) => {
		const harness = new RequestHarness(() => bug);

		expect(await rejectionOf(harness.send(idempotency))).toBe(bug);
	},
);

describe('a request that is sent step by step', () => {
	const limited = { requests: 1, windowMs: MINUTE };

	test('keeps its slot until it is sent, and has another one each time', async () => {
		const harness = new RequestHarness(
			(_, attempt) => answered(attempt === 1 ? 200 : 429),
			limited,
		);

		const request = harness.retryableRequest();
		const refused = request.withSlot(async (send) => await send());
		expect(await rejectionOf(refused)).toMatchObject({ outcome: 'notSent', status: 429 });

		const waiting = request.waitToRetry();
		await harness.clock.advance();

		expect(await waiting).toBe(true);
		const again = request.withSlot(async (send) => await send());
		await harness.clock.advance();
		expect(await again).toMatchObject({ status: 200 });

		expect(harness.sentAt).toHaveLength(2);
	});

	test('releases a slot in which nothing was sent', async () => {
		const harness = new RequestHarness(() => answered(200), limited);
		const request = harness.retryableRequest();
		await request.withSlot(async () => {
			await Promise.resolve();
		});

		await harness.send('nonIdempotent');

		expect(harness.sentAt).toEqual([0]);
	});

	test.each([500, 404, 303])('is not sent again after the status %s', async (status) => {
		const harness = new RequestHarness(() => answered(status));
		const request = harness.retryableRequest();
		const sending = request.withSlot(async (send) => await send());
		expect(await rejectionOf(sending)).toMatchObject({ outcome: 'unknown', status });

		expect(await request.waitToRetry()).toBe(false);
	});

	test('is not sent when the execution was stopped meanwhile, and releases its slot', async () => {
		const harness = new RequestHarness(() => answered(200), limited);
		const request = harness.retryableRequest();
		const sending = request.withSlot(async (send) => {
			harness.controller.abort();
			return await send();
		});
		expect(await rejectionOf(sending)).toMatchObject({ outcome: 'notSent' });

		expect(harness.sentAt).toEqual([]);

		await harness.send('nonIdempotent', { signal: null });

		expect(harness.sentAt).toEqual([0]);
	});
});
