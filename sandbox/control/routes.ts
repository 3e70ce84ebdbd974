import { addRedirectUri, findApplication } from '../domain/applications';
import { setRefreshTokens, type RefreshTokens } from '../auth/identity-provider';
import { revokeGrants } from '../auth/adapter';
import type { Signer } from '../auth/signer';
import type { Clock } from '../store/clock';
import type { Deliveries } from '../deliveries/dispatcher';
import { allDeposits, presentDeposit, receiveDeposit } from '../domain/deposits';
import { allFundings } from '../domain/fundings';
import { readLedger } from '../domain/ledger';
import { readOutbox } from '../domain/mail';
import type { Network } from '../network/network';
import { allPartners } from '../domain/partners';
import { allPayables } from '../domain/payables';
import { setSettlementMode, type SettlementMode } from '../domain/settlement';
import { allSubscriptions } from '../domain/subscriptions';
import { findUser } from '../domain/users';
import {
	acceptInvitation,
	allVendors,
	changeTaxForm,
	decideVendor,
	registerVendor,
	type TaxForm,
	type VendorStatus,
} from '../domain/vendors';
import { findWorkspace } from '../domain/workspaces';
import { notFound } from '../shared/errors';
import { readEvents } from '../network/events';
import type { Fault, Faults } from '../http/faults';
import { MINUTE_SECONDS, type Rate, type RateLimit } from '../http/rate-limit';
import type { RequestLog } from '../http/request-log';
import { defaultSeed } from '../seed/demo';
import { seedSchema, type Seed } from '../seed/schema';
import { plant } from '../seed/apply';
import { deliveryRoutes } from './delivery-routes';
import { faultSchema } from './fault-schema';
import { object, post, route, type ControlRoute } from './route';
import { vendorView, workspaceViews } from '../domain/views';

/** Everything the control API can reach. */
export interface Controlled {
	network: Network;
	clock: Clock;
	signer: Signer;
	log: RequestLog;
	faults: Faults;
	rateLimit: RateLimit;
	deliveries: Deliveries;
	/** The limit that the sandbox was started with. */
	initialRate: Rate;
}

const text = { type: 'string', minLength: 1 };
const email = { type: 'string', format: 'email' };
const minorUnits = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** The routes of the control API under `/_sandbox`, in the order in which they are listed. */
export function controlRoutes(controlled: Controlled): ControlRoute[] {
	const { network, clock, signer, log, faults, rateLimit } = controlled;
	const atomically = <T>(work: () => T): T => network.store.transaction(work);

	const workspace = (id: string): string => {
		const found = findWorkspace(network, id);
		if (found === undefined) throw notFound('workspace', id);
		return found.id;
	};
	const userId = (idOrEmail: string): string => {
		const found = findUser(network, idOrEmail);
		if (found === undefined) throw notFound('user', idOrEmail);
		return found.id;
	};
	const decide = (verdict: 'verified' | 'rejected') => (body: { vendor: string }) => ({
		vendor: vendorView(network)(atomically(() => decideVendor(network, body.vendor, verdict))),
	});
	const reset = (seed: Seed) => {
		network.store.clear();
		controlled.deliveries.reset();
		faults.clear();
		log.clear();
		rateLimit.change(controlled.initialRate);
		clock.reset();
		setSettlementMode(network, 'automatic');
		setRefreshTokens(network.store, 'rotated');
		plant(network, seed);
		return { ok: true };
	};
	const state = () => ({
		workspaces: workspaceViews(network),
		vendors: allVendors(network).map(vendorView(network)),
		partners: allPartners(network),
		payables: allPayables(network),
		fundings: allFundings(network),
		deposits: allDeposits(network).map(presentDeposit),
		subscriptions: allSubscriptions(network),
	});
	const one = (key: keyof ReturnType<typeof state>, does: string): ControlRoute =>
		route('GET', `/${key}`, does, () => ({ [key]: state()[key] }));

	return [
		post<Seed>(
			'/seed',
			'add buyers, clients, workspaces, users and vendors',
			seedSchema,
			(seed) => {
				plant(network, seed);
				return { ok: true };
			},
		),
		post<{ seed?: Seed }>(
			'/reset',
			'begin anew, with the given seed or the demonstration network',
			object({ seed: seedSchema }),
			({ seed }) => atomically(() => reset(seed ?? defaultSeed)),
		),

		route('GET', '/state', 'everything below in one answer', state),
		one('workspaces', 'workspaces with buyer, balance and account'),
		one('vendors', 'vendors of the network with the balance of their wallets'),
		one('partners', 'vendors as the workspaces see them'),
		one('payables', 'payables with their states'),
		one('fundings', 'fundings with their payables and deposits'),
		one('deposits', 'deposits, linked or not'),
		one('subscriptions', 'webhook subscriptions, without their secrets'),
		route('GET', '/ledger', 'accounts, entries and their sum, which is zero', () =>
			readLedger(network),
		),
		route('GET', '/outbox', 'mails that would have been sent', () => ({
			mails: readOutbox(network),
		})),
		route('GET', '/events', 'events that subscribers can hear of, in order', () => ({
			events: readEvents(network),
		})),
		...deliveryRoutes(network, controlled.deliveries),

		post<{ email: string; businessName?: string; status?: VendorStatus; serviceId?: string }>(
			'/vendors',
			'enter a vendor into the network, attached to nobody',
			object(
				{
					email,
					businessName: text,
					status: { type: 'string', enum: ['pending', 'verified', 'rejected'] },
					serviceId: text,
				},
				['email'],
			),
			(vendor) => ({
				vendor: vendorView(network)(atomically(() => registerVendor(network, vendor))),
			}),
		),
		post(
			'/vendors/verify',
			'verify a vendor (address or network id); waiting payables settle',
			object({ vendor: text }, ['vendor']),
			decide('verified'),
		),
		post(
			'/vendors/reject',
			'reject a vendor (address or network id)',
			object({ vendor: text }, ['vendor']),
			decide('rejected'),
		),
		post<{ vendor: string; status: TaxForm }>(
			'/vendors/tax-form',
			"a vendor's tax form runs out (expired) or is renewed (valid)",
			object({ vendor: text, status: { type: 'string', enum: ['valid', 'expired'] } }, [
				'vendor',
				'status',
			]),
			({ vendor, status }) => ({
				vendor: vendorView(network)(atomically(() => changeTaxForm(network, vendor, status))),
			}),
		),
		post<{ workspaceId: string; email: string; businessName?: string }>(
			'/invitations/accept',
			'a vendor accepts an invitation, by mail or by the link',
			object({ workspaceId: text, email, businessName: text }, ['workspaceId', 'email']),
			(body) =>
				atomically(() => {
					const id = workspace(body.workspaceId);
					acceptInvitation(network, id, body.email, body.businessName ?? null);
					return { ok: true };
				}),
		),
		post<{ workspaceId: string; amount: number }>(
			'/deposits',
			'a bank transfer arrives (also in production mode)',
			object({ workspaceId: text, amount: minorUnits }, ['workspaceId', 'amount']),
			({ workspaceId, amount }) =>
				atomically(() => ({
					deposit: presentDeposit(receiveDeposit(network, workspace(workspaceId), amount)),
				})),
		),
		post<{ mode: SettlementMode }>(
			'/settlement',
			'hold payables in will_pay (manual), or pay them at once (automatic)',
			object({ mode: { type: 'string', enum: ['automatic', 'manual'] } }, ['mode']),
			({ mode }) =>
				atomically(() => {
					setSettlementMode(network, mode);
					return { mode };
				}),
		),

		route('GET', '/requests', 'request log, of one operation with ?operationId=', ({ query }) => ({
			requests: log.read([query['operationId']].flat()[0]),
		})),
		route('DELETE', '/requests', 'forget the request log', () => {
			log.clear();
			return { ok: true };
		}),

		post<Fault>('/faults', 'order a fault', faultSchema, (fault) => ({ fault: faults.arm(fault) })),
		route('GET', '/faults', 'faults that still strike', () => ({ faults: faults.read() })),
		route('DELETE', '/faults', 'call all faults off', () => {
			faults.clear();
			return { ok: true };
		}),
		route('GET', '/rate-limit', 'the limit, and what it has seen of each account', () => ({
			...rateLimit.rate,
			accounts: rateLimit.read(),
		})),
		post<{ requestsPerMinute: number; windowSeconds?: number }>(
			'/rate-limit',
			'change the limit and forget what was counted',
			object(
				{
					requestsPerMinute: { type: 'integer', minimum: 1 },
					windowSeconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
				},
				['requestsPerMinute'],
			),
			({ requestsPerMinute, windowSeconds = MINUTE_SECONDS }) => {
				rateLimit.change({ requestsPerMinute, windowSeconds });
				return rateLimit.rate;
			},
		),

		route('GET', '/clock', "the sandbox's time", () => clockView(clock)),
		post<{ seconds: number }>(
			'/clock/advance',
			'move the clock forward',
			object({ seconds: { type: 'number', exclusiveMinimum: 0, maximum: 1e9 } }, ['seconds']),
			({ seconds }) => {
				clock.advance(seconds);
				return clockView(clock);
			},
		),
		route('POST', '/tokens/expire', 'every token issued so far counts as expired', () => {
			signer.expireAll();
			return { ok: true };
		}),
		post<{ user: string }>(
			'/user-token',
			'an access token of a user (UUID or address)',
			object({ user: text }, ['user']),
			async ({ user }) => ({
				accessToken: await signer.issue({ kind: 'user', id: userId(user) }),
			}),
		),
		post<{ applicationId: string; redirectUri: string }>(
			'/redirect-uris',
			'register one more redirect URI of an application',
			object({ applicationId: text, redirectUri: text }, ['applicationId', 'redirectUri']),
			({ applicationId, redirectUri }) => {
				if (findApplication(network.store, applicationId) === undefined) {
					throw notFound('application', applicationId);
				}
				addRedirectUri(network.store, applicationId, redirectUri);
				return { ok: true };
			},
		),
		post<{ mode: RefreshTokens }>(
			'/refresh-tokens',
			'answer a refresh with a new refresh token (rotated) or without one (kept)',
			object({ mode: { type: 'string', enum: ['rotated', 'kept'] } }, ['mode']),
			({ mode }) => {
				setRefreshTokens(network.store, mode);
				return { mode };
			},
		),
		post<{ user?: string }>(
			'/grants/revoke',
			'take back what a user (UUID or address), or everybody, granted to applications',
			object({ user: text }),
			({ user }) => {
				revokeGrants(network.store, user === undefined ? undefined : userId(user));
				return { ok: true };
			},
		),
	];
}

const clockView = (clock: Clock) => ({ now: clock.iso(), offsetSeconds: clock.offsetSeconds });
