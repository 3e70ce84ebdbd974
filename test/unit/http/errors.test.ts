import { type IDataObject, NodeApiError } from 'n8n-workflow';

import type { AnswerClass } from '../../../nodes/PartnerPayments/service/http/classify';
import {
	attemptError,
	blockedError,
	isInDoubt,
	isNotDone,
	ServiceError,
	unreadableError,
} from '../../../nodes/PartnerPayments/service/http/errors';
import { networkFailure } from '../../../nodes/PartnerPayments/service/http/networkFailure';
import type {
	Semantics,
	ServiceRequest,
} from '../../../nodes/PartnerPayments/service/http/request';
import { serviceMessage } from '../../../nodes/PartnerPayments/service/http/serviceMessage';
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
			const displayed = new NodeApiError(node, {}, { message: error.message });
			expect(displayed.message).toBe(error.message);
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

	test('that never left says that nothing was changed', () => {
		expect(networkError('nonIdempotent', 'ECONNREFUSED').hint).toContain('Nothing was changed.');
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

test.each<[status: number, hint: string]>([
	[302, 'Check that the API Base URL of the credential'],
	[400, 'Check the values of this item.'],
	[401, 'client ID, secret, audience and environment'],
	[403, 'Check its role in the workspace'],
	[404, 'Check the IDs of this item'],
	[408, 'Try again later.'],
	[409, 'It does not go with what happened before'],
	[422, 'Check the values of this item.'],
	[429, 'Requests per Minute of the credential'],
	[503, 'The service has a problem of its own.'],
])('status %p has the hint: %s', (status, hint) => {
	expect(responseError('safe', status, {}).hint).toContain(hint);
});

test.each<[status: number, answer: AnswerClass, isRefusal: boolean]>([
	[422, 'declined', true],
	[403, 'denied', false],
	[409, 'conflict', true],
	[429, 'rateLimited', false],
	[303, 'ambiguous', false],
	[499, 'ambiguous', false],
	[500, 'ambiguous', false],
])('the error of status %p tells that it was %s', (status, answer, isRefusal) => {
	expect(responseError('nonIdempotent', status, {})).toMatchObject({ answer, isRefusal });
});

test('the error of a connection that broke tells that nothing is known', () => {
	expect(networkError('nonIdempotent', 'ECONNRESET')).toMatchObject({
		answer: 'ambiguous',
		isRefusal: false,
	});
});

describe('the error of a request in doubt', () => {
	const doubtful = (body: IDataObject | undefined): ServiceError => {
		const { body: _, ...request } = requestWith('nonIdempotent');
		return attemptError({ ...request, ...(body && { body }) }, 'api.example.com', {
			status: 500,
			body: '',
		});
	};

	test.each([
		[302, "the service's answer leaves it open (status 302)"],
		[499, "the service's answer leaves it open (status 499)"],
		[500, 'the service answered with an error of its own (status 500)'],
	])('after status %p has the reason in its message and as a property', (status, reason) => {
		expect(responseError('nonIdempotent', status, '')).toMatchObject({
			reason,
			message: `In doubt whether the request to create the payable went through, so do not repeat it: ${reason}`,
		});
	});

	test('says where to look where that is easily mistaken', () => {
		const request = { ...requestWith('nonIdempotent'), lookUp: 'Look there.' };
		const { hint } = attemptError(request, 'api.example.com', { status: 500, body: '' });
		expect(hint).toContain('in the service. Look there. If you find nothing, ask the operator.');
	});

	test('shows the request', () => {
		expect(doubtful({ amount: 5 }).hint).toMatch(/POST \/payable with \{"amount":5\}\.$/);
		expect(doubtful(undefined).hint).toMatch(/POST \/payable with \{\}\.$/);
	});

	test.each([
		[999, /"\}\.$/],
		[1000, /"\}\.$/],
		[1001, /x"…\.$/],
		[5000, /x…\.$/],
	])('shows a thousand characters of a request that has %p', (length, end) => {
		const others = 'POST /payable with {"a":""}'.length;
		const { hint } = doubtful({ a: 'x'.repeat(length - others) });
		expect(hint).toMatch(end);
		const request = hint.slice(hint.indexOf('POST'), -1).replace('…', '');
		expect(request).toHaveLength(Math.min(length, 1000));
	});
});

test('an error whose outcome is known has its message as the reason', () => {
	const error = responseError('safe', 404, { message: 'No' });
	expect(error.reason).toBe(error.message);
});

test.each<[semantics: Semantics, code: string, isUnanswered: boolean, isUnchanged: boolean]>([
	['nonIdempotent', 'ECONNREFUSED', false, true],
	['idempotent', 'ECONNREFUSED', false, true],
	['idempotent', 'ECONNREFUSED', true, false],
	['idempotent', 'ECONNRESET', false, false],
	['safe', 'ECONNRESET', true, true],
	['safe', 'ECONNREFUSED', true, true],
])(
	'after %s %s, unanswered before: %p, the error says that nothing was changed: %p',
	(semantics, code, isUnanswered, isUnchanged) => {
		const result = { failure: networkFailure(errorWithCode(code)) };
		const error = attemptError(requestWith(semantics), 'api.example.com', result, isUnanswered);
		expect(error.hint).toContain(
			isUnchanged ? 'Nothing was changed.' : 'Should it have worked already, that does no harm.',
		);
	},
);

test('an unreadable success names what is missing and where it came from', () => {
	expect(unreadableError(requestWith('safe'), 'an ID', 200)).toMatchObject({
		message: 'Could not create the payable: the service answered without an ID (status 200)',
		hint: expect.stringMatching(/^Check that the API Base URL .* was POST \/payable\.$/),
		answer: 'unreadable',
	});
	expect(unreadableError(requestWith('nonIdempotent'), 'an ID', 200)).toMatchObject({
		reason: 'the service answered without an ID',
		answer: 'unreadable',
	});
});

test('a blocked account is an error that says for how long', () => {
	expect(blockedError(requestWith('safe'), 16.2 * 60_000, true)).toMatchObject({
		message: expect.stringContaining('for another 17 minutes'),
		hint: 'Run it again after that.',
		answer: 'rateLimited',
		status: 429,
		isUnanswered: true,
	});
});

test.each<[error: unknown, inDoubt: boolean, notDone: boolean]>([
	[responseError('nonIdempotent', 500, ''), true, false],
	[responseError('nonIdempotent', 422, ''), false, true],
	[new Error('A bug'), false, false],
	[Object.assign(new Error('A bug'), { outcome: 'unknown' }), false, false],
	[Object.assign(new Error('A bug'), { outcome: 'notDone' }), false, false],
	['text', false, false],
])('%p is in doubt: %p, not done: %p', (error, inDoubt, notDone) => {
	expect([isInDoubt(error), isNotDone(error)]).toEqual([inDoubt, notDone]);
});

test('an error has the name of its class', () => {
	expect(String(responseError('safe', 404, ''))).toMatch(/^ServiceError: Could not/);
});

const SECRET = 'a-value-that-signs';

const subscribe = (body: NonNullable<ServiceRequest['body']>): ServiceRequest => ({
	method: 'POST',
	path: '/webhook-subscription',
	task: 'create the webhook subscription',
	semantics: 'nonIdempotent',
	body,
});

test.each([
	[`{"secret":"${SECRET}","id":1}`, '{"secret":"[redacted]","id":1}'],
	[`no such token=${SECRET}`, 'no such token=[redacted]'],
	[`${SECRET} is too short`, '[redacted] is too short'],
])('an error quotes no secret of the answer or the request: %s', (answer, quoted) => {
	const request = subscribe({ signing_secret: SECRET });
	const result = { status: 422, body: { message: answer } };
	expect(attemptError(request, 'api.example.com', result).message).toBe(
		`Could not create the webhook subscription: the service answered "${quoted}" (status 422)`,
	);
});

test('a request in doubt is shown without its secrets', () => {
	const request = subscribe({
		url: `https://hooks.example.com/?token=${SECRET}-1&id=1`,
		signing: { key: `${SECRET}-2` },
		description: `Sign with ${SECRET}-2`,
		secret: `${SECRET}-3${'x'.repeat(1000)}`,
	});
	const { hint } = attemptError(request, 'api.example.com', { status: 500, body: '' });
	expect(hint.slice(hint.indexOf('{'))).toBe(
		'{"url":"https://hooks.example.com/?token=[redacted]&id=1","signing":"[redacted]","description":"Sign with [redacted]","secret":"[redacted]"}.',
	);
});

test('a request in doubt that is not shown to its end shows no part of a secret', () => {
	const request = subscribe({ config: `{"a":"${'x'.repeat(900)}","secret":"${SECRET.repeat(20)}` });
	const { hint } = attemptError(request, 'api.example.com', { status: 500, body: '' });
	expect(hint).not.toContain(SECRET);
	expect(hint).toContain('[redacted]');
});

test('a message that is cut shows no part of a secret', () => {
	const message = serviceMessage(`${'x'.repeat(270)} {"secret":"${SECRET}${SECRET}"}`);
	expect(message).toContain('"secret":"[redacted]');
	expect(message).not.toContain('a-value');
});

test('a request in doubt stays in doubt however deep its body is nested', () => {
	const levels = Array.from({ length: 20_000 });
	const body = levels.reduce<IDataObject>((inner) => ({ inner }), {});
	const error = attemptError(subscribe(body), 'api.example.com', { status: 500, body: '' });
	expect(error).toMatchObject({ outcome: 'unknown', hint: expect.stringContaining('[too deep]') });
});
