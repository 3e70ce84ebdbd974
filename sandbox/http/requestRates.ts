/** How a request has ended: answered, refused with 4xx, or failed with 5xx or without an answer. */
export type Outcome = 'answered' | 'refused' | 'failed';

export type Counts = Record<Outcome, number>;

export interface Minute extends Counts {
	/** How many minutes ago it began; 0 is the present one. */
	ago: number;
}

const MS = 60_000;
const KEPT_MINUTES = 60;

export const outcomeOf = (status: number | null): Outcome => {
	if (status === null || status >= 500) {
		return 'failed';
	}

	return status >= 400 ? 'refused' : 'answered';
};

/** How many requests ended how in each of the last minutes of real time, whatever the sandbox's clock does. */
export class RequestRates {
	private readonly minutes = new Map<number, Counts>();

	/** @returns what takes it back */
	count(outcome: Outcome): () => void {
		const minute = Math.floor(Date.now() / MS);
		let counts = this.minutes.get(minute);
		if (counts === undefined) {
			counts = { answered: 0, refused: 0, failed: 0 };
			this.minutes.set(minute, counts);
			this.forgetBefore(minute - KEPT_MINUTES);
		}

		const counted = counts;
		counted[outcome] += 1;
		return () => {
			counted[outcome] -= 1;
		};
	}

	/** The last minutes, oldest first. */
	last(length: number): Minute[] {
		const now = Math.floor(Date.now() / MS);
		return Array.from({ length }, (_, index) => {
			const ago = length - 1 - index;
			const counts = this.minutes.get(now - ago) ?? { answered: 0, refused: 0, failed: 0 };
			return { ago, ...counts };
		});
	}

	clear(): void {
		this.minutes.clear();
	}

	private forgetBefore(minute: number): void {
		for (const each of this.minutes.keys()) {
			if (each < minute) {
				this.minutes.delete(each);
			}
		}
	}
}
