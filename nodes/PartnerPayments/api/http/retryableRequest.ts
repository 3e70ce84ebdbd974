import {
	classifyFailure,
	classifyStatus,
	consequenceOf,
	mayMeanAlreadyDone,
	type AttemptResult,
	type FailureKind,
} from './outcome';
import type { Clock, WaitTimer } from './clock';
import {
	attemptError,
	accountBlockedError,
	cancelledError,
	ServiceError,
	unconfirmedError,
} from './errors';
import {
	AccountBlockedError,
	type RateLimiter,
	type ReleaseSlot,
	type SentRequest,
} from './rateLimiter';
import type { ServiceRequest, ServiceResponse } from './message';

/** For a connection that did not open or broke, and for an error of the service itself. */
const MAX_RETRIES = 4;
const FIRST_BACKOFF_MS = 500;
const RATE_LIMIT_PATIENCE_MS = 15 * 60_000;

/** A request that was sent, and got no answer from which the limit learns. */
const UNANSWERED: SentRequest = {};

export interface RequestContext {
	clock: Clock;
	/** The account's rate limiter, looked up again for each attempt. */
	rateLimiter: () => RateLimiter;
	waitTimer: WaitTimer;
	signal: AbortSignal | undefined;
	host: string;
}

/** Sends a request within the account's limit, and again as the retry policy decides. Reads the answer. */
export async function sendWithRetries<Value>(request: RetryableRequest<Value>): Promise<Value> {
	for (;;) {
		const sent = await request.withSlot(async (send) => {
			const sending = send();
			return await captureResult(sending);
		});
		if (sent.kind === 'succeeded') {
			return sent.value;
		}

		const mayRetry = await request.waitToRetry();
		if (!mayRetry) {
			throw sent.error;
		}
	}
}

/** How an attempt to send a request has ended. */
export type SendResult<Value> =
	{ kind: 'succeeded'; value: Value } | { kind: 'failed'; error: unknown };

export const captureResult = async <Value>(sending: Promise<Value>): Promise<SendResult<Value>> =>
	await sending.then(
		(value) => ({ kind: 'succeeded', value }),
		(error: unknown) => ({ kind: 'failed', error }),
	);

/**
 * A request, step by step: send it in a slot of the account's limit, then wait if it may be sent again.
 * Each step throws ServiceErrors.
 */
export class RetryableRequest<Value> {
	/** Releases the slot that the request has; undefined while it has none. */
	private releaseOwnSlot: ReleaseSlot | undefined;
	private attempts = 0;
	private retries = 0;
	private rateLimitedSince: number | undefined;
	/** Whether an attempt got no clear answer, so that it may have worked. */
	private mayHaveWorked = false;
	/** How long to wait after the last attempt, in milliseconds; undefined when it was the final one. */
	private retryDelayMs: number | undefined;

	/**
	 * @param attempt makes one attempt; what it throws ends the request
	 * @param read reads the success. For an idempotent request it also gets an empty body for a refusal
	 *   that follows an attempt that may have worked: the state is set already then.
	 */
	constructor(
		private readonly request: ServiceRequest,
		private readonly context: RequestContext,
		private readonly attempt: () => Promise<AttemptResult>,
		private readonly read: (response: ServiceResponse) => Value,
	) {}

	/**
	 * Waits for a slot of the account's limit, then does work. The work gets the function that makes one
	 * attempt to send the request, which uses the slot up. A slot that the work has not used is released.
	 */
	async withSlot<Result>(work: (send: () => Promise<Value>) => Promise<Result>): Promise<Result> {
		await this.acquireSlot();
		try {
			return await work(async () => await this.sendInSlot());
		} finally {
			this.releaseSlot();
		}
	}

	/** Waits until the request may be sent again; false if its last attempt was the final one. */
	async waitToRetry(): Promise<boolean> {
		if (this.retryDelayMs === undefined) {
			return false;
		}

		const { clock, signal } = this.context;
		await clock.wait(this.retryDelayMs, signal).catch((error: unknown) => {
			throw this.errorOfWait(error);
		});
		return true;
	}

	/** Waits until the account's limit lets the request in. */
	private async acquireSlot(): Promise<void> {
		const { rateLimiter, waitTimer, signal } = this.context;
		this.releaseOwnSlot = await waitTimer
			.measure(rateLimiter().acquire(signal))
			.catch((error: unknown) => {
				throw this.errorOfWait(error);
			});
	}

	/**
	 * Releases the slot, if the request still has one.
	 *
	 * @param sent the request that used the slot, where one did: the limit learns from its answer
	 */
	private releaseSlot(sent?: SentRequest): void {
		this.releaseOwnSlot?.(sent);
		this.releaseOwnSlot = undefined;
	}

	/** Makes one attempt to send the request, in the slot, and releases that when its answer is there. */
	private async sendInSlot(): Promise<Value> {
		const { signal } = this.context;
		this.retryDelayMs = undefined;
		if (signal?.aborted === true) {
			this.releaseSlot();
			throw cancelledError(this.request);
		}

		this.attempts += 1;
		const result = await this.attempt().catch((error: unknown) => {
			this.releaseSlot(UNANSWERED);
			throw this.errorOfAttempt(error);
		});

		if (result.kind === 'unanswered') {
			this.releaseSlot(UNANSWERED);
			const failureKind = classifyFailure(result.failure);
			this.planRetry(failureKind);
			throw this.errorOf(result, failureKind, this.attempts);
		}

		this.releaseSlot(result);
		const kind = classifyStatus(result.status);
		if (kind === 'success') {
			return this.read(result);
		}
		if (this.isSetAlready(kind)) {
			return this.read({ status: result.status, body: {} });
		}

		// A refusal that is final does not depend on the attempts before it, so they are not told.
		const attempts = this.mayRetry(kind) ? this.attempts : 1;
		this.planRetry(kind);
		throw this.errorOf(result, kind, attempts);
	}

	/** Decides after a failure whether the request may be sent again, and when: `waitToRetry` waits for that. */
	private planRetry(kind: FailureKind): void {
		this.mayHaveWorked ||= kind === 'ambiguous';
		this.retryDelayMs = this.delayAfter(kind);
	}

	/** The error of an attempt that got no success. It is thrown also when the request is sent again. */
	private errorOf(result: AttemptResult, failureKind: FailureKind, attempts: number): ServiceError {
		const { host } = this.context;
		return attemptError(this.request, { host, result, failureKind, attempts });
	}

	/** The service refuses to set a state that an earlier attempt has set after all. */
	private isSetAlready(kind: FailureKind): boolean {
		const mayBeSet = this.mayHaveWorked && this.request.idempotency === 'idempotent';
		return mayBeSet && mayMeanAlreadyDone(kind);
	}

	/** A request that may have reached the service is sent again only when that has no second effect. */
	private mayRetry(kind: FailureKind): boolean {
		return consequenceOf(kind, this.request.idempotency).retry;
	}

	private delayAfter(kind: FailureKind): number | undefined {
		if (!this.mayRetry(kind)) {
			return undefined;
		}

		if (kind === 'rateLimited') {
			const now = this.context.clock.now();
			this.rateLimitedSince ??= now;
			// The rate limiter makes all requests wait.
			return now - this.rateLimitedSince > RATE_LIMIT_PATIENCE_MS ? undefined : 0;
		}

		if (this.retries === MAX_RETRIES) {
			return undefined;
		}

		const backoffMs = FIRST_BACKOFF_MS * 2 ** this.retries;
		this.retries += 1;
		return backoffMs * (0.5 + Math.random());
	}

	/**
	 * The error for what an attempt threw. Whatever went wrong on this side, only an answer shows that
	 * nothing happened.
	 */
	private errorOfAttempt(error: unknown): unknown {
		if (error instanceof ServiceError || this.request.idempotency !== 'nonIdempotent') {
			return error;
		}

		return unconfirmedError(this.request, 'its answer could not be read');
	}

	/**
	 * The error for what a wait threw: the execution was stopped, or the service blocks the account for
	 * too long.
	 */
	private errorOfWait(error: unknown): unknown {
		if (error instanceof AccountBlockedError) {
			return accountBlockedError(this.request, error.forMs);
		}

		return this.context.signal?.aborted === true ? cancelledError(this.request) : error;
	}
}
