import {
	classify,
	consequenceOf,
	isRefusal,
	type AnswerClass,
	type AttemptResult,
	type Outcome,
} from './outcome';
import type { NetworkFailure } from './networkFailure';
import { redactedBody, redactNamed, redactNamedInText, redactorOfNamed } from './redact';
import type { ServiceRequest } from './message';
import { serviceMessage } from './serviceMessage';

const CHECK_VALUES = 'Check the values of this item.';
const CHECK_ADDRESS =
	"Check that the API Base URL of the credential is the address of the service's API.";

/** What to do, by status, or by the first digit of all that are alike. */
const HINTS: Record<number, string> = {
	3: CHECK_ADDRESS,
	5: 'The service has a problem of its own. Try again later.',
	401: 'Check the credential: its client ID, secret, audience and environment belong together.',
	403: 'The connected account may not do this. Check its role in the workspace and the credential.',
	404: 'Check the IDs of this item, the API Base URL of the credential, and that it belongs to the same environment and account.',
	409: 'It does not go with what happened before, so it may have been done already. Look for that in the service, and do it in no other way until you know.',
	429: 'Check that the Requests per Minute of the credential are what the account allows, and what else uses the account. Wait a minute, then run it again.',
};

const MAX_REQUEST_LENGTH = 1000;

interface ServiceErrorOptions {
	/** One sentence without a full stop: what could not be done and why. */
	message: string;
	hint: string;
	/** Whether it may have been done all the same. */
	outcome?: Outcome;
	answer?: AnswerClass | undefined;
	status?: number | undefined;
	/** Whether an attempt got no answer, so that what an idempotent request sets may be set. */
	isUnanswered?: boolean;
	/** The reason alone, as part of a sentence; the message when left out. */
	reason?: string;
}

/** A request to the service that did not work out, told to the person who built the workflow. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly hint: string;
	readonly outcome: Outcome;
	readonly answer: AnswerClass | undefined;
	readonly status: number | undefined;
	readonly isUnanswered: boolean;
	readonly reason: string;

	constructor(readonly options: ServiceErrorOptions) {
		super(options.message);
		this.hint = options.hint;
		this.outcome = options.outcome ?? 'notDone';
		this.answer = options.answer;
		this.status = options.status;
		this.isUnanswered = options.isUnanswered ?? false;
		this.reason = options.reason ?? options.message;
	}

	/** The hint, by the name under which n8n keeps it of an error that it wraps. */
	get description(): string {
		return this.hint;
	}

	get isRefusal(): boolean {
		return isRefusal(this.answer);
	}
}

/** Whether an error leaves open what has happened. */
export const isInDoubt = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.outcome === 'unknown';

/** Whether an error says for sure that nothing has happened. Any other may hide that something has. */
export const isNotDone = (error: unknown): boolean =>
	error instanceof ServiceError && error.outcome === 'notDone';

/** The error for an attempt that is not repeated; `isUnanswered`: an earlier one got no answer. */
export function attemptError(
	request: ServiceRequest,
	host: string,
	result: AttemptResult,
	isUnanswered = false,
): ServiceError {
	const answer = classify(result);
	const isUnknown =
		answer !== 'success' && consequenceOf(answer, request.semantics).outcome === 'unknown';
	if ('failure' in result) {
		const { failure } = result;
		return isUnknown
			? inDoubtError(request, failure.reason, { answer })
			: networkError(request, host, answer, failure, isUnanswered);
	}
	const { status } = result;
	const what =
		status < 500
			? "the service's answer leaves it open"
			: 'the service answered with an error of its own';
	const reason = `${what} (status ${status})`;
	return isUnknown
		? inDoubtError(request, reason, { answer, status })
		: responseError(request, answer, result);
}

export function unreadableError(
	request: ServiceRequest,
	expected: string,
	status: number,
): ServiceError {
	const reason = `the service answered without ${expected}`;
	const { outcome } = consequenceOf('unreadable', request.semantics);
	if (outcome === 'unknown') return inDoubtError(request, reason, { answer: 'unreadable', status });
	return new ServiceError({
		message: `Could not ${request.task}: ${reason} (status ${status})`,
		hint: `${CHECK_ADDRESS} The request was ${request.method} ${request.path}.`,
		answer: 'unreadable',
		status,
	});
}

export function blockedError(
	{ task }: ServiceRequest,
	forMs: number,
	isUnanswered: boolean,
): ServiceError {
	const minutes = Math.ceil(forMs / 60_000);
	return new ServiceError({
		message: `Could not ${task}: the service takes no request of this account for another ${minutes} minutes`,
		hint: 'Run it again after that.',
		answer: 'rateLimited',
		status: 429,
		isUnanswered,
	});
}

/**
 * The error for a request that has one effect each time, and of which nobody can say what came of it:
 * whatever went wrong here, it was on its way.
 */
export const unexplainedError = (request: ServiceRequest): ServiceError =>
	inDoubtError(request, 'its answer could not be read', {});

export function cancelledError({ task }: ServiceRequest, isUnanswered: boolean): ServiceError {
	return new ServiceError({
		message: `Could not ${task}: the execution was stopped, and this request was not sent${isUnanswered ? ' again' : ''}`,
		hint: isUnanswered
			? 'It was sent before, got no answer, and may have worked. Run it again: that does no harm.'
			: 'Run it again when you want it done.',
		isUnanswered,
	});
}

/**
 * An error that says how often the request was tried, and whether an earlier attempt got no answer.
 * One that is in doubt keeps its message: only its last attempt may have worked.
 */
export function afterAttempts(
	error: ServiceError,
	attempts: number,
	isUnanswered: boolean,
): ServiceError {
	const isRepeated = attempts > 1 && error.outcome === 'notDone';
	if (!isRepeated && !isUnanswered) return error;
	const { options, reason } = error;
	const message = isRepeated ? `${options.message}, tried ${attempts} times` : options.message;
	return new ServiceError({ ...options, message, isUnanswered, reason });
}

function responseError(
	request: ServiceRequest,
	answer: AnswerClass,
	{ status, body }: Exclude<AttemptResult, { failure: unknown }>,
): ServiceError {
	// The service may repeat a secret of the request under no name at all.
	const message = serviceMessage(redactedBody(body, redactorOfNamed(request.body)));
	const reason = message === undefined ? 'without a reason' : `"${message}"`;
	const otherwise = answer === 'ambiguous' ? 'Try again later.' : CHECK_VALUES;
	const hint = HINTS[status] ?? HINTS[Math.floor(status / 100)] ?? otherwise;
	return new ServiceError({
		message: `Could not ${request.task}: the service answered ${reason} (status ${status})`,
		hint: `${hint} The request was ${request.method} ${request.path}.`,
		answer,
		status,
	});
}

function networkError(
	{ task, semantics }: ServiceRequest,
	host: string,
	answer: AnswerClass,
	{ reason, neverSent }: NetworkFailure,
	isUnanswered: boolean,
): ServiceError {
	const isUnchanged = (neverSent && !isUnanswered) || semantics === 'safe';
	return new ServiceError({
		message: `Could not ${task}: ${host} cannot be reached, ${reason}`,
		hint: `Check the API Base URL of the credential and this n8n's connection, then run it again. ${isUnchanged ? 'Nothing was changed.' : 'Should it have worked already, that does no harm.'}`,
		answer,
	});
}

function inDoubtError(
	{ method, path, task, body, lookUp }: ServiceRequest,
	reason: string,
	response: Pick<ServiceErrorOptions, 'answer' | 'status'>,
): ServiceError {
	const sent = `${method} ${path} with ${JSON.stringify(redactNamed(body ?? {}))}`;
	const shown = sent.length > MAX_REQUEST_LENGTH ? `${sent.slice(0, MAX_REQUEST_LENGTH)}…` : sent;
	return new ServiceError({
		...response,
		message: `In doubt whether the request to ${task} went through, so do not repeat it: ${reason}`,
		hint: [
			'It may have. Look for what came of it in the service.',
			...(lookUp === undefined ? [] : [lookUp]),
			'If you find nothing, ask the operator. Only when they confirm that nothing came of it, and that it is not on its way any more, run this item again. Until then, do it in no other way.',
			`The request was ${redactNamedInText(shown)}.`,
		].join(' '),
		outcome: 'unknown',
		reason,
	});
}
