const MIN_SPEED = 1 / 8;
const SPEED_STEP = 1 / 100;
/** No answer of the service closes an account for longer without being asked again. */
const PROBE_INTERVAL_MS = 15 * 60_000;

/**
 * How far below its limit an account is used, since other processes may use it as well.
 *
 * At full speed what the limit allows is sent at once. Each 429 halves the speed, down to an eighth, and
 * requests then keep a distance; each request that is let in raises it by a hundredth. Several processes
 * find their shares that way. Only requests that were sent after the latest slow-down count, so that the
 * many answers to one burst do not slow down again and again.
 */
export class AdaptiveThrottle {
	/** Until when the service wants no requests, in milliseconds of the clock. */
	blockedUntil = -Infinity;
	private blockedAt = -Infinity;
	private speed = 1;
	private slowedAt = -Infinity;

	/** A request was let in. `sentAt` is when it was sent, in milliseconds of the clock. */
	recordSuccess(sentAt: number): void {
		if (sentAt > this.slowedAt) this.speed = Math.min(1, this.speed + SPEED_STEP);
		if (sentAt > this.blockedAt) this.blockedUntil = -Infinity;
	}

	/**
	 * A request was answered with 429.
	 *
	 * @param retryAfterMs for how long the service wants no requests, where it said so
	 */
	recordRateLimited(sentAt: number, now: number, retryAfterMs?: number): void {
		this.block(now, retryAfterMs);
		if (sentAt <= this.slowedAt) return;
		this.speed = Math.max(MIN_SPEED, this.speed / 2);
		this.slowedAt = now;
	}

	/** The service wants no requests for so many milliseconds. */
	block(now: number, retryAfterMs = 0): void {
		this.blockedUntil = Math.max(this.blockedUntil, now + retryAfterMs);
		this.blockedAt = now;
	}

	/** When a single request may find out whether the service still wants none. */
	get probeAt(): number {
		return this.blockedAt + PROBE_INTERVAL_MS;
	}

	/**
	 * The earliest time for the next request.
	 *
	 * @param lastSentAt when the latest request was sent
	 * @param gapMs the mean distance of requests at full speed
	 */
	nextAllowedAt(lastSentAt: number, gapMs: number): number {
		const spacedAt = this.speed < 1 ? lastSentAt + gapMs / this.speed : -Infinity;
		return Math.max(this.blockedUntil, spacedAt);
	}
}
