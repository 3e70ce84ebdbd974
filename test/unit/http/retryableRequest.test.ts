import type { AttemptResult } from '../../../nodes/PartnerPayments/api/http/outcome';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import type { Idempotency } from '../../../nodes/PartnerPayments/api/http/message';
import {
	answered,
	MINUTE,
	networkError,
	RequestHarness,
	EVERY_IDEMPOTENCY,
	send,
	sendFailing,
} from './requestHarness';

/** The same for a request whatever its idempotency. */
const always = (expected: object): Record<Idempotency, object> => ({
	safe: expected,
	idempotent: expected,
	nonIdempotent: expected,
});

describe('a request', () => {
	const repeated = { attempts: 5, outcome: 'refused' };
	const unconfirmed = { attempts: 1, outcome: 'unknown' };
	const ambiguous = { safe: repeated, idempotent: repeated, nonIdempotent: unconfirmed };
	const notSent = always({ attempts: 5, outcome: 'notSent' });
	const refused = { attempts: 1, outcome: 'refused' };

	type Row = [what: string, outcome: AttemptResult, expected: Record<Idempotency, object>];

	test.each<Row>([
		['an error of the service', answered(500), ambiguous],
		['a status that leaves it open', answered(302), ambiguous],
		['a closed connection', networkError('ECONNRESET'), ambiguous],
		['no connection', networkError('ECONNREFUSED'), notSent],
		['no such host', networkError('ENOTFOUND'), always({ attempts: 1, outcome: 'notSent' })],
		['status 401', answered(401), always({ ...refused, status: 401 })],
		['status 409', answered(409), always({ ...refused, status: 409 })],
		['status 422', answered(422), always({ ...refused, status: 422 })],
	])(
		'is repeated only where that has no second effect, when it gets %s #repeated-without-second-effect',
		async (_, outcome, expected) => {
			for (const idempotency of EVERY_IDEMPOTENCY) {
				const { error, attempts } = await sendFailing(idempotency, outcome);
				const { outcome: known, status } = error;

				expect({ attempts, outcome: known, status }).toMatchObject(expected[idempotency]);
			}
		},
	);

	test('is repeated after a backoff that doubles, with jitter #backoff', async () => {
		const pauses = await Promise.all(
			Array.from({ length: 20 }, async () => {
				const { sentAt } = (await sendFailing('safe', answered(500))).harness;
				return sentAt.slice(1).map((time, position) => time - (sentAt[position] ?? 0));
			}),
		);

		for (const [first = 0, second = 0, third = 0, fourth = 0] of pauses) {
			[first / 500, second / 1000, third / 2000, fourth / 4000].forEach((jitter) => {
				expect(jitter).toBeGreaterThanOrEqual(0.5);
				expect(jitter).toBeLessThanOrEqual(1.5);
			});
		}

		expect(new Set(pauses.map(([first]) => first)).size).toBeGreaterThan(10);
	});

	test('acquires a slot of the account for each attempt', async () => {
		const harness = new RequestHarness(() => answered(500), { requests: 2, windowMs: MINUTE });

		await harness.settle('safe');

		expect(harness.sentAt.map((time) => Math.floor(time / MINUTE))).toEqual([0, 0, 1, 1, 2]);
	});
});

describe('waiting before a repetition', () => {
	test('counts as waiting for the limit after a 429 alone', async () => {
		const { harness: refused } = await send('safe', answered(429), answered(200));
		const { harness: failed } = await send('safe', answered(500), answered(200));

		expect(refused.waitTimer.elapsedMs).toBe(refused.sentAt[1]);
		expect(failed.sentAt[1]).toBeGreaterThan(0);
		expect(failed.waitTimer.elapsedMs).toBe(0);
	});

	test('counts once for all requests that wait', async () => {
		const limit = { requests: 1, windowMs: MINUTE };
		const harness = new RequestHarness(() => answered(200), limit);
		const sent = [harness.send('safe'), harness.send('safe')];
		await harness.clock.advance(MINUTE / 2);

		await harness.settle('safe');
		await Promise.all(sent);

		expect(harness.waitTimer.elapsedMs).toBe(harness.sentAt.at(-1));
	});

	test('takes as long as the service asks for', async () => {
		const { harness } = await send('safe', answered(429, 5000), answered(200));

		expect(harness.sentAt).toEqual([0, 5000]);
	});

	test('ends after 15 minutes in which the service lets nothing in', async () => {
		const { error, harness } = await sendFailing('nonIdempotent', answered(429, MINUTE));

		expect(harness.sentAt.at(-1)).toBe(16 * MINUTE);
		expect(error).toMatchObject({ outcome: 'notSent', status: 429 });
	});

	test('ends where the service takes no request of the account for longer than anybody waits', async () => {
		const { error, attempts } = await sendFailing('safe', answered(429, 19.2 * MINUTE));

		expect(attempts).toBe(1);
		expect(error).toMatchObject({ failureKind: 'rateLimited', status: 429, outcome: 'notSent' });
		expect(error.message).toContain('20 minutes');
		expect(error.hint).toBe('Run it again after that.');
	});
});

describe('the error of a request', () => {
	test('says how often it was tried', async () => {
		const { error: failed } = await sendFailing('safe', answered(503));
		const { error: unreached } = await sendFailing('nonIdempotent', networkError('ECONNREFUSED'));

		expect(failed.message).toBe(
			'Could not do it: the service answered "No" (status 503), tried 5 times',
		);
		expect(unreached.message).toBe(
			'Could not do it: api.example.com cannot be reached, nothing answers at that address, tried 5 times',
		);
	});

	test.each([401, 403, 409])(
		'of a refusal with status %p does not count the attempts before it',
		async (status) => {
			const { error } = await sendFailing('nonIdempotent', answered(429), answered(status));

			expect(error.message).toBe(`Could not do it: the service answered "No" (status ${status})`);
		},
	);

	test('keeps what an attempt throws', async () => {
		const thrown = new ServiceError({ message: 'No access token', hint: 'Check the credential.' });
		const harness = new RequestHarness((_, attempt) => (attempt === 0 ? answered(500) : thrown));

		expect(await harness.settle('idempotent')).toBe(thrown);
	});
});

describe('a refusal after an attempt without an answer', () => {
	test.each([400, 404, 409, 422])(
		'with %p means that the state is set #refused-repeat-is-done',
		async (status) => {
			for (const before of [answered(500), networkError('ECONNRESET')]) {
				const { result, attempts } = await send('idempotent', before, answered(status));

				expect([result, attempts]).toEqual([{ status, body: {} }, 2]);
			}
		},
	);

	test.each([401, 403])('with %p says nothing of the state', async (status) => {
		const { error } = await sendFailing('idempotent', answered(500), answered(status));

		expect(error).toMatchObject({ status, outcome: 'refused' });
	});

	test.each<[idempotency: Idempotency, before: AttemptResult]>([
		['safe', answered(500)],
		['idempotent', networkError('ECONNREFUSED')],
		['idempotent', answered(429)],
		['nonIdempotent', answered(429)],
	])(
		'is an error where nothing is set, or that was never sent: %s, %j',
		async (idempotency, before) => {
			const { error } = await sendFailing(idempotency, before, answered(409));

			expect(error).toMatchObject({ status: 409, outcome: 'refused' });
		},
	);
});
