import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import axios, { type AxiosInstance } from 'axios';
import type { components } from '../contract/service';
import { launchSandbox, type SandboxOptions } from './childProcess';
import { controlCalls, type ControlCalls } from './control/calls';
import type { VendorView } from './domain/networkViews';
import type { Ready } from './server';

export type { SandboxOptions } from './childProcess';
export type { SandboxState } from './control/networkRoutes';
export type { LoggedAttempt } from './deliveries/attempt';
export type { ActiveDeliveryFault, DeliveryFault } from './deliveries/deliveryFaults';
export type { DeliveryView } from './deliveries/deliveryViews';
export type { AllocationView } from './domain/allocations';
export type { Deposit } from './domain/deposits';
export type { Funding } from './domain/fundings';
export type { Ledger, LedgerEntry } from './domain/ledger';
export type { Mail } from './domain/mail';
export type { Partner } from './domain/partners';
export type { Payable } from './domain/payables';
export type { SubscriptionView } from './domain/subscriptions';
export type { VendorView, WorkspaceView } from './domain/networkViews';
export type { ActiveFault, Fault } from './http/requestFaults';
export type { AccountUsage } from './http/rateLimit';
export type { LoggedRequest } from './http/requestLog';
export type { Seed } from './seed/schema';
export type { Ready } from './server';
export type { Settings } from './shared/settings';
export type Event = components['schemas']['Event'];

/** The control API: one call for every route, and a few that are made of others. */
export interface Control extends ControlCalls {
	/** The vendor with this address; throws when there is none. */
	vendor: (email: string) => Promise<VendorView>;
	/** As the route, for the demonstration's user unless told otherwise. */
	userToken: (user?: string) => Promise<string>;
	/** As the route, for the demonstration's application. */
	addRedirectUri: (redirectUri: string) => Promise<void>;
}

/** A sandbox that runs in a process of its own. */
export interface Sandbox extends Ready {
	control: Control;
	/** An access token for the demonstration's client, or the given one. */
	token: (client?: { clientId: string; clientSecret: string }) => Promise<string>;
	/**
	 * A client of the REST API that throws at no status. Asks for a token unless one is given;
	 * null sends none.
	 */
	api: (token?: string | null) => Promise<AxiosInstance>;
	/** Ends it and waits until it has ended. */
	stop: () => Promise<void>;
}

/**
 * Starts a sandbox and waits until it listens. It ends with `stop()`, or with this process.
 * @throws with the sandbox's own output when it does not start
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { ready, stop } = await launchSandbox(options);
	return connect(ready, stop);
}

/** A client of a sandbox that was started elsewhere. */
export function connect(ready: Ready, stop: () => Promise<void>): Sandbox {
	const http = clientFor(ready);
	const token: Sandbox['token'] = async (client = ready) => {
		const { data } = await http.post<components['schemas']['Token']>(
			`${ready.authUrl}/oauth/token`,
			{
				grant_type: 'client_credentials',
				client_id: client.clientId,
				client_secret: client.clientSecret,
				audience: ready.audience,
			},
		);

		return data.access_token;
	};

	return {
		...ready,
		control: connectControl(ready),
		token,
		api: async (given) => {
			const bearer = given === undefined ? await token() : given;
			const client = clientFor(ready);
			client.defaults.baseURL = ready.apiUrl;
			client.defaults.validateStatus = () => true;
			if (bearer !== null) {
				client.defaults.headers['authorization'] = `Bearer ${bearer}`;
			}

			return client;
		},
		stop,
	};
}

/** A client that trusts the sandbox's certificate, where it has one. */
function clientFor({ certificateFile }: Ready): AxiosInstance {
	if (certificateFile === null) {
		return axios.create();
	}

	const ca = readFileSync(certificateFile);
	return axios.create({ httpsAgent: new Agent({ ca }) });
}

const EVENTS_PER_REQUEST = 500;

function connectControl(ready: Ready): Control {
	const { controlUrl, userId, applicationId } = ready;
	const http = clientFor(ready);
	http.defaults.baseURL = controlUrl;
	const calls = controlCalls(http);
	const own: Omit<
		Control,
		Exclude<keyof ControlCalls, 'emitEvents' | 'userToken' | 'addRedirectUri'>
	> = {
		vendor: async (email) => {
			const vendors = await calls.vendors();
			const found = vendors.find((vendor) => vendor.email === email);
			if (found === undefined) {
				throw new Error(`There is no vendor ${email} in the sandbox.`);
			}

			return found;
		},
		emitEvents: async (events) => {
			const recorded: Event[] = [];
			for (let at = 0; at < events.length; at += EVENTS_PER_REQUEST) {
				const part = await calls.emitEvents(events.slice(at, at + EVENTS_PER_REQUEST));
				recorded.push(...part);
			}

			return recorded;
		},
		userToken: async (user = userId) => await calls.userToken(user),
		addRedirectUri: async (redirectUri) => await calls.addRedirectUri(redirectUri, applicationId),
	};

	return Object.setPrototypeOf(own, calls) as Control;
}
