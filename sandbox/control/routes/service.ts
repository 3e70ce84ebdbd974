import type { RefreshTokens } from '../../auth/identity-provider';
import { faultSchema, type ActiveFault } from '../../http/faults';
import type { AccountUsage, Rate } from '../../http/rate-limit';
import type { LoggedRequest } from '../../http/request-log';
import { object, text } from '../../shared/json-schema';
import { reply, type Route } from '../route';

/** Routes about the running service: requests, faults, rate limit, clock and tokens. */
export const serviceRoutes = {
	requests: {
		method: 'GET',
		path: '/requests',
		summary: 'request log, of one operation with ?operationId=',
		query: ['operationId'],
		response: reply<{ requests: LoggedRequest[] }>(),
		arguments: ['operationId'],
		result: 'requests',
	},
	clearRequests: { method: 'DELETE', path: '/requests', summary: 'empty the request log' },
	addFault: {
		method: 'POST',
		path: '/faults',
		summary: 'inject a fault',
		body: faultSchema,
		response: reply<{ fault: ActiveFault }>(),
		result: 'fault',
	},
	faults: {
		method: 'GET',
		path: '/faults',
		summary: 'faults that still strike',
		response: reply<{ faults: ActiveFault[] }>(),
		result: 'faults',
	},
	clearFaults: { method: 'DELETE', path: '/faults', summary: 'clear all faults' },
	rateLimit: {
		method: 'GET',
		path: '/rate-limit',
		summary: 'the limit, and what it has seen of each account',
		response: reply<Rate & { accounts: AccountUsage[] }>(),
	},
	setRequestsPerMinute: {
		method: 'POST',
		path: '/rate-limit',
		summary: 'change the limit and forget what was counted',
		body: object(
			{
				requestsPerMinute: { type: 'integer', minimum: 1 },
				windowSeconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
			},
			['requestsPerMinute'],
		),
		response: reply<Rate>(),
		arguments: ['requestsPerMinute', 'windowSeconds'],
	},
	now: {
		method: 'GET',
		path: '/clock',
		summary: "the sandbox's time",
		response: reply<{ now: string; offsetSeconds: number }>(),
		result: 'now',
	},
	advanceClock: {
		method: 'POST',
		path: '/clock/advance',
		summary: 'move the clock forward',
		body: object({ seconds: { type: 'number', exclusiveMinimum: 0, maximum: 1e9 } }, ['seconds']),
		response: reply<{ now: string; offsetSeconds: number }>(),
		arguments: ['seconds'],
		result: 'now',
	},
	expireTokens: {
		method: 'POST',
		path: '/tokens/expire',
		summary: 'every token issued so far counts as expired',
	},
	userToken: {
		method: 'POST',
		path: '/user-token',
		summary: 'an access token of a user (UUID or address)',
		body: object({ user: text }, ['user']),
		response: reply<{ accessToken: string }>(),
		arguments: ['user'],
		result: 'accessToken',
	},
	setClientSecret: {
		method: 'POST',
		path: '/clients/secret',
		summary: 'give a client another secret; its tokens stay valid',
		body: object({ clientId: text, secret: text }, ['clientId', 'secret']),
		arguments: ['clientId', 'secret'],
	},
	addRedirectUri: {
		method: 'POST',
		path: '/redirect-uris',
		summary: 'register one more redirect URI of an application',
		body: object({ applicationId: text, redirectUri: text }, ['applicationId', 'redirectUri']),
		arguments: ['redirectUri', 'applicationId'],
	},
	setRefreshTokens: {
		method: 'POST',
		path: '/refresh-tokens',
		summary: 'answer a refresh with a new refresh token (rotated) or without one (kept)',
		body: object({ mode: { type: 'string', enum: ['rotated', 'kept'] } }, ['mode']),
		response: reply<{ mode: RefreshTokens }>(),
		arguments: ['mode'],
	},
	revokeGrants: {
		method: 'POST',
		path: '/grants/revoke',
		summary: 'revoke what a user (UUID or address), or everybody, granted to applications',
		body: object({ user: text }),
		arguments: ['user'],
	},
} as const satisfies Record<string, Route>;
