import { path } from '../../../nodes/PartnerPayments/api/client';
import { baseUrl } from '../../../nodes/PartnerPayments/api/http/url';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { thrownBy } from '../support';

describe('baseUrl', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/v1', 'https://api.example.com/v1'],
		['  https://api.example.com/v1/  ', 'https://api.example.com/v1'],
		['https://api.example.com:8443/v1', 'https://api.example.com:8443/v1'],
		['http://localhost:4010/', 'http://localhost:4010'],
		['http://127.0.0.1:4010/api/', 'http://127.0.0.1:4010/api'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('%s becomes %s', (typed, base) => {
		expect(baseUrl(typed, 'API Base URL')).toBe(base);
	});

	const plain = 'must be a plain address';
	const insecure = 'must start with https://';
	const noAddress = 'is not a web address';

	test.each<[reason: string, typed: unknown[]]>([
		[insecure, ['http://api.example.com', 'http://127.0.0.2', 'http://[::2]']],
		[insecure, ['http://10.0.0.1', 'http://localhost.example.com']],
		[insecure, ['http://localhost@evil.example', 'http://evil.example#localhost']],
		[plain, ['https://user@api.example.com', 'https://a:b@api.example.com']],
		[plain, ['https://api.example.com?key=1', 'https://api.example.com/#top']],
		['is empty', ['', '   ', undefined, null, 5]],
		[noAddress, ['api.example.com', 'localhost:4010', 'ftp://api.example.com']],
		[noAddress, ['javascript:alert(1)', 'file:///etc/passwd', 'https://', 'nonsense']],
	])('%s: %j', (reason, refused) => {
		for (const typed of refused) {
			const error = thrownBy(() => baseUrl(typed, 'API Base URL'));

			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({
				message: expect.stringMatching(`^The "API Base URL" of the .*${reason}`),
				outcome: 'notSent',
				hint: 'Correct it in the credential. Nothing was sent.',
			});
			expect(error).toHaveProperty('message', expect.not.stringContaining('a:b'));
		}
	});
});

describe('path', () => {
	test.each([
		['pay_1', 'pay_1'],
		['a?b#c d%', 'a%3Fb%23c%20d%25'],
		['../x', '..%2Fx'],
		['%2e%2e', '%252e%252e'],
		['..\\', '..%5C'],
		['${id}', '%24%7Bid%7D'],
		['ä€', '%C3%A4%E2%82%AC'],
	])('encodes %p as %s', (id, encoded) => {
		expect(path`/workspace/${'w'}/partner/${id}`).toBe(`/workspace/w/partner/${encoded}`);
	});

	test.each(['', '.', '..'])('%p is no ID: a URL would lose its segment', (id) => {
		expect(thrownBy(() => path`/payable/${id}/approve`)).toBeInstanceOf(ServiceError);
	});
});
