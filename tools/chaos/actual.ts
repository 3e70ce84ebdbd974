import { setTimeout as delay } from 'node:timers/promises';

import type { Control, LoggedRequest } from '../../sandbox/client';
import type { PayoutRequest } from '../payouts/payout';
import type { ReportedOutcome } from './reported';
import type { Incident } from './scenarios';

/** The actual outcome of a payout, as the sandbox knows it. */
interface ActualOutcome {
	/** The payable of each payment to its vendor; more than one is a vendor paid twice. */
	paid: string[];
	/** Ids of its payables that are not funded. */
	unfunded: string[];
	/** Whether the vendor's balance is exactly the sum of the paid payables. */
	isBalanced: boolean;
	/** The requests to fund it, oldest first. */
	fundings: FundingRequest[];
}

/** A request to create a funding. */
interface FundingRequest {
	payableIds: string[];
	/** A fault has kept the answer from the client, whether or not the funding was created. */
	isAnswerLost: boolean;
}

/** A payout that was submitted, and what happened during its execution, if anything did. */
export interface Submitted {
	payout: PayoutRequest;
	incident?: Incident;
}

/** One payout: what n8n reported of it, and its actual outcome. */
export interface PayoutResult extends Submitted {
	reported: ReportedOutcome | undefined;
	actual: ActualOutcome;
}

/** What payouts have led to. */
export interface Results {
	results: PayoutResult[];
	/** Zero, unless money was created or lost. */
	ledgerSum: number;
}

/**
 * Reads what payouts have led to.
 *
 * @param reported what was reported last of each, by its reference
 * @param requests the log of all requests for them
 */
export async function readResults(
	control: Control,
	submitted: Submitted[],
	reported: Map<string, ReportedOutcome>,
	requests: LoggedRequest[],
): Promise<Results> {
	const [payables, allocations, vendors, ledger] = await Promise.all([
		control.payables(),
		control.allocations(),
		control.vendors(),
		control.ledger(),
	]);

	const balances = new Map(vendors.map(({ email, balance }) => [email, balance]));
	const paidTo = Map.groupBy(
		allocations.filter(({ status }) => status === 'paid'),
		({ payee }) => payee,
	);

	const byVendor = Map.groupBy(payables, ({ payee_email: email }) => email);
	const fundings = requests
		.filter(({ operationId }) => operationId === 'createFunding')
		.map(fundingRequest);

	const fundingsByPayable = new Map<string, FundingRequest[]>();
	for (const funding of fundings) {
		for (const id of funding.payableIds) {
			const known = fundingsByPayable.get(id) ?? [];
			fundingsByPayable.set(id, [...known, funding]);
		}
	}

	const fundingsOf = (payableId: string): FundingRequest[] =>
		fundingsByPayable.get(payableId) ?? [];

	const outcomeOf = ({ payee, amount }: PayoutRequest): ActualOutcome => {
		const own = byVendor.get(payee) ?? [];
		const paid = (paidTo.get(payee) ?? []).map(({ payableId }) => payableId);
		return {
			paid,
			unfunded: own.filter(({ funding_id: funding }) => funding === null).map(({ id }) => id),
			isBalanced: balances.get(payee) === paid.length * amount,
			fundings: own.flatMap(({ id }) => fundingsOf(id)),
		};
	};

	const results = submitted.map((one) => ({
		...one,
		reported: reported.get(one.payout.reference),
		actual: outcomeOf(one.payout),
	}));

	return { results, ledgerSum: ledger.sum };
}

/** Statuses below 500 that do not say whether the funding was made. */
const UNCLEAR_STATUSES = [303, 408, 499];

function fundingRequest({ body, status, faults }: LoggedRequest): FundingRequest {
	const isLost = status === null || status >= 500 || UNCLEAR_STATUSES.includes(status);
	return {
		payableIds: payableIdsIn(body),
		isAnswerLost: isLost && faults.some((kind) => kind !== 'latency'),
	};
}

function payableIdsIn(body: unknown): string[] {
	if (typeof body !== 'object' || body === null || !('payable_ids' in body)) {
		return [];
	}

	return Array.isArray(body.payable_ids) ? body.payable_ids.map(String) : [];
}

const SETTLE_INTERVAL_MS = 400;

/** Returns and clears the sandbox's request log, once no more requests arrive. */
export async function drainRequests(control: Control): Promise<LoggedRequest[]> {
	let requests = await control.requests();
	for (;;) {
		await delay(SETTLE_INTERVAL_MS);

		const later = await control.requests();
		if (later.length === requests.length) {
			break;
		}

		requests = later;
	}

	requests = await control.requests();
	await control.clearRequests();
	return requests;
}
