import { revokeGrants } from '../auth/adapter';
import { addRedirectUri, findApplication } from '../domain/applications';
import { changeClientSecret } from '../domain/clients';
import { payWhatIsDue, resumeSettlement } from '../domain/settlement';
import { findUser } from '../domain/users';
import { faultSchema } from '../http/requestFaults';
import { notFound } from '../shared/errors';
import { object, text } from '../shared/jsonSchema';
import { settingsSchema } from '../shared/settings';
import { get, post, remove, type ControlContext } from './routeTypes';

const moment = {
	type: 'string',
	format: 'date-time',
	title: 'Time in UTC',
	description: 'For example 2030-01-31T00:00:00Z.',
	problem: 'Enter a time like 2030-01-31T00:00:00Z.',
} as const;
const seconds = { type: 'number', exclusiveMinimum: 0, maximum: 1e9 } as const;

/** Routes about the running service: settings, requests, faults, rate limit, clock and tokens. */
export function serviceRoutes(context: ControlContext) {
	const { network, signer, log, faults, rateLimit, deliveries, background } = context;
	const { store, clock, settings } = network;
	const clockView = () => ({
		now: clock.iso(),
		offsetSeconds: clock.offsetSeconds,
		frozen: clock.isFrozen,
	});

	/** Changes the clock, and waits until what has become due has happened. */
	const changeClock = async (change: () => void) => {
		change();
		await background.idle();
		return clockView();
	};
	const userId = (idOrEmail: string): string => {
		const found = findUser(network, idOrEmail);
		if (found === undefined) {
			throw notFound('user', idOrEmail);
		}

		return found.id;
	};

	return {
		settings: get('/settings', 'The settings in force', () => settings.values),
		setSettings: post('/settings', 'Change settings', settingsSchema, async (changes) => {
			store.transaction(() => {
				settings.change(changes);
				resumeSettlement(network);
				payWhatIsDue(network);
			});

			if ('requestsPerMinute' in changes || 'rateWindowSeconds' in changes) {
				rateLimit.clear();
			}

			deliveries.refresh();
			await background.idle();
			return settings.values;
		}),
		requests: get(
			'/requests',
			'Request log, of one operation with ?operationId=',
			({ operationId: name }) => ({ requests: log.read({ name }) }),
			{ query: ['operationId'], args: ['operationId'], result: 'requests' },
		),
		clearRequests: remove('/requests', 'Empty the request log', () => {
			log.clear();
		}),
		addFault: post(
			'/faults',
			'Inject a fault of requests',
			faultSchema,
			(fault) => ({ fault: faults.inject(fault) }),
			{ result: 'fault' },
		),
		faults: get('/faults', 'Faults that still strike', () => ({ faults: faults.list() }), {
			result: 'faults',
		}),
		clearFaults: remove('/faults', 'Clear all faults of requests', () => {
			faults.clear();
		}),
		rateLimit: get(
			'/rate-limit',
			'What the rate limit has seen of each account',
			() => ({ accounts: rateLimit.usage() }),
			{ result: 'accounts' },
		),
		now: get('/clock', "The sandbox's time", clockView, { result: 'now' }),
		advanceClock: post(
			'/clock/advance',
			'Move the clock forward',
			object({ seconds }, ['seconds']),
			async (step) =>
				await changeClock(() => {
					clock.advance(step.seconds);
				}),
			{ args: ['seconds'], result: 'now' },
		),
		setClock: post(
			'/clock/set',
			'Set the clock; back only while it is frozen',
			object({ at: moment }, ['at']),
			async ({ at }) =>
				await changeClock(() => {
					const isBack = Date.parse(at) < clock.nowMs();
					clock.set(Date.parse(at));
					if (isBack) {
						// What was counted lies in the future now.
						rateLimit.clear();
					}
				}),
			{ args: ['at'], result: 'now' },
		),
		freezeClock: post(
			'/clock/freeze',
			'Let the clock stand still',
			object({}),
			async () =>
				await changeClock(() => {
					clock.freeze();
				}),
			{ args: [], result: 'now' },
		),
		resumeClock: post(
			'/clock/resume',
			'Let the clock run on from where it stands',
			object({}),
			async () =>
				await changeClock(() => {
					clock.resume();
				}),
			{ args: [], result: 'now' },
		),
		expireTokens: post('/tokens/expire', 'Let every token issued so far expire', object({}), () => {
			signer.expireAll();
		}),
		userToken: post(
			'/user-token',
			'An access token of a user (UUID or address)',
			object({ user: text }, ['user']),
			async ({ user }) => ({ accessToken: await signer.issue({ kind: 'user', id: userId(user) }) }),
			{ args: ['user'], result: 'accessToken' },
		),
		setClientSecret: post(
			'/clients/secret',
			'Give a client another secret; its tokens stay valid',
			object({ clientId: text, secret: text }, ['clientId', 'secret']),
			({ clientId, secret }) => {
				if (!changeClientSecret(store, clientId, secret)) {
					throw notFound('client', clientId);
				}
			},
			{ args: ['clientId', 'secret'] },
		),
		addRedirectUri: post(
			'/redirect-uris',
			'Register one more redirect URI of an application',
			object({ applicationId: text, redirectUri: text }, ['applicationId', 'redirectUri']),
			({ applicationId, redirectUri }) => {
				if (findApplication(store, applicationId) === undefined) {
					throw notFound('application', applicationId);
				}

				addRedirectUri(store, applicationId, redirectUri);
			},
			{ args: ['redirectUri', 'applicationId'] },
		),
		revokeGrants: post(
			'/grants/revoke',
			'Revoke what a user (UUID or address), or each user, granted to applications',
			object({ user: text }),
			({ user }) => {
				revokeGrants(store, user === undefined ? undefined : userId(user));
			},
			{ args: ['user'] },
		),
	};
}
