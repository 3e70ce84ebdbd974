import { isRecord } from '../../shared/json';

/** How many deposits that are not listed any more one trigger remembers. */
const MAX_GONE = 1000;

/** What is stored of a tracker that has polled: digests of deposits, with blanks between them. */
interface StoredDeposits {
	scope: string;
	started: string;
	skipped: string;
}

/**
 * The deposits of one workspace that one trigger knows. A deposit is handed to n8n, which starts an
 * execution for it, and counts as started when that execution has begun. What becomes of it in between
 * nobody tells: n8n drops what it was handed when the workflow is published anew or the process ends.
 */
export class DepositTracker {
	private readonly started = new Set<string>();
	/** Those that were there at the first poll; undefined before. */
	private skipped: Set<string> | undefined;
	private handedOver = new Set<string>();
	private poller: object | undefined;

	/** @param scope the environment and the workspace */
	constructor(readonly scope: string) {}

	/**
	 * Begins a poll.
	 *
	 * A poller that n8n still uses has had its deposits taken, which are started then even if their
	 * execution still queues. Those of another poller are handed over again, unless they have started.
	 *
	 * @param poller stands for one activation of the workflow
	 * @param stored what n8n has loaded at that activation
	 */
	begin(poller: object, stored: unknown): void {
		if (poller === this.poller) this.confirm([...this.handedOver]);
		else this.load(stored);
		this.handedOver.clear();
		this.poller = poller;
	}

	/** Whether no other poller has begun since. */
	isPolledBy(poller: object): boolean {
		return poller === this.poller;
	}

	/**
	 * Hands over the deposits that are new.
	 *
	 * @param listed all that are unlinked now
	 * @param includesExisting whether those of the first poll are new as well
	 */
	handOver(listed: string[], includesExisting: boolean): Set<string> {
		const skipped = (this.skipped ??= new Set(listed));
		this.handedOver = new Set(
			listed.filter(
				(digest) => !this.started.has(digest) && (includesExisting || !skipped.has(digest)),
			),
		);
		forgetGone(this.started, listed);
		forgetGone(skipped, listed);
		return this.handedOver;
	}

	/** An execution has begun with these deposits. */
	confirm(digests: string[]): void {
		for (const digest of digests) this.started.add(digest);
	}

	/** What is to be stored; not what a tracker needs before the first poll has told what is there. */
	toStored(): Partial<StoredDeposits> {
		const { scope, started, skipped } = this;
		return {
			scope,
			started: [...started].join(' '),
			...(skipped && { skipped: [...skipped].join(' ') }),
		};
	}

	private load(stored: unknown): void {
		if (!isStored(stored) || stored.scope !== this.scope) return;
		this.confirm(digestsIn(stored.started));
		this.skipped = new Set([...digestsIn(stored.skipped), ...(this.skipped ?? [])]);
	}
}

/** Whether a value is what a tracker has stored. */
const isStored = (value: unknown): value is StoredDeposits =>
	isRecord(value) &&
	[value.scope, value.started, value.skipped].every((text) => typeof text === 'string');

const digestsIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** Forgets those that are gone for longest, and none that is listed. */
function forgetGone(known: Set<string>, listed: string[]): void {
	for (const digest of listed) if (known.delete(digest)) known.add(digest);
	for (const digest of known) {
		if (known.size <= listed.length + MAX_GONE) return;
		known.delete(digest);
	}
}
