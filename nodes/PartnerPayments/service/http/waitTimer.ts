import type { Clock } from './clock';

/** Measures how long at least one of several things was going on. */
export class Stopwatch {
	private running = 0;
	private startedAt = 0;
	private total = 0;

	constructor(private readonly clock: Clock) {}

	/** Counts the time until a promise settles. */
	async during<Result>(wait: Promise<Result>): Promise<Result> {
		if (this.running === 0) this.startedAt = this.clock.now();
		this.running += 1;
		try {
			return await wait;
		} finally {
			this.running -= 1;
			if (this.running === 0) this.total += this.clock.now() - this.startedAt;
		}
	}

	/** Milliseconds so far. */
	get elapsed(): number {
		return this.total + (this.running > 0 ? this.clock.now() - this.startedAt : 0);
	}
}
