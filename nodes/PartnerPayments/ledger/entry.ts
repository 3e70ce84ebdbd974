import type { IDataObject } from 'n8n-workflow';

/**
 * How far a unique reference has come: `claimed → created → approved → funding → funded` or
 * `awaiting_deposit`. `funding` means that the request which must not be repeated was sent, or was
 * about to be; an entry that stays there is in doubt.
 * A payable or a funding that was created with a reference of its own is `funded` when it was made.
 */
export type EntryState =
	'claimed' | 'created' | 'approved' | 'funding' | 'funded' | 'awaiting_deposit';

/** A reference and what it stands for. */
export interface Claim {
	reference: string;
	/** What is paid to whom, as text. The same text means the same payment. */
	content: string;
}

/** What is known of a reference. */
export interface LedgerEntry {
	state: EntryState;
	/** What the operation puts out for it. */
	facts: IDataObject;
	/** Whether the approval was sent and not answered. */
	isApprovalUnanswered?: boolean;
}
