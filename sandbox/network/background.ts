import { setImmediate } from 'node:timers/promises';
import type { Store } from '../store/store';
import { errorText } from '../shared/errors';

/** Long works, piece by piece: each piece is a transaction, and requests have a turn between two. */
export class Background {
	private last = Promise.resolve();
	private isStopped = false;

	constructor(
		private readonly store: Store,
		private readonly reportError: (text: string) => void,
	) {}

	/** Does a piece after those that were asked for before. */
	readonly later = (work: () => void): void => {
		this.last = this.last.then(async () => {
			await setImmediate();
			if (this.isStopped) {
				return;
			}

			try {
				this.store.transaction(work);
			} catch (error) {
				this.reportError(errorText(error));
			}
		});
	};

	async idle(): Promise<void> {
		let awaited: Promise<void> | undefined;
		while (awaited !== this.last) {
			awaited = this.last;
			await awaited;
		}
	}

	/** Leaves what has not been begun, and waits for the rest. */
	async stop(): Promise<void> {
		this.isStopped = true;
		await this.idle();
	}
}
