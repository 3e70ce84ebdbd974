import type { IDataObject } from 'n8n-workflow';

import {
	isSending,
	reasonOfDoubt,
	type Claim,
	type EntryFacts,
	type Ledger,
	type LedgerEntry,
	type SendingState,
	type SettledState,
} from '../ledger/ledger';
import { NotBegunError, OnceRequest } from '../ledger/onceRequest';
import type { Identified } from '../service/api/responseReaders';
import { isInDoubt, isNotDone, ServiceError } from '../service/http/errors';
import type { BeforeSend } from '../service/http/request';
import { InputError } from '../shared/inputError';

/** A request that its reference allows once. */
interface ReferencedRequest {
	claim: Claim;
	sending: SendingState;
	settled: SettledState;
	/** Sends it; calls the hook that it is given directly before the request. */
	send: (beforeSend: BeforeSend) => Promise<Identified>;
	/** What the ledger keeps of the answer. */
	factsOf: (answer: Identified) => EntryFacts;
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
	const { claim, known, settled } = request;
	const named = { unique_reference: claim.reference };
	return await ledger.exclusively([claim], async () => {
		const [entry] = await ledger.claim([claim]);
		if (entry instanceof InputError) throw entry;
		if (entry !== undefined && isSending(entry.state)) throw inDoubtError(request, entry);
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
		if (error instanceof NotBegunError) throw otherRunError(claim);
		if (!isInDoubt(error)) throw error;
		throw new ServiceError({ ...error.options, hint: inDoubtHint(claim, sending) });
	});
	await once.settle(settled, factsOf(answer));
	return answer;
}

/** The error for a reference whose request may have been sent, without an answer. */
const inDoubtError = ({ claim, sending }: ReferencedRequest, entry: LedgerEntry): ServiceError =>
	new ServiceError({
		message: `In doubt whether the ${NOUNS[sending]} "${claim.reference}" was made, so do not repeat it: ${reasonOfDoubt(entry, 'it')}`,
		hint: inDoubtHint(claim, sending),
		outcome: 'unknown',
	});

const NOUNS: Record<SendingState, string> = { creating: 'payable', funding: 'funding' };

/** What a person does about it. It proposes no other request, and concludes nothing from payables. */
function inDoubtHint({ content }: Claim, sending: SendingState): string {
	const noun = NOUNS[sending];
	const proof = sending === 'funding' ? ' A payable can look unpaid although it was funded.' : '';
	return `It may have been made, so it is not sent again. Look in the service for a ${noun} of ${content}.${proof} If you find it, it was made: go on with it, and close this in a node of its own with the operation Settle of Payout, outcome Paid. If you find none, ask the operator of the service. Only when they confirm that no such ${noun} was made, and that none is on its way any more, close it with Settle, outcome Not Paid, and run it again with the same unique reference. Until then, make it in no other way. Settle needs a Data Table: what a node remembers by itself stays in doubt, and a person finishes it in the service after that.`;
}

const otherRunError = ({ reference }: Claim): ServiceError =>
	new ServiceError({
		message: `This run sent nothing for "${reference}", since another run works on it at this moment`,
		hint: 'The other run says what comes of it. Running this again with the same unique reference does no harm. Do it in no other way.',
	});
