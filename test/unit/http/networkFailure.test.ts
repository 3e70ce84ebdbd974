import { NodeApiError } from 'n8n-workflow';

import { networkFailure } from '../../../nodes/PartnerPayments/api/http/networkFailure';
import { errorWithCode, node } from '../support';

/** The error codes of connections that never opened. */
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
	'EPROTO',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'CERT_UNTRUSTED',
	'CERT_NOT_YET_VALID',
];

/** The error codes of requests that may have arrived; the empty one means an error without a code. */
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

describe('networkFailure', () => {
	test.each(CODES)('%p: what it says of the request, in words that n8n keeps', (code) => {
		// Transient unless a person must correct something.
		const lasting = /^(ENOTFOUND|EPROTO)$|CERT|VERIFY/;
		const setting = 'NODE_EXTRA_CA_CERTS';

		const { reason, ...failure } = networkFailure(errorWithCode(code));

		expect(failure).toEqual({
			neverSent: NEVER_SENT.includes(code),
			isTransient: !lasting.test(code),
		});
		expect(reason).toMatch(/^[a-z]/);
		expect(reason.replace(setting, '')).not.toMatch(/\b[A-Z_]{4,}\b(?<!HTTPS)/);
		expect(new NodeApiError(node, {}, { message: reason }).message).toBe(reason);
	});

	test.each([
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	])('%s: it says which setting makes n8n trust a certificate', (code) => {
		expect(networkFailure(errorWithCode(code)).reason).toContain('NODE_EXTRA_CA_CERTS');
	});

	test('finds the code in the cause, or where earlier versions of n8n keep it', () => {
		const error = new Error('outer', {
			cause: new Error('inner', { cause: errorWithCode('ENOTFOUND') }),
		});

		for (const one of [error, { httpCode: 'ENOTFOUND' }, { cause: {}, httpCode: 'ENOTFOUND' }]) {
			expect(networkFailure(one)).toEqual(networkFailure(errorWithCode('ENOTFOUND')));
		}
	});

	test('does not take a status for the code of a connection', () => {
		expect(networkFailure({ httpCode: 404 }).neverSent).toBe(false);
	});

	test("an error that only mentions n8n's protection was not blocked by it", () => {
		expect(networkFailure(new Error('No SsrfBlocked here')).neverSent).toBe(false);
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
		'%s on a connection that was open: the request may have arrived',
		(code) => {
			const thrown = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
			const bare = { httpCode: code, messages: [`read ${code}`] };

			for (const error of [thrown, new Error('outer', { cause: thrown }), bare]) {
				expect(networkFailure(error).neverSent).toBe(false);
			}
		},
	);

	test.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
		'%s on a connection that did not open: the request was never sent',
		(code) => {
			const unopened = { code, syscall: 'connect', message: `connect ${code}, nothing to read` };

			expect(networkFailure(unopened).neverSent).toBe(true);
		},
	);

	const forbidden = Object.assign(new Error('The request was blocked because it is restricted'), {
		name: 'SsrfBlockedIpError',
	});

	test.each([
		['as n8n throws it', forbidden],
		[
			'in an error of n8n',
			new NodeApiError(node, { message: 'No' }, { message: forbidden.message }),
		],
		['as the cause', new Error('outer', { cause: forbidden })],
	])("a request that n8n's protection blocks was never sent: %s", (_, thrown) => {
		expect(networkFailure(thrown)).toEqual({
			reason: 'this n8n does not allow requests to that address',
			neverSent: true,
			isTransient: false,
		});
	});

	test.each<[thrown: unknown]>([['text'], [null], [undefined], [5], [{}], [new Error('none')]])(
		'%p, which says nothing, leaves a request unconfirmed',
		(thrown) => {
			expect(networkFailure(thrown)).toEqual({
				reason: 'the connection broke before an answer came',
				neverSent: false,
				isTransient: true,
			});
		},
	);
});
