import type { IDataObject } from 'n8n-workflow';

import type { AnswerClass } from '../../../nodes/PartnerPayments/api/http/outcome';
import {
	attemptError,
	isInDoubt,
	isNotDone,
	type ServiceError,
	unreadableError,
} from '../../../nodes/PartnerPayments/api/http/errors';
import { networkFailure } from '../../../nodes/PartnerPayments/api/http/networkFailure';
import type { Semantics, ServiceRequest } from '../../../nodes/PartnerPayments/api/http/message';
import { serviceMessage } from '../../../nodes/PartnerPayments/api/http/serviceMessage';
import { errorWithCode } from '../support';
import { requestWith } from './requestHarness';

const networkError = (semantics: Semantics, code: string): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', {
		failure: networkFailure(errorWithCode(code)),
	});
const responseError = (semantics: Semantics, status: number, body: unknown): ServiceError =>
	attemptError(requestWith(semantics), 'api.example.com', { status, body });

test.each<[semantics: Semantics, outcome: string]>([
	['nonIdempotent', 'unknown'],
	['idempotent', 'notDone'],
	['safe', 'notDone'],
])('without a clear answer, a request that is %s has the outcome %s', (semantics, outcome) => {
	const unanswered = networkError(semantics, 'ECONNRESET');
	expect(unanswered).toMatchObject({ outcome, status: undefined, answer: 'ambiguous' });
	expect(unanswered.hint).toMatch(/\w.*\.$/);
	expect(unanswered.description).toBe(unanswered.hint);
	expect(networkError(semantics, 'ECONNREFUSED').hint).toContain('that does no harm');
	expect(responseError(semantics, 500, '')).toMatchObject({ outcome, status: 500 });
	const unreadable = unreadableError(requestWith(semantics), 'an ID', 200);
	expect(unreadable).toMatchObject({ outcome, status: 200, answer: 'unreadable' });
});

test.each<[status: number, answer: AnswerClass, isRefusal: boolean, hint: string]>([
	[302, 'ambiguous', false, 'Check that the "API Base URL" of the credential'],
	[400, 'declined', true, 'Nothing was done. Check the values of this item.'],
	[401, 'denied', false, 'client ID, secret, audience and environment'],
	[403, 'denied', false, 'Check its role in the workspace'],
	[404, 'missing', true, 'Check the IDs of this item'],
	[408, 'ambiguous', false, 'Try again later.'],
	[409, 'conflict', true, 'It does not fit the present state'],
	[422, 'declined', true, 'Nothing was done. Check the values of this item.'],
	[429, 'rateLimited', false, '"Requests per Minute" of the credential'],
	[503, 'ambiguous', false, 'The service has a problem.'],
])('status %p was %s, is a refusal: %p, and has the hint: %s', (status, answer, ...more) => {
	const [isRefusal, hint] = more;
	for (const semantics of ['safe', 'nonIdempotent'] as const) {
		const error = responseError(semantics, status, { message: 'Because' });
		expect(error).toMatchObject({ status, answer, isRefusal });
		expect(error.message).toContain(`status ${status}`);
	}
	const error = responseError('safe', status, {});
	expect(error).toMatchObject({ outcome: 'notDone', hint: expect.stringContaining(hint) });
	expect(error.hint).toContain('POST /thing');
});

describe('the error of an unconfirmed request', () => {
	const unconfirmed = (body: IDataObject | undefined): ServiceError => {
		const { body: _, ...request } = requestWith('nonIdempotent');
		return attemptError({ ...request, ...(body && { body }) }, 'api.example.com', {
			status: 500,
			body: '',
		});
	};

	test('has the reason in its message and as a property', () => {
		const reason = 'the service answered with status 500';
		expect(responseError('nonIdempotent', 500, '')).toMatchObject({
			reason,
			message: `Unconfirmed whether the request to do it worked: ${reason}`,
		});
	});

	test('says where to look where that is easily mistaken', () => {
		const request = { ...requestWith('nonIdempotent'), lookUp: 'Look there.' };
		const { hint } = attemptError(request, 'api.example.com', { status: 500, body: '' });
		expect(hint).toMatch(/^Look there\. .*ask the operator/);
		expect(unconfirmed({}).hint).toMatch(/^Look for it in the service\. .*ask the operator/);
	});

	test('shows the request', () => {
		expect(unconfirmed({ amount: 5 }).hint).toMatch(/POST \/thing with \{"amount":5\}\.$/);
		expect(unconfirmed(undefined).hint).toMatch(/POST \/thing with \{\}\.$/);
	});

	test.each([
		[1000, /"\}\.$/],
		[1001, /x"…\.$/],
	])('shows a thousand characters of a request that has %p', (length, end) => {
		const others = 'POST /thing with {"a":""}'.length;
		const { hint } = unconfirmed({ a: 'x'.repeat(length - others) });
		expect(hint).toMatch(end);
		const request = hint.slice(hint.indexOf('POST'), -1).replace('…', '');
		expect(request).toHaveLength(Math.min(length, 1000));
	});
});

test('an error whose outcome is known has its message as the reason', () => {
	const error = responseError('safe', 404, { message: 'No' });
	expect(error.reason).toBe(error.message);
});

test('an unreadable success names what is missing and where it came from', () => {
	expect(unreadableError(requestWith('safe'), 'an ID', 200)).toMatchObject({
		message: 'Could not do it: the service answered without an ID (status 200)',
		hint: expect.stringMatching(/^Check that the "API Base URL" .* was POST \/thing\.$/),
	});
	const unconfirmed = unreadableError(requestWith('nonIdempotent'), 'an ID', 200);
	expect(unconfirmed.reason).toBe('the service answered without an ID');
});

test.each<[error: unknown, inDoubt: boolean, notDone: boolean]>([
	[responseError('nonIdempotent', 500, ''), true, false],
	[responseError('nonIdempotent', 422, ''), false, true],
	[new Error('A bug'), false, false],
	[Object.assign(new Error('A bug'), { outcome: 'unknown' }), false, false],
	[Object.assign(new Error('A bug'), { outcome: 'notDone' }), false, false],
	['text', false, false],
])('%p is unconfirmed: %p, not done: %p', (error, inDoubt, notDone) => {
	expect([isInDoubt(error), isNotDone(error)]).toEqual([inDoubt, notDone]);
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

test('an unconfirmed request is shown without its secrets', () => {
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

test('an unconfirmed request that is not shown to its end shows no part of a secret', () => {
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

test('a request stays unconfirmed however deep its body is nested', () => {
	const levels = Array.from({ length: 20_000 });
	const body = levels.reduce<IDataObject>((inner) => ({ inner }), {});
	const error = attemptError(subscribe(body), 'api.example.com', { status: 500, body: '' });
	expect(error).toMatchObject({ outcome: 'unknown', hint: expect.stringContaining('[too deep]') });
});
