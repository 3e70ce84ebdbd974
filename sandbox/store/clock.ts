import type { Store } from './store';
import { readSetting, writeSetting } from './settingsInForce';

const OFFSET = 'clock_offset_ms';

/** Real time plus an offset that the control API can grow; it is part of the stored state. */
export class Clock {
	private offset: number;
	private readonly listeners: (() => void)[] = [];

	constructor(private readonly store: Store) {
		this.offset = Number(readSetting(store, OFFSET) ?? '0');
	}

	nowMs(): number {
		return Date.now() + this.offset;
	}

	iso(): string {
		return new Date(this.nowMs()).toISOString();
	}

	get offsetSeconds(): number {
		return this.offset / 1000;
	}

	advance(seconds: number): void {
		this.set(this.offset + Math.round(seconds * 1000));
	}

	reset(): void {
		this.set(0);
	}

	/** Calls back whenever the time has jumped, since timers do not notice. */
	onJump(listener: () => void): void {
		this.listeners.push(listener);
	}

	private set(offset: number): void {
		this.offset = offset;
		writeSetting(this.store, OFFSET, String(offset));

		for (const listener of this.listeners) {
			listener();
		}
	}
}
