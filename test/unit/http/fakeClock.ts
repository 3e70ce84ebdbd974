import type { Clock } from '../../../nodes/PartnerPayments/api/http/clock';

interface Timer {
	at: number;
	callback: () => void;
}

/** A clock for tests: its time advances only when all work of the present moment is over. */
export class FakeClock implements Clock {
	private time = 0;
	private timers: Timer[] = [];

	now(): number {
		return this.time;
	}

	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve) => {
			const timer = { at: this.time + Math.max(0, ms), callback: resolve };
			const later = this.timers.findIndex(({ at }) => at > timer.at);
			this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
			signal?.addEventListener('abort', () => {
				this.timers = this.timers.filter((one) => one !== timer);
				resolve();
			});
		});

		signal?.throwIfAborted();
	}

	/** Advances the time until nothing waits any more, or until a moment. */
	async advance(until = Infinity): Promise<void> {
		for (;;) {
			await new Promise(setImmediate);
			const [next] = this.timers;
			if (next === undefined || next.at > until) {
				break;
			}

			this.timers.shift();
			this.time = next.at;
			next.callback();
		}

		if (until !== Infinity) {
			this.time = until;
		}
	}
}
