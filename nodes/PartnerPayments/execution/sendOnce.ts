import type { IDataObject } from 'n8n-workflow';

import type {
	Claim,
	EntryFacts,
	Ledger,
	LedgerEntry,
	SendingState,
	SettledState,
} from '../ledger/ledger';
import { NotBegunError, OnceRequest } from '../ledger/onceRequest';
import { isNotDone, ServiceError } from '../service/http/errors';
import type { BeforeSend } from '../service/http/request';
import { InputError } from '../shared/inputError';

/** A request that its reference allows once. */
export interface ReferencedRequest {
	claim: Claim;
	sending: SendingState;
	settled: SettledState;
	/** Sends it; calls the hook that it is given directly before the request. */
	send: (beforeSend: BeforeSend) => Promise<IDataObject>;
	/** What the ledger keeps of the answer. */
	factsOf: (answer: IDataObject) => EntryFacts;
	/** What a later run puts out of what was kept. */
	known: (facts: EntryFacts) => IDataObject;
}

/**
 * Sends one request once for a reference.
 *
 * @returns its answer, or what is known of the one that an earlier run got, with `duplicate`
 * @throws InputError when the reference stands for something else
 * @throws ServiceError, in doubt when an earlier run's request was not answered
 * @throws LedgerError when the ledger cannot be used; nothing was sent then
 */
export async function sendOnce(ledger: Ledger, request: ReferencedRequest): Promise<IDataObject> {
	const { claim, known, sending, settled } = request;
	const named = { unique_reference: claim.reference };
	return await ledger.exclusively([claim], async () => {
		const [entry] = await ledger.claim([claim]);
		if (entry instanceof InputError) throw entry;
		if (entry?.state === sending) throw inDoubtError(claim);
		if (entry !== undefined && isSettled(entry, settled))
			return { ...known(entry.facts), ...named, duplicate: true };
		return { ...(await sendClaimed(ledger, request)), ...named };
	});
}

/** A funding by invoice waits for its deposit; it is made all the same. */
const isSettled = ({ state }: LedgerEntry, settled: SettledState): boolean =>
	state === settled || state === 'funded' || state === 'awaiting_deposit';

async function sendClaimed(
	ledger: Ledger,
	{ claim, sending, settled, send, factsOf }: ReferencedRequest,
): Promise<IDataObject> {
	const once = new OnceRequest(ledger, [claim], sending);
	const answer = await send(once.beforeSend).catch(async (error: unknown) => {
		if (isNotDone(error) || !once.hasBegun) await once.reopen('claimed');
		await ledger.finish([claim]).catch(() => undefined);
		throw error instanceof NotBegunError ? otherRunError(claim) : error;
	});
	await once.settle(settled, factsOf(answer));
	return answer;
}

/** The error for a reference whose request an earlier run has sent, without an answer. */
const inDoubtError = ({ reference, content }: Claim): ServiceError =>
	new ServiceError({
		message: `In doubt what came of "${reference}": an earlier run sent its request, or was just about to, and knows no answer`,
		hint: `It may have worked, so it is not sent again. Look in the service for ${content}, or ask its operator. Until somebody knows that it did not work, do not do it in any other way.`,
		outcome: 'unknown',
	});

const otherRunError = ({ reference }: Claim): ServiceError =>
	new ServiceError({
		message: `Another run is at "${reference}" at this moment, and this one sent nothing for it`,
		hint: 'Look at what the other run says of it. Running this again with the same reference does no harm.',
	});
