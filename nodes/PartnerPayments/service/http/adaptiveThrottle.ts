const SLOWEST = 1 / 8;
const FASTER_BY = 1 / 100;

/**
 * How far below its limit an account is used, since other processes may use it as well.
 *
 * Full speed knows no gaps: what the limit allows goes out at once. Each 429 halves the speed, down to
 * an eighth, and requests then keep a distance, as if the limit were so much lower; each request that
 * is not refused makes it faster by a hundredth of full speed. Several processes find their shares that
 * way. Only requests that were sent after the latest change for the worse count, so that the many
 * answers to one burst do not slow down again and again. No request goes out before the time that the
 * service named with a 429 is over.
 */
export class Slowdown {
	private speed = 1;
	private slowedAt = -Infinity;
	private closedUntil = -Infinity;

	/** Another request was taken. `sentAt` is when it left, in milliseconds of the clock. */
	accepted(sentAt: number): void {
		if (sentAt > this.slowedAt) this.speed = Math.min(1, this.speed + FASTER_BY);
	}

	/**
	 * A request was answered with 429.
	 *
	 * @param retryAfterMs how long the service wants to be left alone, where it said so
	 */
	refused(sentAt: number, now: number, retryAfterMs = 0): void {
		this.closedUntil = Math.max(this.closedUntil, now + retryAfterMs);
		if (sentAt <= this.slowedAt) return;
		this.speed = Math.max(SLOWEST, this.speed / 2);
		this.slowedAt = now;
	}

	/**
	 * The earliest time for the next request.
	 *
	 * @param lastSentAt when the latest request left
	 * @param gapMs the mean distance of requests at full speed
	 */
	opensAt(lastSentAt: number, gapMs: number): number {
		return Math.max(this.closedUntil, this.speed < 1 ? lastSentAt + gapMs / this.speed : -Infinity);
	}

	/** Until when the service wants to be left alone. */
	get closed(): number {
		return this.closedUntil;
	}
}
