import type { Store } from './store';

/** A stored setting, or undefined when it was never written. */
export function readSetting(store: Store, name: string): string | undefined {
	const row = store.all<{ value: string }>('SELECT value FROM settings WHERE name = $name', {
		name,
	})[0];
	return row?.value;
}

/** Writes a setting, replacing what stood there. */
export function writeSetting(store: Store, name: string, value: string): void {
	store.run(
		'INSERT INTO settings (name, value) VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value',
		{ name, value },
	);
}
