import type { components } from '../../contract/service';
import { revokeGrants } from '../auth/adapter';
import { setRefreshTokens } from '../auth/identity-provider';
import type { Signer } from '../auth/signer';
import type { DeliveryDispatcher } from '../deliveries/dispatcher';
import { countDeliveries, readDeliveries } from '../deliveries/views';
import { addRedirectUri, findApplication } from '../domain/applications';
import { allAllocations } from '../domain/allocations';
import { changeClientSecret } from '../domain/clients';
import { allDeposits, presentDeposit, receiveDeposit } from '../domain/deposits';
import { allFundings, setSecondFunding, type SecondFunding } from '../domain/fundings';
import { readLedger } from '../domain/ledger';
import { readOutbox } from '../domain/mail';
import { allPartners } from '../domain/partners';
import { allPayables } from '../domain/payables';
import { setSettlementMode } from '../domain/settlement';
import { setSubscriptionAnswer } from '../domain/subscription-answers';
import { allSubscriptions } from '../domain/subscriptions';
import { findUser } from '../domain/users';
import { acceptInvitation, changeTaxForm, reviewVendor } from '../domain/vendor-lifecycle';
import { allVendors, registerVendor, type VendorRow } from '../domain/vendors';
import { vendorView, workspaceViews } from '../domain/views';
import { requireWorkspace } from '../domain/workspaces';
import type { RequestFaults } from '../http/faults';
import { MINUTE_SECONDS, type Rate, type RateLimiter } from '../http/rate-limit';
import type { RequestLog } from '../http/request-log';
import { readEvents, recordEvent } from '../network/events';
import type { Network } from '../network/network';
import { applySeed } from '../seed/apply';
import { defaultSeed } from '../seed/demo';
import { notFound } from '../shared/errors';
import type { Input, Output, RouteName } from './routes';

/** Everything that the control API can reach. */
export interface ControlContext {
	network: Network;
	signer: Signer;
	log: RequestLog;
	faults: RequestFaults;
	rateLimit: RateLimiter;
	deliveries: DeliveryDispatcher;
	/** What the sandbox was started with. */
	initial: { rate: Rate; secondFunding: SecondFunding };
}

type EventData = components['schemas']['Event']['data'];

type Handler<Name extends RouteName> =
	Output<Name> extends undefined
		? (input: Input<Name>) => void
		: (input: Input<Name>) => Output<Name> | Promise<Output<Name>>;

/** One handler for every route; each gets an input that its route's schema has validated. */
export function controlHandlers(context: ControlContext): {
	[Name in RouteName]: Handler<Name>;
} {
	const { network, signer, log, faults, rateLimit, deliveries, initial } = context;
	const { store, clock } = network;
	const clockView = () => ({ now: clock.iso(), offsetSeconds: clock.offsetSeconds });
	const changeVendor = (change: () => VendorRow) => ({
		vendor: vendorView(network)(store.transaction(change)),
	});
	const userId = (idOrEmail: string): string => {
		const found = findUser(network, idOrEmail);
		if (found === undefined) throw notFound('user', idOrEmail);
		return found.id;
	};
	const state = {
		workspaces: () => ({ workspaces: workspaceViews(network) }),
		vendors: () => ({ vendors: allVendors(network).map(vendorView(network)) }),
		partners: () => ({ partners: allPartners(network) }),
		payables: () => ({ payables: allPayables(network) }),
		fundings: () => ({ fundings: allFundings(network) }),
		deposits: () => ({ deposits: allDeposits(network).map(presentDeposit) }),
		subscriptions: () => ({ subscriptions: allSubscriptions(network) }),
	};
	return {
		...state,
		seed: (seed) => {
			applySeed(network, seed);
		},
		reset: ({ seed = defaultSeed }) => {
			store.transaction(() => {
				store.clear();
				deliveries.reset();
				faults.clear();
				log.clear();
				rateLimit.configure(initial.rate);
				clock.reset();
				setSettlementMode(network, 'automatic');
				setSecondFunding(network, initial.secondFunding);
				setSubscriptionAnswer(network, 'default');
				setRefreshTokens(store, 'rotated');
				applySeed(network, seed);
			});
		},
		state: () => ({
			...state.workspaces(),
			...state.vendors(),
			...state.partners(),
			...state.payables(),
			...state.fundings(),
			...state.deposits(),
			...state.subscriptions(),
		}),
		allocations: () => ({ allocations: allAllocations(network) }),
		ledger: () => readLedger(network),
		outbox: () => ({ mails: readOutbox(network) }),
		events: () => ({ events: readEvents(network) }),

		addVendor: (vendor) => changeVendor(() => registerVendor(network, vendor)),
		verifyVendor: ({ vendor }) => changeVendor(() => reviewVendor(network, vendor, 'verified')),
		rejectVendor: ({ vendor }) => changeVendor(() => reviewVendor(network, vendor, 'rejected')),
		setTaxForm: ({ vendor, status }) => changeVendor(() => changeTaxForm(network, vendor, status)),
		acceptInvitation: ({ workspaceId, email, businessName }) => {
			store.transaction(() => {
				const { id } = requireWorkspace(network, workspaceId);
				acceptInvitation(network, id, email, businessName ?? null);
			});
		},
		deposit: ({ workspaceId, amount }) =>
			store.transaction(() => {
				const { id } = requireWorkspace(network, workspaceId);
				return { deposit: presentDeposit(receiveDeposit(network, id, amount)) };
			}),
		setSettlement: ({ mode }) => {
			store.transaction(() => {
				setSettlementMode(network, mode);
			});
			return { mode };
		},
		setSecondFunding: ({ mode }) => {
			setSecondFunding(network, mode);
			return { mode };
		},
		setSubscriptionAnswer: ({ shape }) => {
			setSubscriptionAnswer(network, shape);
			return { shape };
		},

		emitEvents: ({ events }) =>
			store.transaction(() => ({
				events: events.map(({ event_type, workspaceId, data }) => {
					const { id } = requireWorkspace(network, workspaceId);
					// Any partner or payable is recorded as it was given, whatever it lacks.
					return recordEvent(network, event_type, id, data as EventData);
				}),
			})),
		deliveries: (filter) => ({ deliveries: readDeliveries(store, filter) }),
		deliveryCounts: () => ({ counts: countDeliveries(store) }),
		deliveryAttempts: ({ delivery }) => ({ attempts: deliveries.log.read(delivery) }),
		redeliver: (target) => ({
			deliveries: store.transaction(() => deliveries.redeliver(target)),
		}),
		deliveryOptions: () => deliveries.options,
		setDeliveryOptions: (options) => deliveries.setOptions(options),
		addDeliveryFault: (fault) => ({ fault: deliveries.faults.inject(fault) }),
		deliveryFaults: () => ({ faults: deliveries.faults.list() }),
		clearDeliveryFaults: () => {
			deliveries.faults.clear();
		},

		requests: ({ operationId }) => ({ requests: log.read(operationId) }),
		clearRequests: () => {
			log.clear();
		},
		addFault: (fault) => ({ fault: faults.inject(fault) }),
		faults: () => ({ faults: faults.list() }),
		clearFaults: () => {
			faults.clear();
		},
		rateLimit: () => ({ ...rateLimit.rate, accounts: rateLimit.usage() }),
		setRequestsPerMinute: ({ requestsPerMinute, windowSeconds = MINUTE_SECONDS }) => {
			rateLimit.configure({ requestsPerMinute, windowSeconds });
			return rateLimit.rate;
		},
		now: clockView,
		advanceClock: ({ seconds }) => {
			clock.advance(seconds);
			return clockView();
		},
		expireTokens: () => {
			signer.expireAll();
		},
		userToken: async ({ user }) => ({
			accessToken: await signer.issue({ kind: 'user', id: userId(user) }),
		}),
		setClientSecret: ({ clientId, secret }) => {
			if (!changeClientSecret(store, clientId, secret)) throw notFound('client', clientId);
		},
		addRedirectUri: ({ applicationId, redirectUri }) => {
			if (findApplication(store, applicationId) === undefined) {
				throw notFound('application', applicationId);
			}
			addRedirectUri(store, applicationId, redirectUri);
		},
		setRefreshTokens: ({ mode }) => {
			setRefreshTokens(store, mode);
			return { mode };
		},
		revokeGrants: ({ user }) => {
			revokeGrants(store, user === undefined ? undefined : userId(user));
		},
	};
}
