import type { Sandbox } from '../../sandbox/client';

/** A payment to be made. Every vendor gets one, so that its wallet tells how often it was paid. */
export interface Payout {
	/** The payout's own name, by which a repetition is known. */
	reference: string;
	/** The vendor. */
	email: string;
	/** Minor units. */
	amount: number;
}

/** How often the wallet holds what the payouts cost, for those who pay twice. */
const SPARE = 5;

/** Payouts with different amounts; the name keeps them apart from others. */
export const makePayouts = (name: string, count: number): Payout[] =>
	Array.from({ length: count }, (_, index) => ({
		reference: `${name}-${index}`,
		email: `${name}-${index}@example.com`,
		amount: 1_000 + (index % 900),
	}));

/** What a workflow is given: each payout with a text for the vendor. */
export const itemsOf = (payouts: Payout[]): object[] =>
	payouts.map((payout) => ({ ...payout, description: `Payment ${payout.reference}` }));

/** Enters the vendors, verified and attached to the workspace, and lets money for them arrive. */
export async function prepare({ control, workspaceId }: Sandbox, payouts: Payout[]): Promise<void> {
	await control.seed({
		vendors: payouts.map(({ email }) => ({
			email,
			status: 'verified',
			workspaceIds: [workspaceId],
		})),
	});
	const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
	await control.deposit(workspaceId, total * SPARE);
}
