import type { INode } from 'n8n-workflow';

/** The error codes of connections that never opened. */
export const NEVER_SENT = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'EPROTO',
];

/** The error codes of requests that may have arrived; the empty one means an error without a code. */
export const PERHAPS_SENT = [
	'ECONNRESET',
	'EPIPE',
	'ECONNABORTED',
	'ETIMEDOUT',
	'ERR_CANCELED',
	'EPERM',
	'',
];

export const CODES = [...NEVER_SENT, ...PERHAPS_SENT];

/** An error as Node throws it. */
export const errorWithCode = (code: string): Error & { code: string } =>
	Object.assign(new Error(`it failed with ${code}`), { code });

/** A node to show an error with: n8n replaces messages that contain an error code. */
export const node: INode = {
	id: '1',
	name: 'Pay',
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
