import type { Call } from './call';
import type { NetworkFailure } from './network';
import { refusalMessage } from './openShapes';

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
	429: 'Too many requests in a minute. Wait a minute, then run it again.',
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
	 */
	constructor(
		message: string,
		readonly advice: string,
		readonly outcome: Outcome = 'refused',
		readonly status?: number,
	) {
		super(message);
	}

	/** Whether the service itself said no to what was asked, and not to who asked. */
	get isRefusal(): boolean {
		const { status = 0 } = this;
		return status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);
	}

	/** Whether the request was sent, and nothing is known of what came of it. */
	get isUnanswered(): boolean {
		return false;
	}
}

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

function inDoubt(call: Call, reason: string, status?: number): ServiceError {
	const request = `${call.method} ${call.path} with ${JSON.stringify(call.body ?? {})}`;
	return new ServiceError(
		`In doubt whether the request to ${call.task} went through: ${reason}`,
		`It may have. Look it up in the service before you run this item again, so that nothing is done twice. The request was ${shortened(request)}.`,
		'inDoubt',
		status,
	);
}

function shortened(text: string): string {
	return text.length > LONGEST_REQUEST ? `${text.slice(0, LONGEST_REQUEST)}…` : text;
}
