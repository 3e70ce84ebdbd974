import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/typeGuards';
import { TOO_LARGE } from './message';

const NO_WAY = 'there is no way to that host';

/** Why a connection did not open, for reasons that may be gone a moment later. */
const TRANSIENT: Record<string, string> = {
	ECONNREFUSED: 'nothing answers at that address',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: NO_WAY,
	ENETUNREACH: NO_WAY,
	EADDRNOTAVAIL: NO_WAY,
};

const UNTRUSTED =
	"this n8n does not trust the server's certificate until NODE_EXTRA_CA_CERTS names a file with its issuer";

/** Why a connection did not open, for reasons that a person has to correct. */
const PERMANENT: Record<string, string> = {
	ENOTFOUND: 'no host of that name exists',
	CERT_HAS_EXPIRED: "the server's certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
	SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
	UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
	CERT_UNTRUSTED: UNTRUSTED,
	CERT_NOT_YET_VALID: "the server's certificate is not valid yet by the clock of this n8n",
	ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate belongs to another host",
	EPROTO: 'the server does not speak HTTPS',
};

const NO_ANSWER: Record<string, string> = {
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

/**
 * Reads why a request got no answer from what n8n threw.
 *
 * @param error the thrown value: Node's own error, or one of n8n's around it, with Node's as `cause` or,
 *   in earlier versions, with nothing but its code as `httpCode`
 */
export function networkFailure(error: unknown): NetworkFailure {
	if (isForbidden(error)) {
		const reason = 'this n8n does not allow requests to that address';
		return { reason, neverSent: true, isTransient: false };
	}
	const links = causesOf(error);
	const codes = [...links.map(({ code }) => code), ...links.map(({ httpCode }) => httpCode)];
	const code = codes.find((found) => typeof found === 'string') ?? '';
	const transient = isOnOpenConnection(error) ? undefined : TRANSIENT[code];
	const unopened = transient ?? PERMANENT[code];
	return {
		reason: unopened ?? NO_ANSWER[code] ?? 'the connection broke before an answer came',
		neverSent: unopened !== undefined,
		isTransient: !(code in PERMANENT),
	};
}

/** An open connection that loses its network has the same codes as one that does not open. */
const isOnOpenConnection = (error: unknown): boolean =>
	says(error, /^(?:read|write)\b/, ['syscall', 'message', 'messages']);

/** The properties in which an error has texts. */
const TEXT_PROPERTIES = ['name', 'message', 'description', 'messages'];

/** Whether n8n's protection against server-side request forgery has blocked a request. */
export const isForbidden = (error: unknown): boolean =>
	// The name and the message of n8n's own errors; it puts the message into other errors, too.
	says(error, /^SsrfBlocked|request was blocked because/, TEXT_PROPERTIES);

const says = (error: unknown, words: RegExp, properties: string[]): boolean =>
	causesOf(error)
		.flatMap((link) => properties.map((name) => link[name]))
		.flat()
		.some((text) => typeof text === 'string' && words.test(text));

/** An error and its causes, the outermost one first; empty if it is not an object. */
export const causesOf = (error: unknown): IDataObject[] =>
	isRecord(error) ? [error, ...causesOf(error.cause)] : [];
