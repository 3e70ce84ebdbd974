import type { BeforeSend } from '../service/http/request';
import type {
	Claim,
	EntryFacts,
	EntryState,
	Ledger,
	LedgerEntry,
	SendingState,
	SettledState,
} from './ledger';

/** Another run has begun, or has taken over, some references of a request. Nothing was sent. */
export class NotBegunError extends Error {
	constructor(readonly entries: Map<Claim, LedgerEntry>) {
		super('Another run has a reference of this request');
	}
}

/** One request that its references allow once: from the first of its attempts on, they have begun. */
export class OnceRequest {
	/** Whether the references have begun, so that the request may have been sent. */
	hasBegun = false;
	/** Whether the ledger was asked to begin, and may have done so without an answer. */
	private hasAsked = false;

	constructor(
		private readonly ledger: Ledger,
		private readonly claims: Claim[],
		private readonly state: SendingState,
	) {}

	/** @throws NotBegunError when another run has a reference; none has begun then */
	readonly beforeSend: BeforeSend = async () => {
		if (this.hasBegun) return;
		this.hasAsked = true;
		const entries = await this.ledger.begin(this.claims, this.state);
		if (entries.size > 0) throw new NotBegunError(entries);
		this.hasBegun = true;
	};

	/**
	 * The request was refused or never sent: a later one may begin. What cannot be kept reads as in
	 * doubt later, never as undone.
	 *
	 * @param state the one that the references came from
	 */
	async reopen(state: EntryState): Promise<void> {
		if (!this.hasAsked) return;
		await this.ledger.reopen(this.claims, state).catch(() => undefined);
	}

	/** The request was answered; says whether that could be kept. */
	async settle(state: SettledState, facts: EntryFacts): Promise<boolean> {
		return await this.ledger.settle(this.claims, state, facts);
	}
}
