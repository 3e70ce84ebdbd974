import { NodeApiError, type INode } from 'n8n-workflow';

import type { Call, Effect } from '../../nodes/PartnerPayments/service/http/request';
import {
	refused,
	ServiceError,
	unanswered,
	unreadable,
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
const call = (effect: Effect): Call => ({
	method: 'POST',
	path: '/payable',
	task: 'create the payable',
	effect,
	body: { amount: 1999 },
});
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

	test.each(CODES)('%p: is passing unless somebody must correct something', (code) => {
		const lasting = /^(ENOTFOUND|EPROTO)$|CERT|VERIFY/;
		expect(networkFailure(failure(code)).passing).toBe(!lasting.test(code));
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
				passing: true,
			});
		},
	);
});

describe('an unanswered request', () => {
	test.each(CODES)('%p: its error keeps its words in n8n', (code) => {
		for (const effect of ['reads', 'setsState', 'creates'] as const) {
			const error = unanswered(call(effect), 'api.example.com', networkFailure(failure(code)));
			const shown = new NodeApiError(node, {}, { message: error.message });
			expect(shown.message).toBe(error.message);
			expect(error.message).not.toMatch(/\bE[A-Z]{4,}\b/);
		}
	});

	test.each<[effect: Effect, code: string, outcome: string]>([
		['creates', 'ECONNRESET', 'inDoubt'],
		['creates', 'ETIMEDOUT', 'inDoubt'],
		['creates', '', 'inDoubt'],
		['creates', 'ECONNREFUSED', 'refused'],
		['setsState', 'ECONNRESET', 'refused'],
		['reads', 'ETIMEDOUT', 'refused'],
	])('that %s, cut by %p, is %s', (effect, code, outcome) => {
		const error = unanswered(call(effect), 'api.example.com', networkFailure(failure(code)));
		expect(error).toMatchObject({ outcome, status: undefined });
		expect(error.advice).toMatch(/\w.*\.$/);
	});

	test('that sets a state is not said to have changed nothing', () => {
		const error = unanswered(call('setsState'), 'h', networkFailure(failure('ECONNRESET')));
		expect(error.advice).not.toContain('Nothing was changed');
	});
});

describe('a refused request', () => {
	test.each<[effect: Effect, status: number, outcome: string]>([
		['creates', 500, 'inDoubt'],
		['creates', 502, 'inDoubt'],
		['creates', 504, 'inDoubt'],
		['creates', 400, 'refused'],
		['creates', 401, 'refused'],
		['creates', 422, 'refused'],
		['creates', 429, 'refused'],
		['setsState', 500, 'refused'],
		['reads', 503, 'refused'],
		['reads', 404, 'refused'],
	])('that %s with status %p is %s', (effect, status, outcome) => {
		const error = refused(call(effect), status, { message: 'Because' });
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ outcome, status });
		expect(error.message).toContain(`status ${status}`);
		expect(error.advice).toContain('POST /payable');
	});

	test('is told in the words of the service', () => {
		expect(refused(call('creates'), 422, { message: 'Amount too low' }).message).toBe(
			'Could not create the payable: the service answered "Amount too low" (status 422)',
		);
	});

	test('without words says so', () => {
		expect(refused(call('reads'), 404, '').message).toContain('without a reason (status 404)');
	});
});

test.each<[effect: Effect, outcome: string]>([
	['creates', 'inDoubt'],
	['setsState', 'refused'],
	['reads', 'refused'],
])('an unreadable success of a request that %s is %s', (effect, outcome) => {
	expect(unreadable(call(effect), 'an ID', 200)).toMatchObject({ outcome, status: 200 });
});
