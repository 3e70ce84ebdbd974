import type { Clock } from '../../nodes/PartnerPayments/service/http/clock';

interface Timer {
	at: number;
	ring: () => void;
}

/** A clock whose time passes as fast as there is nothing left to do at the present moment. */
export class FakeClock implements Clock {
	/** How often somebody has waited. */
	waits = 0;
	private time = 0;
	private timers: Timer[] = [];

	now(): number {
		return this.time;
	}

	async wait(ms: number, signal?: AbortSignal): Promise<void> {
		this.waits += 1;
		signal?.throwIfAborted();
		await new Promise<void>((resolve) => {
			const timer = { at: this.time + Math.max(0, ms), ring: resolve };
			const later = this.timers.findIndex(({ at }) => at > timer.at);
			this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
			signal?.addEventListener('abort', () => {
				this.timers = this.timers.filter((one) => one !== timer);
				resolve();
			});
		});
		signal?.throwIfAborted();
	}

	/** Lets time pass until nobody waits, or until a moment. */
	async pass(until = Infinity): Promise<void> {
		for (;;) {
			await new Promise(setImmediate);
			const [next] = this.timers;
			if (next === undefined || next.at > until) break;
			this.timers.shift();
			this.time = next.at;
			next.ring();
		}
		if (until !== Infinity) this.time = until;
	}
}
