import type { FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { magicFaults } from './api/magicFaults';
import { handleApiRequest, type ApiContext } from './api/router';
import { renderApiError } from './api/shapes';
import { identityProvider } from './auth/identityProvider';
import { serveSignIn } from './auth/signIn';
import { Signer } from './auth/signer';
import { requestToken } from './auth/token';
import { Clock } from './store/clock';
import { API_ROOT, HostContract } from './contract/contract';
import { serveControl } from './control/controlApi';
import { CONTROL_ROOT, controlRoutes } from './control/routes';
import { payWhatIsDue, resumeSettlement } from './domain/settlement';
import { serveDocuments } from './documents/invoices';
import { DeliveryDispatcher } from './deliveries/dispatcher';
import { Background } from './network/background';
import { actingAs } from './network/actor';
import type { Network } from './network/network';
import { RequestFaults } from './http/requestFaults';
import { postToSelf } from './http/loopback';
import { RateLimiter } from './http/rateLimit';
import { RequestLog } from './http/requestLog';
import { makeCertificate, type Certificate } from './http/certificate';
import type { Host } from './http/host';
import { initialSettings, type Options } from './options';
import { clientOf } from './domain/clients';
import { conflict } from './shared/errors';
import { defaultSeed, demo } from './seed/demo';
import { applySeed } from './seed/apply';
import { SettingsInForce } from './store/settingsInForce';
import { Store } from './store/store';
import { addressOf, createApp, listen } from './web/app';
import { Proxy } from './proxy/proxyServer';
import { servePages } from './web/pages';

/** Tokens are asked for and issued for this audience; it differs per environment. */
const audiences = {
	sandbox: 'https://sandbox.partner-payments.example/api',
	production: 'https://partner-payments.example/api',
} as const;

/** What a sandbox that listens tells the world. */
export type Ready = {
	apiUrl: string;
	authUrl: string;
	controlUrl: string;
	audience: string;
	requestsPerMinute: number;
	rateWindowSeconds: number;
	pid: number;
	/** The file with the certificate to trust; null without TLS. */
	certificateFile: string | null;
} & { [K in keyof typeof demo]: (typeof demo)[K] extends number ? number : string };

export interface RunningSandbox {
	ready: Ready;
	/** Stops listening and delivering, lets requests in work finish, and closes the database. */
	close: () => Promise<void>;
}

/** Where the two hosts are reached; known only once they listen, and no link is asked for before. */
interface Origins {
	api: string;
	authentication: string;
}

/** What every part of a sandbox works with. */
interface Parts {
	options: Options;
	origins: Origins;
	store: Store;
	settings: SettingsInForce;
	clock: Clock;
	audience: string;
	signer: Signer;
	log: RequestLog;
	faults: RequestFaults;
	rateLimit: RateLimiter;
	deliveries: DeliveryDispatcher;
	background: Background;
	network: Network;
	certificate: Certificate | undefined;
	reportError: (text: string) => void;
}

/**
 * Starts both hosts.
 * @param reportError gets a line when the sandbox itself fails at something
 * @throws when a port is taken or the data file cannot be opened
 */
export async function startServer(
	options: Options,
	reportError: (text: string) => void,
): Promise<RunningSandbox> {
	const parts = await createParts(options, reportError);
	const { store, deliveries, background, network } = parts;
	if (!store.has('SELECT 1 FROM buyers')) {
		applySeed(network, defaultSeed);
	}

	const { api, authentication, stop } =
		options.proxyTo === undefined
			? await createService(parts)
			: await createProxy(parts, options.proxyTo);

	const close = async () => {
		stop();
		await Promise.all([api.close(), authentication.close(), deliveries.stop(), background.stop()]);
		store.close();
		parts.certificate?.remove();
	};

	try {
		const localUrl = await listen(api, options, options.port);
		const localAuthUrl = await listen(authentication, options, options.authPort);
		parts.origins.api = options.publicUrl ?? localUrl;
		parts.origins.authentication = options.publicAuthUrl ?? localAuthUrl;
		deliveries.start();
		resumeSettlement(network);
		return { ready: readyOf(parts, localUrl), close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function createParts(options: Options, reportError: (text: string) => void): Promise<Parts> {
	const origins: Origins = { api: '', authentication: '' };
	const store = new Store(options.data ?? ':memory:');
	const settings = new SettingsInForce(store, initialSettings(options));
	const clock = new Clock(store);
	const audience = audiences[options.production ? 'production' : 'sandbox'];
	const deliveries = new DeliveryDispatcher(store, clock, settings, reportError);
	const background = new Background(store, reportError);
	const network: Network = {
		store,
		clock,
		settings,
		later: background.later,
		origin: () => origins.api,
		enqueueDeliveries: (event) => {
			deliveries.enqueue(event);
		},
	};

	return {
		options,
		origins,
		store,
		settings,
		clock,
		audience,
		signer: await Signer.open(store, clock, audience, () => origins.authentication),
		log: new RequestLog(store, clock),
		faults: new RequestFaults(),
		rateLimit: new RateLimiter(clock, settings),
		deliveries,
		background,
		network,
		certificate: options.tls ? await makeCertificate(allowedHosts(options)) : undefined,
		reportError,
	};
}

/** The identity provider, which is made when it is first asked for: it needs its own address. */
function providerOf(parts: Parts): () => Provider {
	const { options, origins, network, clock, signer, audience, reportError } = parts;
	let made: Provider | undefined;
	return () => {
		made ??= identityProvider({
			network,
			clock,
			signer,
			audience,
			reportError,
			origin: () => origins.authentication,
			isBehindProxy: options.publicAuthUrl !== undefined,
		});

		return made;
	};
}

/** Both hosts, and what ends the work beside them. */
interface Hosts {
	api: FastifyInstance;
	authentication: FastifyInstance;
	stop: () => void;
}

async function createService(parts: Parts): Promise<Hosts> {
	const provider = providerOf(parts);
	return {
		api: await createApi(parts),
		authentication: await createAuthentication(parts, provider),
		stop: payInTime(parts),
	};
}

const REPORT_EVERY_MS = 1_000;

/** Both hosts as a proxy: nothing of this sandbox's own network is reached. */
async function createProxy(parts: Parts, apiUrl: string): Promise<Hosts> {
	const { options, origins, log, faults, reportError } = parts;
	const proxy = new Proxy(
		{
			apiUrl,
			authUrl: options.proxyAuthTo,
			relaysDeliveries: options.proxyDeliveries,
			reportFile: options.report,
		},
		() => origins.api,
	);

	const shared = { log, faults, allowedHosts: allowedHosts(options), reportError };
	const contract = await HostContract.load('api');
	const api = createApp(parts, {
		...shared,
		name: 'api',
		contract,
		handle: async (match, request) => await proxy.passApi(contract, match, request),
		handleUnknown: async (request) => await proxy.passApi(contract, undefined, request),
		renderError: (error) => renderApiError(error, parts.settings.values),
	});

	const ofTokens = await HostContract.load('authentication');
	const authentication = createApp(parts, {
		...shared,
		name: 'authentication',
		contract: ofTokens,
		handle: async (match, request) => await proxy.passAuthentication(ofTokens, match, request),
		handleUnknown: async (request) => await proxy.passAuthentication(ofTokens, undefined, request),
		renderError: renderTokenError,
	});

	proxy.serve(api);

	const timer = setInterval(() => {
		proxy.write();
	}, REPORT_EVERY_MS).unref();

	return {
		api,
		authentication,
		stop: () => {
			clearInterval(timer);
			proxy.write();
		},
	};
}

const renderTokenError: Host['renderError'] = ({ status, headers, code, message }) => ({
	status,
	headers,
	body: { error: code, error_description: message },
});

async function createApi(parts: Parts): Promise<FastifyInstance> {
	const { options, origins, network, settings, deliveries, log, faults, reportError } = parts;
	const { signer, rateLimit, audience, background } = parts;
	const { production } = options;
	const contract = await HostContract.load('api', production ? ['simulateDeposit'] : []);
	const context: ApiContext = {
		contract,
		network,
		signer,
		rateLimit,
		audience,
		reportError,
		authOrigin: () => origins.authentication,
	};

	const app = createApp(parts, {
		name: 'api',
		contract,
		log,
		faults,
		allowedHosts: allowedHosts(options),
		reportError,
		magicFaults: magicFaults(network),
		handle: async (match, request, entry) => await handleApiRequest(context, match, request, entry),
		renderError: (error) => renderApiError(error, settings.values),
	});

	const routes = controlRoutes({
		network,
		signer,
		log,
		faults,
		rateLimit,
		deliveries,
		background,
	});

	serveDocuments(app, network, log);
	servePages(app, {
		network,
		deliveries,
		log,
		routes,
		production,
		reportError,
		callApi: async ({ buyer_id }, { path, body }) => {
			const client = clientOf(network.store, buyer_id);
			if (client === undefined) {
				throw conflict('no_client', 'This buyer has no client that could call the API.');
			}

			const token = await signer.issue({ kind: 'client', id: client });
			const call = { path: `${API_ROOT}${path}`, token, body };
			return await postToSelf(addressOf(app), parts.certificate, call);
		},
		connection: () => ({
			apiUrl: `${origins.api}${API_ROOT}`,
			authUrl: origins.authentication,
			audience,
		}),
	});
	serveControl(app, routes, parts.store);
	return app;
}

async function createAuthentication(
	parts: Parts,
	provider: () => Provider,
): Promise<FastifyInstance> {
	const { options, network, signer, audience, log, faults, reportError } = parts;
	const issuer = { network, signer, provider, audience };
	const app = createApp(parts, {
		name: 'authentication',
		contract: await HostContract.load('authentication'),
		log,
		faults,
		allowedHosts: allowedHosts(options),
		reportError,
		handle: async (_match, request) => await requestToken(issuer, request),
		renderError: renderTokenError,
	});

	serveSignIn(app, { network, provider, origins: parts.origins });
	return app;
}

function allowedHosts({ allowHost, publicUrl, publicAuthUrl }: Options): string[] {
	const publicUrls = [publicUrl, publicAuthUrl].filter((url) => url !== undefined);
	const publicHosts = publicUrls.map((url) => new URL(url).hostname);
	return [...allowHost, ...publicHosts];
}

/** Pays what the clock has made due, within a second; returns what ends that. */
function payInTime({ settings, background, clock, network }: Parts): () => void {
	const payDue = (): void => {
		if (settings.values.settlement === 'due_date') {
			actingAs({ who: 'clock', action: 'due date' }, () => {
				background.later(() => payWhatIsDue(network));
			});
		}
	};

	const timer = setInterval(payDue, 1000).unref();
	clock.onJump(payDue);
	return () => {
		clearInterval(timer);
	};
}

function readyOf(parts: Parts, localUrl: string): Ready {
	const { origins, audience, settings, certificate } = parts;
	return {
		apiUrl: `${origins.api}${API_ROOT}`,
		authUrl: origins.authentication,
		controlUrl: `${localUrl}${CONTROL_ROOT}`,
		audience,
		requestsPerMinute: settings.values.requestsPerMinute,
		rateWindowSeconds: settings.values.rateWindowSeconds,
		pid: process.pid,
		certificateFile: certificate?.file ?? null,
		...demo,
	};
}
