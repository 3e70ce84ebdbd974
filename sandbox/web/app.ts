import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Certificate } from '../http/certificate';
import { connectionOptions, refuseConnection } from '../http/connections';
import { handleRequest, serve, type Host } from '../http/host';
import type { Options } from '../options';
import { serveAssets } from '../ui/assets';

/** How one host is reached. */
export interface Listening {
	options: Options;
	certificate: Certificate | undefined;
}

/** Makes the application of a host, to which routes can be added until it listens. */
export function createApp({ options, certificate }: Listening, host: Host): FastifyInstance {
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
		clientErrorHandler: refuseConnection(host.renderError),
		...connectionOptions(certificate, options.requestTimeoutMs),
		frameworkErrors: (_, request, reply) => {
			void handleRequest(host, request, reply);
		},
	});

	serve(app, host);
	app.get('/health', () => ({ status: 'ok' }));
	serveAssets(app);
	return app;
}

/** Listens, and answers where it is reached on this machine. */
export async function listen(
	app: FastifyInstance,
	options: Options,
	port: number,
): Promise<string> {
	await app.listen({ host: options.listen, port });

	const { port: taken } = addressOf(app);
	const scheme = options.tls ? 'https' : 'http';
	return `${scheme}://localhost:${taken}`;
}

/** Where it listens. @throws when it does not */
export function addressOf(app: FastifyInstance): AddressInfo {
	const address = app.server.address();
	if (!isAddress(address)) {
		throw new Error('The sandbox listens nowhere.');
	}

	return address;
}

const isAddress = (address: unknown): address is AddressInfo =>
	typeof address === 'object' && address !== null && 'port' in address;
