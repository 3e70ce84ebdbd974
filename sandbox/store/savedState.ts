import { createHash } from 'node:crypto';
import { unprocessable } from '../shared/errors';
import { object, text } from '../shared/jsonSchema';
import { SCHEMA_VERSION, tables } from './schema';
import type { Row, Store } from './store';

/** Settings that belong to the sandbox and not to the state: tokens are signed with the same key as before. */
const OWN_SETTINGS = ['signing_key'];

/** The state of a sandbox in one document: every record, the clock and the settings that were changed. */
export interface SavedState {
	version: number;
	savedAt: string;
	/** SHA-256 of the tables: a document that was changed by hand could hold anything. */
	digest: string;
	tables: Record<string, Row[]>;
}

const rows = { type: 'array', items: { type: 'object' } } as const;

export const savedStateSchema = object(
	{
		version: { type: 'integer' },
		savedAt: text,
		digest: text,
		tables: { type: 'object', additionalProperties: rows },
	},
	['version', 'savedAt', 'digest', 'tables'],
);

const digestOf = (saved: SavedState['tables']): string =>
	createHash('sha256').update(JSON.stringify(saved)).digest('hex');

export function saveState(store: Store, savedAt: string): SavedState {
	const saved: SavedState['tables'] = {};
	for (const table of tables) {
		saved[table] = store.all(`SELECT * FROM ${table} ORDER BY rowid`);
	}

	saved['settings'] = store
		.all<{ name: string; value: string }>('SELECT name, value FROM settings ORDER BY name')
		.filter(({ name }) => !OWN_SETTINGS.includes(name));

	return { version: SCHEMA_VERSION, savedAt, digest: digestOf(saved), tables: saved };
}

/**
 * Replaces everything by a saved state, in the transaction in progress.
 * @throws HttpError 422 when another version has saved it, or when it is not as it was saved
 */
export function loadState(store: Store, { version, digest, tables: saved }: SavedState): void {
	if (version !== SCHEMA_VERSION) {
		throw unprocessable(
			'other_version',
			`The state has the version ${version}, and this sandbox needs ${SCHEMA_VERSION}.`,
		);
	}

	if (digestOf(saved) !== digest) {
		throw unprocessable('state_changed', 'The state is not as a sandbox has exported it.');
	}

	store.clear();
	for (const table of tables) {
		insertAll(store, table, saved[table] ?? []);
	}

	const kept = OWN_SETTINGS.map((name) => `'${name}'`).join(', ');
	store.run(`DELETE FROM settings WHERE name NOT IN (${kept})`);
	insertAll(store, 'settings', saved['settings'] ?? []);
}

function insertAll(store: Store, table: string, saved: Row[]): void {
	for (const row of saved) {
		store.insert(table, row);
	}
}

export interface SnapshotView {
	name: string;
	takenAt: string;
}

/** Keeps the state under a name; a snapshot of the same name is replaced. */
export function takeSnapshot(store: Store, name: string, takenAt: string): SnapshotView {
	store.run(
		'INSERT OR REPLACE INTO snapshots (name, taken_at, state) VALUES ($name, $takenAt, $state)',
		{ name, takenAt, state: JSON.stringify(saveState(store, takenAt)) },
	);

	return { name, takenAt };
}

export const allSnapshots = (store: Store): SnapshotView[] =>
	store.all<{ name: string; takenAt: string }>(
		'SELECT name, taken_at AS takenAt FROM snapshots ORDER BY name',
	);

/** The state under a name; undefined when there is none. */
export function findSnapshot(store: Store, name: string): SavedState | undefined {
	const sql = 'SELECT state FROM snapshots WHERE name = $name';
	const row = store.first<{ state: string }>(sql, { name });
	// Written above, and only there.
	return row && (JSON.parse(row.state) as SavedState);
}

/** Forgets a snapshot; answers whether there was one. */
export const removeSnapshot = (store: Store, name: string): boolean =>
	store.run('DELETE FROM snapshots WHERE name = $name', { name }) > 0;
