import { setImmediate } from 'node:timers/promises';
import type { Store } from '../store/store';
import { errorText } from '../shared/errors';

/** Does long work piece by piece. Each piece is one transaction, and requests are answered in between. */
export class Background {
	private last = Promise.resolve();
	private isStopped = false;

	constructor(
		private readonly store: Store,
		private readonly reportError: (text: string) => void,
	) {}

	/** Adds a piece of work, which is done after those before it. */
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

	/** Drops the pieces that have not begun, and waits for the one that has. */
	async stop(): Promise<void> {
		this.isStopped = true;
		await this.idle();
	}
}
