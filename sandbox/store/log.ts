import { matching } from './listing';
import type { Store } from './store';

const MAX_ENTRIES = 50_000;

/** What an entry is found by. */
interface Keys {
	name?: string | null;
	/** The status of the answer; null without one. */
	status: number | null;
	/** Records that it is about. */
	subjects?: Iterable<string>;
}

/** `4xx` for 404; `none` without an answer. In alphabetical order the worst comes last. */
const classOf = (status: number | null): string =>
	status === null ? 'none' : `${Math.floor(status / 100)}xx`;

/** Keeps the latest entries of one kind in memory, found by name and by the records they mention. */
export class Log<Entry extends { number: number }> {
	private next = 1;

	constructor(
		private readonly store: Store,
		readonly kind: 'request' | 'attempt',
	) {}

	nextNumber(): number {
		const number = this.next;
		this.next += 1;
		return number;
	}

	write(entry: Entry, { name = null, status, subjects = [] }: Keys): void {
		const key = { kind: this.kind, number: entry.number };
		this.store.run(
			`INSERT INTO log.entries VALUES ($kind, $number, $name, $statusClass, $entry)
			ON CONFLICT DO UPDATE SET name = $name, status_class = $statusClass, entry = $entry`,
			{ ...key, name, statusClass: classOf(status), entry: JSON.stringify(entry) },
		);

		for (const subject of subjects) {
			const mention = { ...key, subject };
			this.store.run(
				'INSERT OR IGNORE INTO log.mentions VALUES ($subject, $kind, $number)',
				mention,
			);
		}

		if (entry.number % 1000 === 0) {
			this.forget(entry.number - MAX_ENTRIES);
		}
	}

	/** The entries, oldest first, of one name or about one record. */
	read({ name, subject }: { name?: string | undefined; subject?: string } = {}): Entry[] {
		const columns = { name: 'name', subject: 'mentions.subject' };
		const { conditions, parameters } = matching(columns, { name, subject });
		const mentions = subject === undefined ? '' : 'JOIN log.mentions USING (kind, number)';
		const rows = this.store.all<{ entry: string }>(
			`SELECT entry FROM log.entries ${mentions}
			WHERE kind = $kind AND ${conditions.join(' AND ')} ORDER BY number`,
			{ kind: this.kind, ...parameters },
		);

		return rows.map(({ entry }) => JSON.parse(entry) as Entry);
	}

	find(number: number): Entry | undefined {
		const row = this.store.first<{ entry: string }>(
			'SELECT entry FROM log.entries WHERE kind = $kind AND number = $number',
			{ kind: this.kind, number },
		);

		return row && (JSON.parse(row.entry) as Entry);
	}

	/** Forgets everything. Numbers are not used again, so that an unfinished entry does not overwrite another. */
	clear(): void {
		this.forget(this.next);
	}

	private forget(last: number): void {
		for (const table of ['mentions', 'entries']) {
			const sql = `DELETE FROM log.${table} WHERE kind = $kind AND number <= $last`;
			this.store.run(sql, { kind: this.kind, last });
		}
	}
}
