import { conflict, unprocessable } from '../shared/errors';
import { readSetting, writeSetting } from './settingsInForce';
import type { Store } from './store';

const OFFSET = 'clock_offset_ms';
const FROZEN = 'clock_frozen_ms';

/** Times are compared as text, which has four digits for the year. */
const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');

/** The clock runs with an offset to real time, or stands still at a moment; times are milliseconds. */
type Time = { kind: 'running'; offset: number } | { kind: 'frozen'; at: number };

/**
 * The sandbox's time, which is part of the stored state. A clock that runs goes forward only, so that
 * what happens later has a later time; one that was frozen can be set to any moment.
 */
export class Clock {
	private time: Time;
	private readonly listeners: (() => void)[] = [];

	constructor(private readonly store: Store) {
		this.time = readTime(store);
	}

	nowMs(): number {
		return this.time.kind === 'frozen' ? this.time.at : Date.now() + this.time.offset;
	}

	iso(): string {
		return new Date(this.nowMs()).toISOString();
	}

	get offsetSeconds(): number {
		const { time } = this;
		const offset = time.kind === 'frozen' ? time.at - Date.now() : time.offset;
		return offset / 1000;
	}

	get isFrozen(): boolean {
		return this.time.kind === 'frozen';
	}

	/** @throws HttpError 422 when it would leave the years that can be told */
	advance(seconds: number): void {
		this.moveTo(this.nowMs() + Math.round(seconds * 1000));
	}

	/** Sets the time. @throws HttpError 409 when a clock that runs would go back, 422 as `advance` */
	set(at: number): void {
		if (at < this.nowMs() && !this.isFrozen) {
			throw conflict('clock_runs', 'A clock that runs does not go back. Freeze it first.');
		}

		this.moveTo(at);
	}

	/** Stands still from now on, until it is resumed. */
	freeze(): void {
		this.change({ kind: 'frozen', at: this.nowMs() });
	}

	/** Runs on from the moment at which it stands. */
	resume(): void {
		this.change({ kind: 'running', offset: this.nowMs() - Date.now() });
	}

	reset(): void {
		this.change({ kind: 'running', offset: 0 });
	}

	/** Takes the time that is stored now. */
	reload(): void {
		this.change(readTime(this.store));
	}

	/** Calls back whenever the time has jumped, since timers do not notice. */
	onJump(listener: () => void): void {
		this.listeners.push(listener);
	}

	private moveTo(at: number): void {
		if (at < EARLIEST || at > LATEST) {
			throw unprocessable('time_out_of_range', 'The clock goes from 1970 to 9999.');
		}

		this.change(
			this.isFrozen ? { kind: 'frozen', at } : { kind: 'running', offset: at - Date.now() },
		);
	}

	private change(time: Time): void {
		this.time = time;
		writeSetting(this.store, OFFSET, String(time.kind === 'running' ? time.offset : 0));
		writeSetting(this.store, FROZEN, time.kind === 'frozen' ? String(time.at) : '');

		for (const listener of this.listeners) {
			listener();
		}
	}
}

function readTime(store: Store): Time {
	const frozen = readSetting(store, FROZEN) ?? '';
	return frozen === ''
		? { kind: 'running', offset: Number(readSetting(store, OFFSET) ?? '0') }
		: { kind: 'frozen', at: Number(frozen) };
}
