import type {
	Claim,
	EntryFacts,
	Ledger,
	LedgerEntry,
	LedgerKind,
	SendingState,
	SettledState,
} from '../../../nodes/PartnerPayments/ledger/ledger';

/** What a run belongs to. */
export interface RunOptions {
	kind: LedgerKind;
	environment: string;
	/** Runs of one process share what it has in memory; without a name, the run has its own process. */
	process?: string;
}

/** One store, empty at first. */
export interface LedgerStore {
	/** Opens the ledger for one more run. */
	open(options: RunOptions): Ledger | Promise<Ledger>;
}

/** In what stores may differ. */
export interface StoreTraits {
	/** Whether a run in another process sees the IDs, the states before the request, and the content. */
	sharesFacts: boolean;
	/** Whether a run takes a reference over from one that may still be at work in another process. */
	takesOver: boolean;
	/** Whether a payout knows what payables and fundings are there, and they know of payouts. */
	knowsOtherKinds: boolean;
	/** Whether a reference is refused that differs only in capitals from one that is there. */
	refusesOtherCapitals: boolean;
}

/** What a test works with. */
export interface ContractContext {
	traits: StoreTraits;
	/** Opens a run: of payouts in the sandbox, in a process of its own, unless told otherwise. */
	open: (options?: Partial<RunOptions>) => Promise<Ledger>;
}

/** A payment of 250.00 in the first workspace, unless told otherwise. */
export const claimOf = (reference: string, more: Partial<Claim> = {}): Claim => ({
	reference,
	workspaceId: '7f0c9a52-5b0e-4f7e-9f0e-3c1a2b4d5e6f',
	content: '250.00 USD to ada@example.com',
	payee: 'ada@example.com',
	amount: 25_000,
	...more,
});

/** The same reference, for a payment to somebody else. */
export const otherContentOf = (claim: Claim): Claim => ({
	...claim,
	content: '99.00 USD to grace@example.com',
	payee: 'grace@example.com',
	amount: 9_900,
});

/** How a reference stands that nobody has used. */
export const NEW = {
	state: 'claimed',
	facts: {},
	isApprovalUnanswered: false,
	isNew: true,
	isInterrupted: false,
};

/** A payable that was created. */
export const created = (payableId: string): LedgerEntry => ({
	state: 'created',
	facts: { payable_id: payableId },
	isApprovalUnanswered: false,
});

/** A payable that was approved. */
export const approved = (payableId: string): LedgerEntry => ({
	...created(payableId),
	state: 'approved',
});

/** The states that each kind of request goes through, and what is known at the end. */
export const REQUESTS: Array<{
	kind: LedgerKind;
	sending: SendingState;
	settled: SettledState;
	facts: EntryFacts;
}> = [
	{
		kind: 'payout',
		sending: 'funding',
		settled: 'funded',
		facts: { payable_id: 'pay-1', funding_id: 'fund-1' },
	},
	{
		kind: 'payout',
		sending: 'funding',
		settled: 'awaiting_deposit',
		facts: { payable_id: 'pay-1', funding_id: 'fund-1', pdf_url: 'https://example.com/1.pdf' },
	},
	{ kind: 'payable', sending: 'creating', settled: 'created', facts: { payable_id: 'pay-1' } },
	{ kind: 'funding', sending: 'funding', settled: 'funded', facts: { funding_id: 'fund-1' } },
	{
		kind: 'funding',
		sending: 'funding',
		settled: 'awaiting_deposit',
		facts: { funding_id: 'fund-1', pdf_url: 'https://example.com/1.pdf' },
	},
];

/** Whether a run could begin. */
export const begins = async (
	run: Ledger,
	claims: Claim[],
	state: SendingState = 'funding',
): Promise<boolean> => (await run.begin(claims, state)).size === 0;

/** The state in which a run finds references, which all stand for what they stood for. */
export async function statesOf(run: Ledger, claims: Claim[]): Promise<string[]> {
	const entries = await run.claim(claims);
	return entries.map((entry) => (entry instanceof Error ? entry.message : entry.state));
}

/** Of a node that has kept no references by itself. */
export const NO_OWN_REFERENCES = { resolve: async () => await Promise.resolve(new Map()) };
