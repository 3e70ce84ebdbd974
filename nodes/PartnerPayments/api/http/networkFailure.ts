import { isRecord } from '../../shared/values';
import { TOO_LARGE } from './message';

/** Why a connection did not open, where that may be over a moment later. */
const TRANSIENT: Record<string, string> = {
	ECONNREFUSED: 'nothing answers at that address',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no way to that network',
	EADDRNOTAVAIL: 'there is no way to that host',
};

const UNTRUSTED = "the server's certificate is not trusted";

/** Why a connection did not open, where somebody has to correct something. */
const PERMANENT: Record<string, string> = {
	ENOTFOUND: 'no host of that name exists',
	CERT_HAS_EXPIRED: "the server's certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
	SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
	ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate belongs to another host",
	EPROTO: 'the server does not speak HTTPS',
};

const NO_ANSWER: Record<string, string> = {
	ECONNRESET: 'the connection was closed before an answer came',
	EPIPE: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	[TOO_LARGE]: 'the answer is larger than 20 MB',
	ERR_CANCELED: 'the execution was stopped before an answer came',
};

export interface NetworkFailure {
	/** A part of a sentence; holds no error code, since n8n replaces messages that do. */
	reason: string;
	/** True when the request cannot have reached the service, so that nothing can have happened. */
	neverSent: boolean;
	isTransient: boolean;
}

/** The name and the message of n8n's own errors; it puts the message into other errors, too. */
const FORBIDDING = /^SsrfBlocked|request was blocked because/;

const FORBIDDEN: NetworkFailure = {
	reason: 'this n8n does not allow requests to that address',
	neverSent: true,
	isTransient: false,
};

/**
 * Reads why a request got no answer from what n8n threw.
 *
 * @param error the thrown value: Node's own error, or one of n8n's around it, with Node's as `cause` or,
 *   in earlier versions, with nothing but its code as `httpCode`
 */
export function networkFailure(error: unknown): NetworkFailure {
	if (isForbidden(error)) return FORBIDDEN;
	const code = errorCode(error);
	const unopened = (isOnOpenConnection(error) ? undefined : TRANSIENT[code]) ?? PERMANENT[code];
	return {
		reason: unopened ?? NO_ANSWER[code] ?? 'the connection broke before an answer came',
		neverSent: unopened !== undefined,
		isTransient: !(code in PERMANENT),
	};
}

/**
 * Whether a network was lost while a connection was open: what a connection that does not open is told,
 * one is told as well that waits for its answer.
 */
function isOnOpenConnection(error: unknown): boolean {
	if (!isRecord(error)) return false;
	const { syscall, message, messages, cause } = error;
	const texts = [syscall, message, messages].flat().map(String);
	return texts.some((text) => /^(?:read|write)\b/.test(text)) || isOnOpenConnection(cause);
}

function errorCode(error: unknown): string {
	if (!isRecord(error)) return '';
	const { code, cause, httpCode } = error;
	if (typeof code === 'string') return code;
	return errorCode(cause) || (typeof httpCode === 'string' ? httpCode : '');
}

/** Whether n8n's protection against server-side request forgery has kept a request back. */
export function isForbidden(error: unknown): boolean {
	if (!isRecord(error)) return false;
	const { name, message, description, messages, cause } = error;
	const texts = [name, message, description, messages].flat().map(String);
	return texts.some((text) => FORBIDDING.test(text)) || isForbidden(cause);
}
