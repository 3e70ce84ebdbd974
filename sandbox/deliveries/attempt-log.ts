/** One POST to a subscriber as the log keeps it, without body and signature. */
export interface LoggedAttempt {
	number: number;
	/** When it began, on the sandbox's clock. */
	at: string;
	subscriptionId: string;
	url: string;
	/** Deliveries and events that it was about: several in the envelope `list`. */
	deliveryIds: string[];
	eventIds: string[];
	/** Which attempt it was for the first of them, from 1. */
	attempt: number;
	/** What was answered; null without an answer. */
	status: number | null;
	/** Why there was no answer; null when there was one, or when nothing was sent. */
	error: string | null;
	durationMs: number;
	/** Length of the body that was sent. */
	bytes: number;
	/** The kinds of the faults that struck. */
	faults: string[];
}

const MAX_ENTRIES = 50_000;

/** The latest attempts, in memory. */
export class AttemptLog {
	#entries: LoggedAttempt[] = [];
	#next = 1;

	/** Notes an attempt that has just come to its end. */
	add(attempt: Omit<LoggedAttempt, 'number'>): void {
		this.#entries.push({ number: this.#next++, ...attempt });
		if (this.#entries.length > MAX_ENTRIES * 1.2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
	}

	/** The entries in the order in which they ended, of one delivery when it is named. */
	read(deliveryId?: string): LoggedAttempt[] {
		if (deliveryId === undefined) return this.#entries;
		return this.#entries.filter(({ deliveryIds }) => deliveryIds.includes(deliveryId));
	}
}
