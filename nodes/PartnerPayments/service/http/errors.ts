import type { Call } from './request';
import type { NetworkFailure } from './networkFailure';
import { refusalMessage } from '../api/responseReaders';

/** What is known of a request that failed. */
export type Outcome =
	/** Nothing happened: the service said no, or was never reached. */
	| 'refused'
	/** The service may have done it: the answer was lost or says nothing. */
	| 'inDoubt';

const CHECK_VALUES = 'Check the values of this item.';

/** By status, or by the first digit of all that are alike. */
const WHAT_TO_DO: Record<number, string> = {
	3: "Check that the API Base URL of the credential is the address of the service's API.",
	5: 'The service has a problem of its own. Try again later.',
	401: 'Check the credential: its client ID, secret, audience and environment belong together.',
	403: 'The connected account may not do this. Check its role in the workspace and the credential.',
	404: 'Check the IDs of this item, and that the credential belongs to the same environment and account.',
	409: 'It is not in the state that this step needs. Look at what happened to it before.',
	429: 'Check that the Requests per Minute of the credential are what the account allows, and what else uses the account. Wait a minute, then run it again.',
};

/** The token was not taken, is not allowed to, or has asked too often. */
const NOT_ABOUT_THE_REQUEST = [401, 403, 429];

/** Characters of a request in an error. */
const LONGEST_REQUEST = 1000;

/** A call to the service that did not work out, in words for the person who built the workflow. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	/**
	 * @param message one sentence: what could not be done and why
	 * @param advice what to do next
	 * @param outcome whether something may have happened all the same
	 * @param status the HTTP status, where there was an answer
	 * @param unanswered whether an attempt got no answer: what the call sets may be set, although the
	 *   outcome is that it was refused
	 */
	constructor(
		message: string,
		readonly advice: string,
		readonly outcome: Outcome = 'refused',
		readonly status?: number,
		readonly unanswered = false,
		readonly reason = message,
	) {
		super(message);
	}

	/** Whether the service itself said no to what was asked. */
	get isRefusal(): boolean {
		return isRefusal(this.status);
	}
}

/** Whether an error leaves open what has happened. */
export const isInDoubt = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.outcome === 'inDoubt';

/** Whether an error says for sure that nothing has happened. Any other may hide that something has. */
export const isHarmless = (error: unknown): boolean =>
	error instanceof ServiceError && error.outcome === 'refused';

/** Whether a status is the service's no to what was asked, and not to who asks or how often. */
export const isRefusal = (status = 0): boolean =>
	status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);

/** The error for an answer that is not a success. `body` is parsed JSON or text, without secrets. */
export function refused(call: Call, status: number, body: unknown): ServiceError {
	if (status >= 500 && call.effect === 'creates')
		return inDoubt(
			call,
			`the service answered with an error of its own (status ${status})`,
			status,
		);
	const words = refusalMessage(body);
	const reason = words === undefined ? 'without a reason' : `"${words}"`;
	const advice = WHAT_TO_DO[status] ?? WHAT_TO_DO[Math.floor(status / 100)] ?? CHECK_VALUES;
	return new ServiceError(
		`Could not ${call.task}: the service answered ${reason} (status ${status})`,
		`${advice} The request was ${call.method} ${call.path}.`,
		'refused',
		status,
	);
}

/** The error for a request that got no answer at all. */
export function unanswered(call: Call, host: string, failure: NetworkFailure): ServiceError {
	if (call.effect === 'creates' && !failure.neverSent) return inDoubt(call, failure.reason);
	const unchanged = failure.neverSent || call.effect === 'reads';
	return new ServiceError(
		`Could not ${call.task}: ${host} cannot be reached, ${failure.reason}`,
		`Check the API Base URL of the credential and this n8n's connection, then run it again. ${unchanged ? 'Nothing was changed.' : 'Should it have worked already, that does no harm.'}`,
	);
}

/** The error for a success that does not hold what it must. */
export function unreadable(call: Call, missing: string, status: number): ServiceError {
	if (call.effect === 'creates')
		return inDoubt(call, `the service answered without ${missing}`, status);
	return new ServiceError(
		`Could not ${call.task}: the service answered without ${missing} (status ${status})`,
		`Check that the API Base URL of the credential is the address of the service's API. The request was ${call.method} ${call.path}.`,
		'refused',
		status,
	);
}

/** The error for a service that wants to be left alone for longer than anybody waits. */
export function closed(call: Call, forMs: number, unanswered: boolean): ServiceError {
	const minutes = Math.ceil(forMs / 60_000);
	return new ServiceError(
		`Could not ${call.task}: the service takes no request of this account for another ${minutes} minutes`,
		'Run it again after that.',
		'refused',
		429,
		unanswered,
	);
}

/** The error for an execution that was stopped while this request waited. */
export function stopped(call: Call, unanswered: boolean): ServiceError {
	return new ServiceError(
		`Could not ${call.task}: the execution was stopped, and this request was not sent${unanswered ? ' again' : ''}`,
		unanswered
			? 'It was sent before, got no answer, and may have worked. Run it again: that does no harm.'
			: 'Run it again when you want it done.',
		'refused',
		undefined,
		unanswered,
	);
}

/**
 * An error that says how often it was tried, and whether an attempt before it got no answer. One that
 * is in doubt keeps its words: only its last attempt may have worked.
 */
export function afterTries(error: ServiceError, tries: number, unanswered: boolean): ServiceError {
	const { message, advice, outcome, status, reason } = error;
	const isVain = tries > 1 && outcome === 'refused';
	if (!isVain && !unanswered) return error;
	const counted = isVain ? `${message}, tried ${tries} times` : message;
	return new ServiceError(counted, advice, outcome, status, unanswered, reason);
}

function inDoubt(call: Call, reason: string, status?: number): ServiceError {
	const request = `${call.method} ${call.path} with ${JSON.stringify(call.body ?? {})}`;
	return new ServiceError(
		`In doubt whether the request to ${call.task} went through: ${reason}`,
		`It may have. Look it up in the service before you run this item again, so that nothing is done twice. The request was ${shortened(request)}.`,
		'inDoubt',
		status,
		false,
		reason,
	);
}

function shortened(text: string): string {
	return text.length > LONGEST_REQUEST ? `${text.slice(0, LONGEST_REQUEST)}…` : text;
}
