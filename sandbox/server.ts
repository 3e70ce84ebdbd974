import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
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
import type { Network } from './network/network';
import { RequestFaults } from './http/requestFaults';
import { RateLimiter } from './http/rateLimit';
import { RequestLog } from './http/requestLog';
import { handleRequest, serve, type Host } from './http/host';
import { initialSettings, type Options } from './options';
import { defaultSeed, demo } from './seed/demo';
import { applySeed } from './seed/apply';
import { SettingsInForce } from './store/settingsInForce';
import { Store } from './store/store';
import { serveAssets } from './ui/assets';
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
} & { [K in keyof typeof demo]: (typeof demo)[K] extends number ? number : string };

export interface RunningSandbox {
	ready: Ready;
	/** Stops listening and delivering, lets requests in work finish, and closes the database. */
	close: () => Promise<void>;
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
	const store = new Store(options.data ?? ':memory:');
	const settings = new SettingsInForce(store, initialSettings(options));
	const clock = new Clock(store);
	const audience = audiences[options.production ? 'production' : 'sandbox'];
	const signer = await Signer.open(store, clock, audience);
	const log = new RequestLog(store, clock);
	const faults = new RequestFaults();
	const { production } = options;
	const publicUrls = [options.publicUrl, options.publicAuthUrl].filter((url) => url !== undefined);
	const allowedHosts = [...options.allowHost, ...publicUrls.map((url) => new URL(url).hostname)];
	const rateLimit = new RateLimiter(clock, settings);
	const deliveries = new DeliveryDispatcher(store, clock, settings, reportError);
	const background = new Background(store, reportError);
	// Known only once the hosts listen; nobody can ask for a link before that.
	let origin = '';
	let authOrigin = '';
	const network: Network = {
		store,
		clock,
		settings,
		later: background.later,
		origin: () => origin,
		enqueueDeliveries: (event) => {
			deliveries.enqueue(event);
		},
	};
	if (!store.has('SELECT 1 FROM buyers')) {
		applySeed(network, defaultSeed);
	}

	let providerInstance: Provider | undefined;
	const provider = () =>
		(providerInstance ??= identityProvider({
			network,
			clock,
			signer,
			audience,
			reportError,
			origin: () => authOrigin,
			isBehindProxy: options.publicAuthUrl !== undefined,
		}));

	const contract = await HostContract.load('api', production ? ['simulateDeposit'] : []);
	const context: ApiContext = {
		contract,
		network,
		signer,
		rateLimit,
		audience,
		reportError,
		authOrigin: () => authOrigin,
	};

	const shared = { log, faults, allowedHosts, reportError };
	const api = createApp({
		...shared,
		name: 'api',
		contract,
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

	serveDocuments(api, network, log);
	servePages(api, { network, deliveries, log, routes, production, reportError });
	serveControl(api, routes, store);

	const issuer = { network, signer, provider, audience };
	const authentication = createApp({
		...shared,
		name: 'authentication',
		contract: await HostContract.load('authentication'),
		handle: async (_, request) => await requestToken(issuer, request),
		renderError: ({ status, headers, code, message }) => ({
			status,
			headers,
			body: { error: code, error_description: message },
		}),
	});

	serveSignIn(authentication, network, provider);

	// What a clock may have made due is paid within a second.
	const payDue = (): void => {
		if (settings.values.settlement === 'due_date') {
			background.later(() => payWhatIsDue(network));
		}
	};

	const dueTimer = setInterval(payDue, 1000).unref();
	clock.onJump(payDue);

	const close = async () => {
		clearInterval(dueTimer);
		await Promise.all([api.close(), authentication.close(), deliveries.stop(), background.stop()]);
		store.close();
	};

	try {
		const ports = [
			await listen(api, options.listen, options.port),
			await listen(authentication, options.listen, options.authPort),
		];

		const local = ports.map((port) => `http://localhost:${port}`);
		[origin = '', authOrigin = ''] = [
			options.publicUrl ?? local[0],
			options.publicAuthUrl ?? local[1],
		];

		deliveries.start();
		resumeSettlement(network);

		const ready: Ready = {
			apiUrl: `${origin}${API_ROOT}`,
			authUrl: authOrigin,
			controlUrl: `${local[0]}${CONTROL_ROOT}`,
			audience,
			requestsPerMinute: settings.values.requestsPerMinute,
			rateWindowSeconds: settings.values.rateWindowSeconds,
			pid: process.pid,
			...demo,
		};

		return { ready, close };
	} catch (error) {
		await close();
		throw error;
	}
}

function createApp(host: Host): FastifyInstance {
	const app = fastify({
		ajv: {
			customOptions: {
				allErrors: true,
				discriminator: true,
				strict: false,
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
			},
		},
		// A connection that is kept open must not keep the sandbox from stopping.
		forceCloseConnections: true,
		keepAliveTimeout: 60_000,
		frameworkErrors: (_, request, reply) => {
			void handleRequest(host, request, reply);
		},
	});

	serve(app, host);
	serveAssets(app);
	return app;
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
	await app.listen({ host, port });

	const address = app.server.address();
	if (!isAddress(address)) {
		throw new Error('The sandbox listens nowhere.');
	}

	return address.port;
}

const isAddress = (address: unknown): address is AddressInfo =>
	typeof address === 'object' && address !== null && 'port' in address;
