import { renewalError } from '../../../nodes/PartnerPayments/service/auth/oAuth2Renewal';

/** What n8n throws around an error of its HTTP client or its OAuth2 client. */
const thrown = (cause: Error): Error => new Error('The request failed', { cause });

/** A connected account whose service gives no refresh tokens. */
const WITHOUT_REFRESH_TOKEN = { oauthTokenData: { access_token: 'token-1' } };

describe('an account without a refresh token', () => {
	test.each([
		new Error(
			'OAuth access token expired and no refresh token is available. Please reconnect the credentials.',
		),
		Object.assign(new Error('refreshToken is required'), { code: 'ERR_ASSERTION' }),
	])('has sent nothing when n8n says so: %s', (cause) => {
		const error = renewalError(thrown(cause), WITHOUT_REFRESH_TOKEN);
		expect(error).toMatchObject({
			message:
				'The access token has expired and could not be renewed: the service gave no refresh token',
			outcome: 'notDone',
		});
	});

	test('has sent nothing when n8n had no token to send with', () => {
		const error = renewalError(
			thrown(new Error('Unable to sign without access token')),
			WITHOUT_REFRESH_TOKEN,
		);
		expect(error).toMatchObject({ outcome: 'notDone' });
	});

	test.each([
		new Error('Failed to decompress response'),
		new Error('Stream closed before completing'),
		new Error('Response body timed out after 60000ms without data'),
		new TypeError('terminated'),
	])('may have sent its request when n8n says anything else: %s', (cause) => {
		expect(renewalError(thrown(cause), WITHOUT_REFRESH_TOKEN)).toBeUndefined();
	});
});
