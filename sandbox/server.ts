import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { performApi, type Api } from './api/router';
import { identityProvider } from './auth/identity-provider';
import { serveSignIn } from './auth/sign-in';
import { Signer } from './auth/signer';
import { requestToken } from './auth/token';
import { Clock } from './store/clock';
import { API_ROOT, Boundary } from './contract/contract';
import { CONTROL_ROOT, serveControl } from './control/serve';
import { serveDocuments } from './documents/serve';
import { Deliveries } from './deliveries/dispatcher';
import type { Network } from './network/network';
import type { Refusal } from './shared/errors';
import { Faults } from './http/faults';
import { RateLimit } from './http/rate-limit';
import { RequestLog } from './http/request-log';
import { exchange, serve, type Host } from './http/serve';
import type { Options } from './options';
import { defaultSeed, demo } from './seed/demo';
import { plant } from './seed/apply';
import { Store } from './store/store';
import { serveAssets } from './ui/assets';
import { servePages } from './web/serve';

/** Tokens are asked for and issued for this audience; it differs per environment. */
const audiences = {
	sandbox: 'https://sandbox.partner-payments.example/api',
	production: 'https://partner-payments.example/api',
} as const;

/** What a sandbox that listens tells the world. */
export type Ready = {
	/** {base_url} */
	apiUrl: string;
	/** {auth_url} */
	authUrl: string;
	controlUrl: string;
	audience: string;
	/** An account may send so many requests, */
	requestsPerMinute: number;
	/** in so many seconds. */
	rateWindowSeconds: number;
	pid: number;
} & { [K in keyof typeof demo]: (typeof demo)[K] extends number ? number : string };

/** A sandbox that listens. */
export interface RunningSandbox {
	ready: Ready;
	/** Stops listening and delivering, lets requests in work finish, and closes the database. */
	close: () => Promise<void>;
}

/**
 * Starts both hosts on this machine only.
 * @param complain gets a line when the sandbox itself fails at something
 * @throws when a port is taken or the data file cannot be opened
 */
export async function startServer(
	options: Options,
	complain: (text: string) => void,
): Promise<RunningSandbox> {
	const store = new Store(options.data ?? ':memory:');
	const clock = new Clock(store);
	const audience = audiences[options.production ? 'production' : 'sandbox'];
	const signer = await Signer.open(store, clock, audience);
	const log = new RequestLog(clock);
	const faults = new Faults();
	const { requestsPerMinute, rateWindowSeconds: windowSeconds } = options;
	const initialRate = { requestsPerMinute, windowSeconds };
	const rateLimit = new RateLimit(clock, initialRate);
	// Known only once the hosts listen; nobody can ask for a link before that.
	let origin = '';
	const deliveries = new Deliveries(store, clock, complain);
	const network: Network = { store, clock, origin: () => origin, deliveries };
	if (!store.has('SELECT 1 FROM buyers')) plant(network, defaultSeed);

	const apiBoundary = await Boundary.load('api');
	const environment = { production: options.production };
	let authOrigin = '';
	const identity = {
		network,
		clock,
		signer,
		audience,
		complain,
		origin: () => authOrigin,
	};
	let made: Provider | undefined;
	const provider = () => (made ??= identityProvider(identity));
	const context: Api = {
		boundary: apiBoundary,
		network,
		signer,
		rateLimit,
		environment,
		audience,
		authOrigin: () => authOrigin,
		complain,
	};
	const apiHost: Host = {
		name: 'api',
		boundary: apiBoundary,
		perform: async (match, call, entry) => await performApi(context, match, call, entry),
		word: wordForApi,
		log,
		faults,
		complain,
	};
	const issuer = { store, signer, provider, audience, strictJson: options.strictJson };
	const authenticationHost: Host = {
		name: 'authentication',
		boundary: await Boundary.load('authentication'),
		perform: async (_, call) => await requestToken(issuer, call),
		word: wordForTokens,
		log,
		faults,
		complain,
	};

	const api = application(apiHost);
	serveDocuments(api, network, log);
	servePages(api, { network, log, faults, complain });
	serveControl(api, {
		network,
		clock,
		signer,
		log,
		faults,
		rateLimit,
		deliveries,
		initialRate,
	});
	const authentication = application(authenticationHost);
	serveSignIn(authentication, network, provider);
	const close = async () => {
		await Promise.all([api.close(), authentication.close(), deliveries.stop()]);
		store.close();
	};
	try {
		origin = await listen(api, options.port);
		authOrigin = await listen(authentication, options.authPort);
		deliveries.start();
		const ready: Ready = {
			apiUrl: `${origin}${API_ROOT}`,
			authUrl: authOrigin,
			controlUrl: `${origin}${CONTROL_ROOT}`,
			audience,
			requestsPerMinute: options.requestsPerMinute,
			rateWindowSeconds: options.rateWindowSeconds,
			pid: process.pid,
			...demo,
		};
		return { ready, close };
	} catch (error) {
		await close();
		throw error;
	}
}

function application(host: Host): FastifyInstance {
	const app = fastify({
		// A connection that is kept open must not keep the sandbox from stopping.
		forceCloseConnections: true,
		keepAliveTimeout: 60_000,
		frameworkErrors: (_, request, reply) => {
			void exchange(host, request, reply);
		},
	});
	serve(app, host);
	serveAssets(app);
	return app;
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
	await app.listen({ host: 'localhost', port });
	const address = app.server.address();
	if (!isAddress(address)) throw new Error('The sandbox listens nowhere.');
	return `http://localhost:${address.port}`;
}

const isAddress = (address: unknown): address is AddressInfo =>
	typeof address === 'object' && address !== null && 'port' in address;

const wordForApi = ({ code, message, details }: Refusal) => ({
	error: { code, message, ...(details === undefined ? {} : { details }) },
});

const wordForTokens = ({ code, message }: Refusal) => ({
	error: code,
	error_description: message,
});
