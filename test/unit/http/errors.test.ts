import type { IDataObject } from 'n8n-workflow';

import { ExplainedError, InputError } from '../../../nodes/PartnerPayments/shared/errors';
import {
	classifyFailure,
	classifyStatus,
	type AttemptResult,
	type FailureKind,
	type Outcome,
} from '../../../nodes/PartnerPayments/api/http/outcome';
import {
	attemptError,
	accountBlockedError,
	cancelledError,
	isConflict,
	isGroupRefusal,
	isAmbiguous,
	outcomeOf,
	ServiceError,
	unreadableError,
} from '../../../nodes/PartnerPayments/api/http/errors';
import { networkFailure } from '../../../nodes/PartnerPayments/api/http/networkFailure';
import type { Idempotency, ServiceRequest } from '../../../nodes/PartnerPayments/api/http/message';
import { serviceMessage } from '../../../nodes/PartnerPayments/api/http/serviceMessage';
import { errorWithCode } from '../support';
import { requestWith } from './requestHarness';

/** The error for a single attempt that failed with this result. */
const errorFor = (
	request: ServiceRequest,
	result: AttemptResult,
	failureKind: FailureKind,
): ServiceError =>
	attemptError(request, { host: 'api.example.com', result, failureKind, attempts: 1 });

const networkError = (idempotency: Idempotency, code: string): ServiceError => {
	const failure = networkFailure(errorWithCode(code));
	return errorFor(
		requestWith(idempotency),
		{ kind: 'unanswered', failure },
		classifyFailure(failure),
	);
};

const answerError = (request: ServiceRequest, status: number, body: unknown): ServiceError => {
	const failureKind = classifyStatus(status);
	if (failureKind === 'success') {
		throw new Error(`The status ${status} is no failure`);
	}
	return errorFor(request, { kind: 'answered', status, body }, failureKind);
};

const responseError = (idempotency: Idempotency, status: number, body: unknown): ServiceError =>
	answerError(requestWith(idempotency), status, body);

test.each<[idempotency: Idempotency, outcome: string]>([
	['nonIdempotent', 'unknown'],
	['idempotent', 'refused'],
	['safe', 'refused'],
])('without a clear answer, a request that is %s has the outcome %s', (idempotency, outcome) => {
	const unanswered = networkError(idempotency, 'ECONNRESET');
	const failed = responseError(idempotency, 500, '');

	const unreadable = unreadableError(requestWith(idempotency), 'an ID', 200);

	expect(unanswered).toMatchObject({ outcome, status: undefined, failureKind: 'ambiguous' });
	expect(failed).toMatchObject({ outcome, status: 500 });
	expect(unreadable).toMatchObject({ outcome, status: 200, failureKind: 'unreadable' });
});

test.each<Idempotency>(['nonIdempotent', 'idempotent', 'safe'])(
	'an error says what to do next about a request that is %s',
	(idempotency) => {
		const { hint, description } = networkError(idempotency, 'ECONNRESET');

		expect(hint).toMatch(/\w.*\.$/);
		expect(description).toBe(hint);
		expect(networkError(idempotency, 'ECONNREFUSED').hint).toContain('that does no harm');
	},
);

test.each<[status: number, failureKind: FailureKind, outcome: Outcome, hint: string]>([
	[302, 'ambiguous', 'unknown', 'Check that the "API Base URL" of the credential'],
	[400, 'declined', 'refused', 'Nothing was done. Check the values of this item.'],
	[401, 'denied', 'refused', 'client ID, secret, audience and environment'],
	[403, 'denied', 'refused', 'Check its role in the workspace'],
	[404, 'missing', 'unknown', 'Check the IDs of this item'],
	[408, 'ambiguous', 'unknown', 'Try again later.'],
	[409, 'conflict', 'refused', 'It does not fit the present state'],
	[422, 'declined', 'refused', 'Nothing was done. Check the values of this item.'],
	[429, 'rateLimited', 'notSent', '"Requests per Minute" of the credential'],
	[503, 'ambiguous', 'unknown', 'The service has a problem.'],
])(
	'a creation that is answered with %p is %s, its outcome is %s, and its hint says: %s',
	(status, failureKind, outcome, hint) => {
		const creation = responseError('nonIdempotent', status, { message: 'Because' });

		const question = responseError('safe', status, {});

		expect(creation).toMatchObject({ status, failureKind, outcome });
		expect(creation.message).toContain(`status ${status}`);
		expect(question).toMatchObject({ status, failureKind });
		expect(question.outcome).toBe(outcome === 'notSent' ? 'notSent' : 'refused');
		expect(question.hint).toContain(hint);
		expect(question.hint).toContain('POST /thing');
	},
);

test.each([
	[409, /^Look for it there\. The request was/],
	[422, /^Enter less\. The request was/],
	[403, /^The connected account may not do this\./],
])('a request that says what to do about a refusal, answered with %s, says %s', (status, hint) => {
	const request = {
		...requestWith('nonIdempotent'),
		conflictHint: 'Look for it there.',
		declinedHint: 'Enter less.',
	};

	const error = answerError(request, status, '');

	expect(error.hint).toMatch(hint);
});

describe('the error of an unconfirmed request', () => {
	const unconfirmed = (body: IDataObject | undefined): ServiceError => {
		const { body: _, ...request } = requestWith('nonIdempotent');
		return answerError({ ...request, ...(body && { body }) }, 500, '');
	};

	test('has the reason in its message and as a property', () => {
		const reason = 'the service answered with status 500';

		expect(responseError('nonIdempotent', 500, '')).toMatchObject({
			reason,
			message: `Unconfirmed whether the request to do it worked: ${reason}`,
		});
	});

	test('says what the request itself says to do', () => {
		const request = { ...requestWith('nonIdempotent'), unconfirmedHint: 'Look there.' };

		const { hint } = answerError(request, 500, '');

		expect(hint).toMatch(/^Look there\. The request was/);
		expect(unconfirmed({}).hint).not.toContain('Look there.');
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
		const request = hint.slice(hint.indexOf('POST'), -1).replace('…', '');

		expect(hint).toMatch(end);
		expect(request).toHaveLength(Math.min(length, 1000));
	});
});

test('an error whose outcome is known has its message as the reason', () => {
	const error = responseError('safe', 404, { message: 'No' });

	expect(error.reason).toBe(error.message);
});

test.each([
	[1, /\(status 503\)$/],
	[3, /\(status 503\), tried 3 times$/],
])('an error after %i attempts says how many they were, if there were several', (attempts, end) => {
	const result = { kind: 'answered', status: 503, body: '' } as const;

	const error = attemptError(requestWith('safe'), {
		host: 'api.example.com',
		result,
		failureKind: 'ambiguous',
		attempts,
	});

	expect(error.message).toMatch(end);
});

test.each([
	[60_000, 'another 1 '],
	[60_001, 'another 2 '],
])('a request that the service takes in %i ms says after how long', (forMs, minutes) => {
	const error = accountBlockedError(requestWith('safe'), forMs);

	expect(error).toMatchObject({
		message: expect.stringContaining(minutes),
		failureKind: 'rateLimited',
		status: 429,
	});
});

test('an error in other words keeps what it says about the request', () => {
	const error = responseError('nonIdempotent', 409, { message: 'No' });

	const reworded = error.reworded({ hint: 'Ask.' });

	expect(reworded).toMatchObject({
		message: error.message,
		hint: 'Ask.',
		outcome: 'refused',
		failureKind: 'conflict',
		status: 409,
		reason: error.reason,
	});
});

test('an unreadable success names what is missing and where it came from', () => {
	const error = unreadableError(requestWith('safe'), 'an ID', 200);

	expect(error).toMatchObject({
		message: 'Could not do it: the service answered without an ID (status 200)',
		hint: expect.stringMatching(/^Check that the "API Base URL" .* was POST \/thing\.$/),
	});
});

test('an unreadable success is the reason why a request is unconfirmed', () => {
	const error = unreadableError(requestWith('nonIdempotent'), 'an ID', 200);

	expect(error.reason).toBe('the service answered without an ID');
});

/** An error of another layer that the node explains. */
class OtherError extends ExplainedError {}

test.each<[error: unknown, outcome: Outcome]>([
	[responseError('nonIdempotent', 500, ''), 'unknown'],
	[responseError('nonIdempotent', 422, ''), 'refused'],
	[responseError('nonIdempotent', 429, ''), 'notSent'],
	[networkError('nonIdempotent', 'ENOTFOUND'), 'notSent'],
	[networkError('safe', 'ECONNRESET'), 'refused'],
	[accountBlockedError(requestWith('nonIdempotent'), 60_000), 'notSent'],
	[cancelledError(requestWith('nonIdempotent')), 'notSent'],
	[new ServiceError({ message: 'No access token', hint: 'Check it.' }), 'notSent'],
	[new InputError('It is empty', 'Enter it.'), 'notSent'],
	[new OtherError('It is full', 'Empty it.'), 'notSent'],
	[new Error('A bug'), 'unknown'],
	[Object.assign(new Error('A bug'), { outcome: 'notSent' }), 'unknown'],
	['text', 'unknown'],
	[undefined, 'unknown'],
])('the outcome of %p is %s', (error, outcome) => {
	expect(outcomeOf(error)).toBe(outcome);
});

test('a part of a group may still be accepted only after a plain refusal', () => {
	const statuses = [400, 401, 402, 403, 404, 409, 411, 413, 414, 415, 422, 429, 500];

	const refusing = statuses.filter((status) =>
		isGroupRefusal(responseError('nonIdempotent', status, '')),
	);

	expect(refusing).toEqual([400, 402, 411, 413, 414, 415, 422]);
	expect(isGroupRefusal(new Error('A bug'))).toBe(false);
});

test.each<[error: unknown, expected: boolean]>([
	[responseError('idempotent', 500, ''), true],
	[networkError('idempotent', 'ECONNRESET'), true],
	[networkError('idempotent', 'ECONNREFUSED'), false],
	[responseError('idempotent', 422, ''), false],
	[unreadableError(requestWith('idempotent'), 'an ID', 200), false],
	[new Error('A bug'), false],
])('whether %p means that the service does not answer: %p', (error, expected) => {
	expect(isAmbiguous(error)).toBe(expected);
});

test('only a refusal because of the state that things are in is a conflict', () => {
	const statuses = [400, 401, 403, 404, 409, 422, 429, 500];

	const conflicting = statuses.filter((status) =>
		isConflict(responseError('nonIdempotent', status, '')),
	);

	expect(conflicting).toEqual([409]);
	expect(isConflict(new Error('A bug'))).toBe(false);
});

test('only a request that has an effect each time is told to look for what it did', () => {
	const unknown = [
		networkError('nonIdempotent', 'ECONNRESET'),
		responseError('nonIdempotent', 500, ''),
	];
	const known = [networkError('idempotent', 'ECONNRESET'), responseError('idempotent', 500, '')];

	for (const { message, reason } of unknown) {
		expect(message).toMatch(/^Unconfirmed /);
		expect(message).toContain(reason);
		expect(reason).not.toBe('');
	}
	for (const { message } of known) {
		expect(message).toMatch(/^Could not /);
	}
});

const SECRET = 'a-value-that-signs';

const subscribe = (body: NonNullable<ServiceRequest['body']>): ServiceRequest => ({
	method: 'POST',
	path: '/webhook-subscription',
	task: 'create the webhook subscription',
	idempotency: 'nonIdempotent',
	body,
});

test.each([
	[`{"secret":"${SECRET}","id":1}`, '{"secret":"[redacted]","id":1}'],
	[`no such token=${SECRET}`, 'no such token=[redacted]'],
	[`${SECRET} is too short`, '[redacted] is too short'],
])('an error quotes no secret of the answer or the request: %s', (answer, quoted) => {
	const request = subscribe({ signing_secret: SECRET });

	expect(answerError(request, 422, { message: answer }).message).toBe(
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

	const { hint } = answerError(request, 500, '');

	expect(hint.slice(hint.indexOf('{'))).toBe(
		'{"url":"https://hooks.example.com/?token=[redacted]&id=1","signing":"[redacted]","description":"Sign with [redacted]","secret":"[redacted]"}.',
	);
});

test('an unconfirmed request that is not shown to its end shows no part of a secret', () => {
	const request = subscribe({ config: `{"a":"${'x'.repeat(900)}","secret":"${SECRET.repeat(20)}` });

	const { hint } = answerError(request, 500, '');

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

	const error = answerError(subscribe(body), 500, '');

	expect(error).toMatchObject({ outcome: 'unknown', hint: expect.stringContaining('[too deep]') });
});
