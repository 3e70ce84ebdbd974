import { NodeApiError, type INode } from 'n8n-workflow';

import type { Semantics, ServiceRequest } from '../../nodes/PartnerPayments/service/http/request';
import {
	attemptError,
	ServiceError,
	unreadableError,
} from '../../nodes/PartnerPayments/service/http/errors';
import { networkFailure } from '../../nodes/PartnerPayments/service/http/networkFailure';

const NEVER_SENT = [
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
const PERHAPS_SENT = [
	'ECONNRESET',
	'EPIPE',
	'ECONNABORTED',
	'ETIMEDOUT',
	'ERR_CANCELED',
	'EPERM',
	'',
];
const CODES = [...NEVER_SENT, ...PERHAPS_SENT];

const failure = (code: string) => Object.assign(new Error(`it failed with ${code}`), { code });
const requestWith = (semantics: Semantics): ServiceRequest => ({
	method: 'POST',
	path: '/payable',
	task: 'create the payable',
	semantics,
	body: { amount: 1999 },
});
const networkError = (semantics: Semantics, code: string): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', {
		failure: networkFailure(failure(code)),
	});
const responseError = (semantics: Semantics, status: number, body: unknown): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', { status, body });
const node: INode = {
	id: '1',
	name: 'Pay',
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

describe('networkFailure', () => {
	test.each(NEVER_SENT)('%s: the request was never sent', (code) => {
		expect(networkFailure(failure(code)).neverSent).toBe(true);
	});

	test.each(PERHAPS_SENT)('%p: the request may have arrived', (code) => {
		expect(networkFailure(failure(code)).neverSent).toBe(false);
	});

	test.each(CODES)('%p: is transient unless somebody must correct something', (code) => {
		const lasting = /^(ENOTFOUND|EPROTO)$|CERT|VERIFY/;
		expect(networkFailure(failure(code)).isTransient).toBe(!lasting.test(code));
	});

	test.each(CODES)('%p: gives a reason that n8n does not replace', (code) => {
		const { reason } = networkFailure(failure(code));
		expect(reason).toMatch(/^[a-z]/);
		expect(reason).not.toMatch(/\b[A-Z_]{4,}\b(?<!HTTPS)/);
		expect(new NodeApiError(node, {}, { message: reason }).message).toBe(reason);
	});

	test('finds the code in the cause', () => {
		const error = new Error('outer', {
			cause: new Error('inner', { cause: failure('ENOTFOUND') }),
		});
		expect(networkFailure(error).neverSent).toBe(true);
	});

	test.each<[thrown: unknown]>([['text'], [null], [undefined], [5], [{}], [new Error('none')]])(
		'%p is in doubt',
		(thrown) => {
			expect(networkFailure(thrown)).toEqual({
				reason: 'the connection broke before an answer came',
				neverSent: false,
				isTransient: true,
			});
		},
	);
});

describe('an unanswered request', () => {
	test.each(CODES)('%p: its error keeps its words in n8n', (code) => {
		for (const semantics of ['safe', 'idempotent', 'nonIdempotent'] as const) {
			const error = networkError(semantics, code);
			const shown = new NodeApiError(node, {}, { message: error.message });
			expect(shown.message).toBe(error.message);
			expect(error.message).not.toMatch(/\bE[A-Z]{4,}\b/);
		}
	});

	test.each<[semantics: Semantics, code: string, outcome: string]>([
		['nonIdempotent', 'ECONNRESET', 'unknown'],
		['nonIdempotent', 'ETIMEDOUT', 'unknown'],
		['nonIdempotent', '', 'unknown'],
		['nonIdempotent', 'ECONNREFUSED', 'notDone'],
		['idempotent', 'ECONNRESET', 'notDone'],
		['safe', 'ETIMEDOUT', 'notDone'],
	])('that %s, cut by %p, is %s', (semantics, code, outcome) => {
		const error = networkError(semantics, code);
		expect(error).toMatchObject({ outcome, status: undefined });
		expect(error.hint).toMatch(/\w.*\.$/);
	});

	test('that sets a state is not said to have changed nothing', () => {
		const error = networkError('idempotent', 'ECONNRESET');
		expect(error.hint).not.toContain('Nothing was changed');
	});
});

describe('a declined request', () => {
	test.each<[semantics: Semantics, status: number, outcome: string]>([
		['nonIdempotent', 500, 'unknown'],
		['nonIdempotent', 502, 'unknown'],
		['nonIdempotent', 504, 'unknown'],
		['nonIdempotent', 400, 'notDone'],
		['nonIdempotent', 401, 'notDone'],
		['nonIdempotent', 422, 'notDone'],
		['nonIdempotent', 429, 'notDone'],
		['idempotent', 500, 'notDone'],
		['safe', 503, 'notDone'],
		['safe', 404, 'notDone'],
	])('that %s with status %p is %s', (semantics, status, outcome) => {
		const error = responseError(semantics, status, { message: 'Because' });
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ outcome, status });
		expect(error.message).toContain(`status ${status}`);
		expect(error.hint).toContain('POST /payable');
	});

	test('is told in the words of the service', () => {
		expect(responseError('nonIdempotent', 422, { message: 'Amount too low' }).message).toBe(
			'Could not create the payable: the service answered "Amount too low" (status 422)',
		);
	});

	test('without words says so', () => {
		expect(responseError('safe', 404, '').message).toContain('without a reason (status 404)');
	});
});

test.each<[semantics: Semantics, outcome: string]>([
	['nonIdempotent', 'unknown'],
	['idempotent', 'notDone'],
	['safe', 'notDone'],
])('an unreadable success of a request that %s is %s', (semantics, outcome) => {
	expect(unreadableError(requestWith(semantics), 'an ID', 200)).toMatchObject({
		outcome,
		status: 200,
	});
});
