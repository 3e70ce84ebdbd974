import type { References } from '../../ledger/references';
import { isHarmless, ServiceError } from '../../service/http/errors';
import { createFunding, getInvoicePdfUrl, type FundingCreate } from '../../service/api/fundings';
import type { Identified } from '../../service/api/responseReaders';
import type { Service } from '../../service/api/client';
import { DENOMINATION, sum } from '../../shared/money';
import type { Payout } from './payout';

/** The gate of some payouts was found closed: somebody else pays them. Nothing was sent. */
class GateClosed extends Error {}

/**
 * Funds approved payouts of one workspace and method together. This is the one request that moves
 * money, and it is sent once.
 *
 * A funding that the service refuses has moved nothing. Its halves are tried then, so that one
 * payable that cannot be paid does not stop the others.
 */
export async function fund(
	service: Service,
	references: References,
	payouts: Payout[],
): Promise<void> {
	const [first] = payouts;
	if (first === undefined) return;
	const { method, words, payable } = first.order;
	if (method === 'none') return;
	const request: FundingCreate = {
		workspace_id: payable.workspace_id,
		method,
		amount: sum(payouts.map(({ order }) => order.payable.amount)),
		amount_denomination: DENOMINATION,
		...words,
		payable_ids: payouts.flatMap(({ payableId }) => payableId ?? []),
	};
	let hasPassed = false;
	const gate = async (): Promise<void> => {
		if (!hasPassed) await passGate(references, payouts);
		hasPassed = true;
	};
	await createFunding(service, request, gate).then(
		async (funding) => {
			await settle(service, references, payouts, funding);
		},
		async (error: unknown) => {
			if (hasPassed && !isHarmless(error)) {
				for (const payout of payouts)
					payout.endInDoubt(`the funding was sent, and ${reasonOf(error)}`);
				return;
			}
			if (hasPassed) await references.gate.open(namesOf(payouts));
			await fundOthers(service, references, payouts, error);
		},
	);
}

/** @throws GateClosed when some payouts must not be funded; they are over then */
async function passGate(references: References, payouts: Payout[]): Promise<void> {
	const closed = await references.gate.pass(namesOf(payouts));
	if (closed.size === 0) return;
	for (const payout of payouts) {
		const standing = closed.get(payout.order.claim.reference);
		if (standing !== undefined) payout.meetGate(standing);
	}
	await references.gate.open(namesOf(payouts.filter(({ isOver }) => !isOver)));
	throw new GateClosed();
}

/** Goes on after a funding that was not made: without those it cannot be made for, or in halves. */
async function fundOthers(
	service: Service,
	references: References,
	payouts: Payout[],
	error: unknown,
): Promise<void> {
	if (error instanceof GateClosed) {
		await fund(
			service,
			references,
			payouts.filter(({ isOver }) => !isOver),
		);
		return;
	}
	const half = Math.ceil(payouts.length / 2);
	if (half === payouts.length || !(error instanceof ServiceError && error.isRefusal)) {
		for (const payout of payouts) payout.end('failed', error);
		return;
	}
	await fund(service, references, payouts.slice(0, half));
	await fund(service, references, payouts.slice(half));
}

/** Keeps what the funding led to. What cannot be kept reads as in doubt later, never as unpaid. */
async function settle(
	service: Service,
	references: References,
	payouts: Payout[],
	{ id }: Identified,
): Promise<void> {
	const fundingId = String(id);
	const isInvoice = payouts[0]?.order.method === 'invoice';
	const status = isInvoice ? 'awaiting_deposit' : 'funded';
	for (const payout of payouts) {
		payout.reach(status, { funding_id: fundingId });
		payout.end(status);
	}
	await references.gate.settle(namesOf(payouts)).catch(() => undefined);
	if (!isInvoice) return;
	const url = await getInvoicePdfUrl(service, fundingId).catch(() => undefined);
	if (url !== undefined) for (const payout of payouts) payout.reach(status, { pdf_url: url });
}

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : `something went wrong: ${String(error)}`;

const namesOf = (payouts: Payout[]): string[] => payouts.map(({ order }) => order.claim.reference);
