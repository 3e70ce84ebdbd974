/** A payout as an item of a workflow asks for it; amounts in cents. */
export interface Wish extends Record<string, unknown> {
	reference: string;
	payee: string;
	amount: number;
}

/** The parameters of a payout whose payee, amount and reference come from the item. */
export const payoutParameters = (workspaceId: string, change: object = {}) => ({
	resource: 'payout',
	operation: 'send',
	workspaceId: { __rl: true, mode: 'id', value: workspaceId },
	payeeEmail: '={{ $json.payee }}',
	amount: '={{ $json.amount }}',
	uniqueReference: '={{ $json.reference }}',
	...change,
});
