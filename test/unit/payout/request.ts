import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';

/** The node, with nothing set. */
export const NODE = { type: 'partnerPayments', parameters: {} };

/** A payout of 1.00 from the balance, remembered in a Data Table, unless told otherwise. */
export const request = (change: Partial<PayoutRequest> = {}): PayoutRequest => ({
	claim: {
		reference: 'INV-1',
		workspaceId: 'w',
		content: '1.00 to ada@example.com from workspace w',
		payee: 'ada@example.com',
		amount: 100,
	},
	payable: { workspace_id: 'w', amount: 100, amount_denomination: 'us_cents', send_invite: false },
	method: 'balance',
	fundingText: {},
	isReferenceShown: true,
	payablesPerFunding: 50,
	maxAmount: Infinity,
	maxTotal: Infinity,
	daily: undefined,
	rememberIn: 'dataTable',
	isBalanceChecked: true,
	isFundedAgain: false,
	...change,
});
