import { NodeApiError } from 'n8n-workflow';

import {
	attemptError,
	ServiceError,
	unreadableError,
} from '../../../nodes/PartnerPayments/service/http/errors';
import { networkFailure } from '../../../nodes/PartnerPayments/service/http/networkFailure';
import type {
	Semantics,
	ServiceRequest,
} from '../../../nodes/PartnerPayments/service/http/request';
import { CODES, errorWithCode, node } from './networkCodes';

const requestWith = (semantics: Semantics): ServiceRequest => ({
	method: 'POST',
	path: '/payable',
	task: 'create the payable',
	semantics,
	body: { amount: 1999 },
});
const networkError = (semantics: Semantics, code: string): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', {
		failure: networkFailure(errorWithCode(code)),
	});
const responseError = (semantics: Semantics, status: number, body: unknown): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', { status, body });

describe('the error of an unanswered request', () => {
	test.each(CODES)('%p: its message is not replaced by n8n', (code) => {
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
	])('that is %s, after %p, has the outcome %s', (semantics, code, outcome) => {
		const error = networkError(semantics, code);
		expect(error).toMatchObject({ outcome, status: undefined });
		expect(error.hint).toMatch(/\w.*\.$/);
	});

	test('that is idempotent does not say that nothing was changed', () => {
		const error = networkError('idempotent', 'ECONNRESET');
		expect(error.hint).not.toContain('Nothing was changed');
	});
});

describe('the error of an answered request', () => {
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
	])('that is %s, with status %p, has the outcome %s', (semantics, status, outcome) => {
		const error = responseError(semantics, status, { message: 'Because' });
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ outcome, status });
		expect(error.message).toContain(`status ${status}`);
		expect(error.hint).toContain('POST /payable');
	});

	test('quotes the service', () => {
		expect(responseError('nonIdempotent', 422, { message: 'Amount too low' }).message).toBe(
			'Could not create the payable: the service answered "Amount too low" (status 422)',
		);
	});

	test('says when the service gave no reason', () => {
		expect(responseError('safe', 404, '').message).toContain('without a reason (status 404)');
	});
});

test.each<[semantics: Semantics, outcome: string]>([
	['nonIdempotent', 'unknown'],
	['idempotent', 'notDone'],
	['safe', 'notDone'],
])('an unreadable success of a request that is %s has the outcome %s', (semantics, outcome) => {
	expect(unreadableError(requestWith(semantics), 'an ID', 200)).toMatchObject({
		outcome,
		status: 200,
	});
});
