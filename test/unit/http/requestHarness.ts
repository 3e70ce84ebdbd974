import type { AttemptResult } from '../../../nodes/PartnerPayments/api/http/outcome';
import { WaitTimer } from '../../../nodes/PartnerPayments/api/http/clock';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { networkFailure } from '../../../nodes/PartnerPayments/api/http/networkFailure';
import { type RateLimit, RateLimiter } from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import type {
	Idempotency,
	ServiceRequest,
	ServiceResponse,
} from '../../../nodes/PartnerPayments/api/http/message';
import {
	sendWithRetries,
	RetryableRequest,
} from '../../../nodes/PartnerPayments/api/http/retryableRequest';
import { FakeClock } from './fakeClock';

export const MINUTE = 60_000;
const GENEROUS: RateLimit = { requests: 1000, windowMs: MINUTE };

export const EVERY_IDEMPOTENCY: Idempotency[] = ['safe', 'idempotent', 'nonIdempotent'];

export const requestWith = (idempotency: Idempotency): ServiceRequest => ({
	method: 'POST',
	path: '/thing',
	task: 'do it',
	idempotency,
	body: { amount: 1 },
});

export const answered = (status: number, retryAfterMs?: number): AttemptResult => ({
	kind: 'answered',
	status,
	body: { message: 'No' },
	retryAfterMs,
});

export const networkError = (code: string): AttemptResult => ({
	kind: 'unanswered',
	failure: networkFailure({ code }),
});

interface SendOptions {
	/** Cancels the request; null for a request that cannot be cancelled. */
	signal?: AbortSignal | null;
}

const identity = (response: ServiceResponse): ServiceResponse => response;

/** Requests of one account, to a service that answers each attempt as a test says. */
export class RequestHarness {
	readonly clock = new FakeClock();
	readonly waitTimer = new WaitTimer(this.clock);
	readonly controller = new AbortController();
	readonly rateLimiter: RateLimiter;
	/** When attempts were made, in milliseconds of the clock. */
	readonly sentAt: number[] = [];

	constructor(
		private readonly answer: (time: number, attempt: number) => AttemptResult | Error,
		limit = GENEROUS,
	) {
		this.rateLimiter = new RateLimiter(this.clock, limit);
	}

	async send(
		idempotency: Idempotency,
		{ signal = this.controller.signal }: SendOptions = {},
	): Promise<ServiceResponse> {
		const context = this.context(signal ?? undefined);
		return await sendWithRetries(
			new RetryableRequest(requestWith(idempotency), context, this.attempt, identity),
		);
	}

	/** A request with a single effect, to be sent step by step. */
	retryableRequest(): RetryableRequest<ServiceResponse> {
		const context = this.context(this.controller.signal);
		return new RetryableRequest(requestWith('nonIdempotent'), context, this.attempt, identity);
	}

	private context(signal: AbortSignal | undefined) {
		const { clock, waitTimer } = this;
		const rateLimiter = () => this.rateLimiter;

		return { clock, rateLimiter, waitTimer, signal, host: 'api.example.com' };
	}

	private readonly attempt = async (): Promise<AttemptResult> => {
		this.sentAt.push(this.clock.now());
		const result = this.answer(this.clock.now(), this.sentAt.length - 1);
		if (result instanceof Error) {
			throw result;
		}

		return await Promise.resolve(result);
	};

	/** Sends a request, and lets time pass until it has ended; gives what it throws as well. */
	async settle(...request: Parameters<RequestHarness['send']>): Promise<unknown> {
		const result = this.send(...request).catch((error: unknown) => error);
		await this.clock.advance();

		return await result;
	}
}

/** What a request leads to whose attempts have these results; the last one repeats for ever. */
export async function send(idempotency: Idempotency, ...results: AttemptResult[]) {
	const harness = new RequestHarness(
		(_, attempt) => results[attempt] ?? results.at(-1) ?? answered(200),
	);
	const result = await harness.settle(idempotency);

	return { harness, result, attempts: harness.sentAt.length };
}

/** The same for a request that has to fail. */
export async function sendFailing(idempotency: Idempotency, ...results: AttemptResult[]) {
	const { result, ...rest } = await send(idempotency, ...results);
	if (!(result instanceof ServiceError)) {
		throw new Error('It did not fail as it should');
	}

	return { error: result, ...rest };
}
