import type { BeforeSend } from '../service/http/request';
import type { Claim, EntryFacts, EntryState, Ledger, SendingState, SettledState } from './ledger';

/**
 * Another run has begun, or has taken over, some references of a request, or a person has settled them.
 * Nothing was sent, or nothing was let in that was sent.
 */
export class NotBegunError extends Error {
	constructor() {
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

	/**
	 * The references begin with the first attempt. A later one follows when the service has not let that
	 * one in, maybe after many minutes, in which somebody may have settled them by hand.
	 *
	 * @throws NotBegunError when another run has a reference; nothing is on its way then
	 */
	readonly beforeSend: BeforeSend = async () => {
		const isRepeated = this.hasBegun;
		this.hasAsked = true;
		this.hasBegun = false;
		const entries = isRepeated
			? await this.ledger.beginAgain(this.claims, this.state)
			: await this.ledger.begin(this.claims, this.state);
		if (entries.size > 0) throw new NotBegunError();
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
