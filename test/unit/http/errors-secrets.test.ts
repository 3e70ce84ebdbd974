import type { IDataObject } from 'n8n-workflow';

import { attemptError } from '../../../nodes/PartnerPayments/service/http/errors';
import { serviceMessage } from '../../../nodes/PartnerPayments/service/http/serviceMessage';
import type { ServiceRequest } from '../../../nodes/PartnerPayments/service/http/request';

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
