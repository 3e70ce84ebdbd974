import { NodeApiError } from 'n8n-workflow';

import { networkFailure } from '../../../nodes/PartnerPayments/service/http/networkFailure';
import { CODES, errorWithCode, NEVER_SENT, node, PERHAPS_SENT } from './networkCodes';

describe('networkFailure', () => {
	test.each(NEVER_SENT)('%s: the request was never sent', (code) => {
		expect(networkFailure(errorWithCode(code)).neverSent).toBe(true);
	});

	test.each(PERHAPS_SENT)('%p: the request may have arrived', (code) => {
		expect(networkFailure(errorWithCode(code)).neverSent).toBe(false);
	});

	test.each(CODES)('%p: is transient unless somebody must correct something', (code) => {
		const lasting = /^(ENOTFOUND|EPROTO)$|CERT|VERIFY/;
		expect(networkFailure(errorWithCode(code)).isTransient).toBe(!lasting.test(code));
	});

	test.each(CODES)('%p: gives a reason that n8n does not replace', (code) => {
		const { reason } = networkFailure(errorWithCode(code));
		expect(reason).toMatch(/^[a-z]/);
		expect(reason).not.toMatch(/\b[A-Z_]{4,}\b(?<!HTTPS)/);
		expect(new NodeApiError(node, {}, { message: reason }).message).toBe(reason);
	});

	test('finds the code in the cause', () => {
		const error = new Error('outer', {
			cause: new Error('inner', { cause: errorWithCode('ENOTFOUND') }),
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
