import { defaultSettings, type Settings } from '../shared/settings';
import type { Store } from './store';

export const readSetting = (store: Store, name: string): string | undefined =>
	store.first<{ value: string }>('SELECT value FROM settings WHERE name = $name', { name })?.value;

export function writeSetting(store: Store, name: string, value: string): void {
	store.run('INSERT OR REPLACE INTO settings (name, value) VALUES ($name, $value)', {
		name,
		value,
	});
}

const CHANGES = 'changes';

/** The settings in force. What was changed while the sandbox ran is part of the stored state. */
export class SettingsInForce {
	private changes: Partial<Settings>;
	private current: Settings;

	/** @param initial what the command line says, which wins over what was stored before */
	constructor(
		private readonly store: Store,
		private readonly initial: Partial<Settings>,
	) {
		this.changes = Object.fromEntries(
			Object.entries(readChanges(store)).filter(([name]) => !(name in initial)),
		);

		this.current = { ...defaultSettings, ...initial, ...this.changes };
	}

	get values(): Settings {
		return this.current;
	}

	change(changes: Partial<Settings>): Settings {
		this.set({ ...this.changes, ...changes });
		return this.current;
	}

	/** Takes the changes that are stored now. */
	reload(): void {
		this.set(readChanges(this.store));
	}

	/** Goes back to what the sandbox was started with. */
	reset(): void {
		this.set({});
	}

	private set(changes: Partial<Settings>): void {
		this.changes = changes;
		this.current = { ...defaultSettings, ...this.initial, ...changes };
		writeSetting(this.store, CHANGES, JSON.stringify(changes));
	}
}

function readChanges(store: Store): Partial<Settings> {
	// Written above, and only there.
	const stored = JSON.parse(readSetting(store, CHANGES) ?? '{}') as Partial<Settings>;
	return Object.fromEntries(Object.entries(stored).filter(([name]) => name in defaultSettings));
}
