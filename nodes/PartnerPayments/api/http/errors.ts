import { ExplainedError } from '../../shared/errors';
import { consequenceOf, type AttemptResult, type FailureKind, type Outcome } from './outcome';
import { redactedBody, redactNamed, redactNamedInText, redactorOfNamed } from './redact';
import type { ServiceRequest } from './message';
import { serviceMessage } from './serviceMessage';

const CHECK_ADDRESS = 'Check that the "API Base URL" of the credential is the address of the API.';

/** What to do, by status, or by the first digit of a class of statuses. */
const HINTS: Record<number, string> = {
	3: CHECK_ADDRESS,
	5: 'The service has a problem. Try again later.',
	401: 'Check the credential: its client ID, secret, audience and environment belong together.',
	403: 'The connected account may not do this. Check its role in the workspace, and the credential.',
	404: 'Check the IDs of this item, the "API Base URL" of the credential, and that they belong to the same environment and account.',
	409: 'It does not fit the present state, so it may have been done already. Look for it in the service, and try no other way until you know.',
	429: 'Compare "Requests per Minute" of the credential with the limit of the account. Check what else uses the account. Wait a minute, then run it again.',
};

const MAX_REQUEST_LENGTH = 1000;

interface ServiceErrorOptions {
	/** One sentence without a full stop: what could not be done and why. */
	message: string;
	hint: string;
	/** Left out where nothing was sent. */
	outcome?: Outcome;
	failureKind?: FailureKind | undefined;
	status?: number | undefined;
	/** The reason alone, as part of a sentence; the message when left out. */
	reason?: string;
}

/** A request to the service that did not work, explained to the person who built the workflow. */
export class ServiceError extends ExplainedError {
	override readonly name = 'ServiceError';
	readonly outcome: Outcome;
	readonly failureKind: FailureKind | undefined;
	readonly status: number | undefined;
	readonly reason: string;

	constructor({ message, hint, outcome, failureKind, status, reason }: ServiceErrorOptions) {
		super(message, hint);
		this.outcome = outcome ?? 'notSent';
		this.failureKind = failureKind;
		this.status = status;
		this.reason = reason ?? message;
	}

	/** The hint under n8n's own name for it, which n8n keeps when it wraps the error. */
	get description(): string {
		return this.hint;
	}

	/** The same error in other words. */
	reworded({ message = this.message, hint }: { message?: string; hint: string }): ServiceError {
		const { outcome, failureKind, status, reason } = this;
		return new ServiceError({ message, hint, outcome, failureKind, status, reason });
	}
}

/**
 * Whether the failed request had an effect. Only a ServiceError can come after sending; our other errors
 * come before it. Anything else leaves it unknown.
 */
export function outcomeOf(error: unknown): Outcome {
	if (error instanceof ServiceError) {
		return error.outcome;
	}

	return error instanceof ExplainedError ? 'notSent' : 'unknown';
}

/**
 * Whether the service plainly refused a group, so that it may accept a part of it. A conflict does not
 * count: a part of the group may be done already.
 */
export const isGroupRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && error.failureKind === 'declined';

/** Whether the service refused what was asked because of the state that things are in: it may be done already. */
export const isConflict = (error: unknown): boolean =>
	error instanceof ServiceError && error.failureKind === 'conflict';

/** Whether no clear answer came, as when the service is down: the next request would end in the same way. */
export const isAmbiguous = (error: unknown): boolean =>
	error instanceof ServiceError && error.failureKind === 'ambiguous';

/** The last attempt of a request, which did not work. */
export interface FailedAttempt {
	host: string;
	result: AttemptResult;
	failureKind: FailureKind;
	/** How many attempts ended like this; a single one is not told. */
	attempts: number;
}

/** The error for the last attempt. If the request is unconfirmed, no earlier attempt can have worked. */
export function attemptError(
	request: ServiceRequest,
	{ host, result, failureKind, attempts }: FailedAttempt,
): ServiceError {
	const { task, idempotency, method, path } = request;
	const { retry, outcome } = consequenceOf(failureKind, idempotency);
	const tried = attempts > 1 ? `, tried ${attempts} times` : '';

	if (result.kind === 'unanswered') {
		const { reason } = result.failure;
		if (outcome === 'unknown') {
			return unconfirmedError(request, reason, { failureKind });
		}

		return new ServiceError({
			message: `Could not ${task}: ${host} cannot be reached, ${reason}${tried}`,
			hint: 'Check the "API Base URL" of the credential and the connection of this n8n. Then run it again: that does no harm.',
			outcome,
			failureKind,
		});
	}

	const { status } = result;
	if (outcome === 'unknown') {
		const reason = `the service answered with status ${status}`;
		return unconfirmedError(request, reason, { failureKind, status });
	}

	// The service may repeat a secret of the request without its name.
	const said = serviceMessage(redactedBody(result.body, redactorOfNamed(request.body)));
	const reason = said === undefined ? 'without a reason' : `"${said}"`;
	const otherwise = retry ? 'Try again later.' : 'Nothing was done. Check the values of this item.';
	const hint =
		hintOfRequest(request, failureKind) ??
		HINTS[status] ??
		HINTS[Math.floor(status / 100)] ??
		otherwise;
	return new ServiceError({
		message: `Could not ${task}: the service answered ${reason} (status ${status})${tried}`,
		hint: `${hint} The request was ${method} ${path}.`,
		outcome,
		failureKind,
		status,
	});
}

/** What a request itself says to do about a refusal. */
function hintOfRequest(request: ServiceRequest, failureKind: FailureKind): string | undefined {
	switch (failureKind) {
		case 'conflict':
			return request.conflictHint;
		case 'declined':
			return request.declinedHint;
		default:
			return undefined;
	}
}

/** The error for a success without what the request must return. */
export function unreadableError(
	request: ServiceRequest,
	expected: string,
	status: number,
): ServiceError {
	const reason = `the service answered without ${expected}`;
	const { outcome } = consequenceOf('unreadable', request.idempotency);
	if (outcome === 'unknown') {
		return unconfirmedError(request, reason, { failureKind: 'unreadable', status });
	}

	return new ServiceError({
		message: `Could not ${request.task}: ${reason} (status ${status})`,
		hint: `${CHECK_ADDRESS} The request was ${request.method} ${request.path}.`,
		outcome,
		failureKind: 'unreadable',
		status,
	});
}

/** The error for a request that was not sent, since the service takes none for `forMs` milliseconds. */
export function accountBlockedError({ task }: ServiceRequest, forMs: number): ServiceError {
	const minutes = Math.ceil(forMs / 60_000);
	return new ServiceError({
		message: `Could not ${task}: the service takes no request of this account for another ${minutes} minutes`,
		hint: 'Run it again after that.',
		failureKind: 'rateLimited',
		status: 429,
	});
}

/** The error for a request that was not sent, or that can be repeated without harm. */
export const cancelledError = ({ task }: ServiceRequest): ServiceError =>
	new ServiceError({
		message: `Could not ${task}: the execution was stopped`,
		hint: 'Run it again when you want it done: that does no harm.',
	});

const ASK_BEFORE_REPEATING =
	'Look for it in the service. If you are not sure, ask the operator of the service. Run this item again only after they confirm that it did not happen, and will not.';

/** The error for a request that has an effect each time, and was sent: it may have worked. */
export function unconfirmedError(
	{ method, path, task, body, unconfirmedHint = ASK_BEFORE_REPEATING }: ServiceRequest,
	reason: string,
	response: Pick<ServiceErrorOptions, 'failureKind' | 'status'> = {},
): ServiceError {
	const sent = `${method} ${path} with ${JSON.stringify(redactNamed(body ?? {}))}`;
	const shown = sent.length > MAX_REQUEST_LENGTH ? `${sent.slice(0, MAX_REQUEST_LENGTH)}…` : sent;
	return new ServiceError({
		...response,
		message: `Unconfirmed whether the request to ${task} worked: ${reason}`,
		hint: `${unconfirmedHint} The request was ${redactNamedInText(shown)}.`,
		outcome: 'unknown',
		reason,
	});
}
