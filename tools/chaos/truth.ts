import { setTimeout as delay } from 'node:timers/promises';

import type { Control, LoggedRequest } from '../../sandbox/client';
import type { Payout } from '../payouts/payout';
import { groupedBy } from './group';

/** What really became of a payout, as the sandbox knows it. */
export interface Fate {
	/** Its payables that were paid; more than one is a vendor paid twice. */
	paid: string[];
	/** Its payables that nobody has funded. */
	leftOver: string[];
	/** Whether the vendor's wallet holds exactly what these payables say. */
	isBalanced: boolean;
	/** The fundings that were asked for it, oldest first. */
	fundings: FundingRequest[];
}

/** A funding as it was asked for. */
export interface FundingRequest {
	payableIds: string[];
	/** A fault has kept the answer from whoever asked, whether or not the funding was made. */
	isStruck: boolean;
	/** Whoever asked went away before the answer. */
	isAbandoned: boolean;
	hasTakenEffect: boolean;
}

/** What really happened, as the sandbox knows it. */
export interface Truth {
	/** By the reference of the payout. */
	fates: Map<string, Fate>;
	/** Of the ledger; anything but zero is money made or lost. */
	ledgerSum: number;
	requests: LoggedRequest[];
}

/** Reads what became of payouts; `requests` is the log of all that was asked for them. */
export async function readTruth(
	control: Control,
	payouts: Payout[],
	requests: LoggedRequest[],
): Promise<Truth> {
	const [payables, vendors, ledger] = await Promise.all([
		control.payables(),
		control.vendors(),
		control.ledger(),
	]);
	const balances = new Map(vendors.map(({ email, balance }) => [email, balance]));
	const byVendor = groupedBy(payables, ({ payee_email: email }) => email);
	const fundings = requests
		.filter(({ operationId }) => operationId === 'createFunding')
		.map(fundingRequest);
	const byPayable = groupedBy(
		fundings.flatMap((funding) => funding.payableIds.map((id) => ({ id, funding }))),
		({ id }) => id,
	);
	const fate = ({ email, amount }: Payout): Fate => {
		const own = byVendor.get(email) ?? [];
		const paid = own.filter(({ status }) => status === 'paid').map(({ id }) => id);
		return {
			paid,
			leftOver: own.filter(({ funding_id: funding }) => funding === null).map(({ id }) => id),
			isBalanced: balances.get(email) === paid.length * amount,
			fundings: own.flatMap(({ id }) => (byPayable.get(id) ?? []).map(({ funding }) => funding)),
		};
	};
	return {
		fates: new Map(payouts.map((payout) => [payout.reference, fate(payout)])),
		ledgerSum: ledger.sum,
		requests,
	};
}

function fundingRequest({ body, status, serviceStatus, faults }: LoggedRequest): FundingRequest {
	const ids =
		typeof body === 'object' && body !== null && 'payable_ids' in body ? body.payable_ids : [];
	const isLost = status === null || status >= 500;
	const isFault = faults.some((kind) => kind !== 'latency');
	return {
		payableIds: Array.isArray(ids) ? ids.map(String) : [],
		isStruck: isLost && isFault,
		isAbandoned: isLost && !isFault,
		hasTakenEffect: serviceStatus === 200,
	};
}

const QUIET_MS = 400;

/** Takes the requests out of the sandbox's log, once no more are coming. */
export async function takeRequests(control: Control): Promise<LoggedRequest[]> {
	let requests = await control.requests();
	for (;;) {
		await delay(QUIET_MS);
		const later = await control.requests();
		if (later.length === requests.length) break;
		requests = later;
	}
	requests = await control.requests();
	await control.clearRequests();
	return requests;
}
