import type { Client } from '../../api/client';
import { approvePayable, createPayable } from '../../api/endpoints';
import { isAmbiguous, isConflict, outcomeOf, ServiceError } from '../../api/http/errors';
import { captureResult } from '../../api/http/retryableRequest';
import { verdictOn, type Ledger } from '../../ledger/ledger';
import { groupBy } from '../../shared/lists';
import { sharedPayableError } from '../funding/sendFunding';
import type { FundingRun } from './fundingRun';
import { remainingOf, type Payout } from './payout';

const MAX_CREATIONS = 4;

/**
 * Makes payables for payouts that have none, several at a time. Each is in the ledger before it is
 * approved, and only an approved one can be funded: so none can be paid that the ledger does not know.
 */
export async function prepare(
	client: Client,
	ledger: Ledger,
	payouts: Payout[],
	fundingRun: FundingRun,
): Promise<void> {
	const withoutPayable = payouts.filter(({ payableId }) => payableId === undefined);

	await prepareEach(withoutPayable, fundingRun, async (payout) => {
		await create(client, payout);
	});

	rejectShared(withoutPayable, fundingRun);

	// (0) of docs/contributing/at-most-once.md: a payable is in the ledger before it is approved.
	const created = remainingOf(withoutPayable);
	await recordPayables(ledger, created).catch((error: unknown) => {
		fundingRun.stop('its ledger cannot be used');
		for (const payout of created) {
			payout.end('not_sent', error);
		}
	});

	const recorded = remainingOf(created);
	await prepareEach(recorded, fundingRun, async (payout) => {
		await approve(client, payout);
	});
}

/** Does one step for each payout, all at once. A payout whose step fails ends alone. */
async function prepareEach(
	payouts: Payout[],
	fundingRun: FundingRun,
	step: (payout: Payout) => Promise<void>,
): Promise<void> {
	const steps = payouts.map(async (payout) => {
		await step(payout).catch((error: unknown) => {
			endUnprepared(payout, error, fundingRun);
		});
	});
	await Promise.all(steps);
}

/** Writes payables into the ledger, and ends payouts whose payable somebody funds by its ID. */
async function recordPayables(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const verdicts = await ledger.recordPayables(payouts.map(({ payment }) => payment));
	for (const payout of payouts) {
		payout.apply(verdictOn(payout.payment, verdicts));
	}
}

/** Ends payouts to which the service has given the payable of another one of this run. */
function rejectShared(payouts: Payout[], fundingRun: FundingRun): void {
	const created = remainingOf(payouts);
	for (const sameId of groupBy(created, ({ payableId = '' }) => payableId)) {
		const { payableId = '' } = sameId[0];
		const isShared = sameId.length > 1 || fundingRun.hasCreatedPayable(payableId);
		fundingRun.addCreatedPayable(payableId);
		if (!isShared) {
			continue;
		}
		for (const payout of sameId) {
			payout.dropPayable();
			payout.end('not_sent', sharedPayableError());
		}
	}
}

/** Repeats a creation that may have worked: a payable that is not approved moves no money. */
async function create(client: Client, payout: Payout): Promise<void> {
	for (let creations = 1; ; creations += 1) {
		const result = await captureResult(createPayable(client, payout.request.payableBody));
		if (result.kind === 'succeeded') {
			payout.setCreated(String(result.value.id));
			return;
		}

		const { error } = result;
		const mayHaveWorked = error instanceof ServiceError && error.outcome === 'unknown';
		if (!mayHaveWorked) {
			throw error;
		}
		payout.mayHaveDrafts = true;
		if (creations === MAX_CREATIONS) {
			throw uncreatedError(error);
		}
	}
}

async function approve(client: Client, payout: Payout): Promise<void> {
	const { payableId } = payout;
	if (payableId === undefined) {
		throw new Error(`The payout of "${payout.payment.reference}" has no payable to approve`);
	}
	await approvePayable(client, payableId).catch((error: unknown) => {
		throw error instanceof ServiceError ? unapprovedError(error) : error;
	});
	payout.setApproved();
}

function endUnprepared(payout: Payout, error: unknown, fundingRun: FundingRun): void {
	if (isAmbiguous(error)) {
		fundingRun.stop('the service does not answer');
	}
	// A payable moves no money, whether its creation or its approval had an effect or not.
	const isNotSent = outcomeOf(error) === 'notSent' || isAmbiguous(error);
	payout.end(isNotSent ? 'not_sent' : 'failed', error);
}

/**
 * The error for a payout whose payable may or may not exist. The outcome is that of the payout: no money was
 * sent for it. Where a person must correct something first, as after a 404, it counts as refused.
 */
function uncreatedError({ reason, status, failureKind }: ServiceError): ServiceError {
	return new ServiceError({
		message: `Could not create the payable, tried ${MAX_CREATIONS} times: ${reason}`,
		hint: 'No money has moved. Check the workspace, then run it again with the same unique reference. The service may have drafts of this payable: do not approve or fund them.',
		outcome: failureKind === 'missing' ? 'refused' : 'notSent',
		status,
		failureKind,
	});
}

/** A person who approved and funded it in the service would pay it beside the payable of the next run. */
function unapprovedError(error: ServiceError): ServiceError {
	const advice =
		'No money has moved. Do not approve or fund this payable in the service: the next run makes another one. Correct the cause, then run it again with the same unique reference.';
	// What is said of a conflict, that it may be done already, would send a person to the service.
	return error.reworded({ hint: isConflict(error) ? advice : `${advice} ${error.hint}` });
}
