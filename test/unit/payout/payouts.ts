import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import type { Rules } from '../../../nodes/PartnerPayments/ledger/ledger';
import { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';

export const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';

/** Rules that forbid and hold nothing. */
export const NO_RULES: Rules = {
	maxTotal: Infinity,
	maxPerDay: Infinity,
	dayStart: '2026-05-01T00:00:00.000Z',
	holdAbove: Infinity,
	holdNewPayees: false,
	holdUnusualTimes: Infinity,
	holdDuplicatesSince: undefined,
};

/** What is asked for a payout of 1.00 to Ada. */
export function requestOf(reference: string, workspaceId = WORKSPACE): PayoutRequest {
	const payment = { reference, workspaceId, payee: 'ada@example.com', amount: 100 };
	const payableBody = {
		workspace_id: workspaceId,
		payee_email: payment.payee,
		amount: payment.amount,
		amount_denomination: 'us_cents' as const,
		description: `[${reference}]`,
	};

	return {
		payment,
		payableBody,
		method: 'balance',
		fundingText: {},
		maxAmount: Infinity,
		rules: NO_RULES,
		isBalanceChecked: false,
	};
}

/** A payout of 1.00 to Ada, unless told otherwise. */
export function newPayout(reference: string, changes: Partial<PayoutRequest> = {}): Payout {
	return new Payout({ ...requestOf(reference), ...changes }, itemAt(0));
}

/** An input item whose parameters were read already. */
export function itemAt(index: number): ItemParameters {
	const node = { type: 'partnerPayments', parameters: {} };
	return new ItemParameters({} as IExecuteFunctions, index, {}, node);
}

/** Such a payout with an approved payable. */
export function payoutOf(reference: string, changes: Partial<PayoutRequest> = {}): Payout {
	const payout = newPayout(reference, changes);
	payout.setCreated(`pay-${reference}`);
	payout.setApproved();
	return payout;
}
