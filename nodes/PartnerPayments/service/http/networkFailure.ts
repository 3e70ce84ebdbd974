import { isRecord } from '../../shared/json';

const NEVER_CONNECTED: Record<string, string> = {
	ECONNREFUSED: 'nothing answers at that address',
	ENOTFOUND: 'no host of that name exists',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no way to that network',
	EADDRNOTAVAIL: 'there is no way to that host',
	CERT_HAS_EXPIRED: "the server's certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is not trusted",
	SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is not trusted",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is not trusted",
	ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate belongs to another host",
	EPROTO: 'the server does not speak HTTPS',
};

/** Those that waiting does not cure. */
const PERMANENT = new Set([
	'ENOTFOUND',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'EPROTO',
]);

const NO_ANSWER: Record<string, string> = {
	ECONNRESET: 'the connection was closed before an answer came',
	EPIPE: 'the connection was closed before an answer came',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	ERR_CANCELED: 'the execution was stopped before an answer came',
};

/** Why a request got no answer, in words. */
export interface NetworkFailure {
	/** A part of a sentence; holds no error code, since n8n replaces messages that do. */
	reason: string;
	/** True when the request cannot have reached the service, so that nothing can have happened. */
	neverSent: boolean;
	/** Whether it may be over a moment later. */
	isTransient: boolean;
}

/**
 * Reads why a request got no answer from what n8n threw.
 *
 * @param error the thrown value: Node's own error, or one of n8n's around it (as `cause`)
 */
export function networkFailure(error: unknown): NetworkFailure {
	const code = errorCode(error);
	const neverConnected = NEVER_CONNECTED[code];
	if (neverConnected !== undefined) {
		return { reason: neverConnected, neverSent: true, isTransient: !PERMANENT.has(code) };
	}
	return {
		reason: NO_ANSWER[code] ?? 'the connection broke before an answer came',
		neverSent: false,
		isTransient: true,
	};
}

function errorCode(error: unknown): string {
	if (!isRecord(error)) return '';
	return typeof error.code === 'string' ? error.code : errorCode(error.cause);
}
