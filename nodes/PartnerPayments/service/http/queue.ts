/** First in, first out; an entry can also leave from the middle. Every step takes constant time. */
export class Queue<Entry> {
	private readonly entries = new Map<number, Entry>();
	private first = 0;
	private next = 0;

	get size(): number {
		return this.entries.size;
	}

	/** @returns lets the entry leave before its turn */
	join(entry: Entry): () => void {
		const number = this.next;
		this.next += 1;
		this.entries.set(number, entry);
		return () => this.entries.delete(number);
	}

	/** Takes the entry that waits the longest; undefined when nobody waits. */
	take(): Entry | undefined {
		while (this.first < this.next) {
			const entry = this.entries.get(this.first);
			this.entries.delete(this.first);
			this.first += 1;
			if (entry !== undefined) return entry;
		}
		return undefined;
	}
}
