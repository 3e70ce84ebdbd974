import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';

/** The services that examples and benchmarks use, by their hosts. */
const HOSTS = [
	'api.hubapi.com',
	'api.stripe.com',
	'quickbooks.api.intuit.com',
	'sheets.googleapis.com',
	'slack.com',
] as const;
type Host = (typeof HOSTS)[number];

/** A request that was meant for one of the services. */
export interface ServiceRequest {
	method: string | undefined;
	path: string;
	query: URLSearchParams;
	authorization: string | undefined;
	/** The types that it accepts. */
	accept: string | undefined;
	/** What JSON or a form holds; undefined for anything else. */
	body: unknown;
}

/** An answer that is no success. */
export class FailedAnswer {
	/** @param status of the answer; none when the connection is cut in its place */
	constructor(
		readonly status: number | undefined,
		readonly body: object = {},
	) {}
}

/** Answers a request; undefined for one that the service does not know. */
export type Service = (request: ServiceRequest) => object | undefined | Promise<object | undefined>;

const NOT_FOUND = new FailedAnswer(404, { message: 'Not found' });

/** A server that answers for the services. */
export interface Services {
	/** Every request so far. */
	requests: ServiceRequest[];
	/** Answers all further requests to a host. */
	serve: (host: Host, service: Service) => void;
	/** The settings that make n8n reach it at their hosts: a proxy, and whose certificate to trust. */
	environment: Record<string, string>;
	stop: () => void;
}

/**
 * Starts a server that answers for the services. n8n speaks TLS with the hosts as usual, through a proxy
 * that leads to these hosts alone.
 */
export async function startServices(): Promise<Services> {
	const requests: ServiceRequest[] = [];
	const services = new Map<string, Service>();
	const { private: key, cert } = await generate([{ name: 'commonName', value: HOSTS[0] }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames: HOSTS.map((value) => ({ type: 2, value })) }],
	});

	const server = createTlsServer({ key, cert }, (request, response) => {
		void readRequest(request).then(async (received) => {
			requests.push(received);

			const service = services.get(String(request.headers.host));
			const answer = (await service?.(received)) ?? NOT_FOUND;
			const { status, body } =
				answer instanceof FailedAnswer ? answer : { status: 200, body: answer };
			if (status === undefined) {
				request.socket.destroy();
				return;
			}

			response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
			response.end(JSON.stringify(body));
		});
	});

	const proxy = createServer((_, response) => response.writeHead(403).end());
	proxy.on('connect', ({ url }, socket) => {
		if (!HOSTS.some((host) => url === `${host}:443`)) {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}

		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		server.emit('connection', socket);
	});

	await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
	const address = proxy.address();
	if (typeof address !== 'object' || address === null) {
		throw new Error('The proxy has no port');
	}

	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-services-'));
	const certificateFile = join(folder, 'services.pem');
	writeFileSync(certificateFile, cert);

	return {
		requests,
		serve: (host, service) => services.set(host, service),
		environment: {
			// In lower case, since n8n prefers these to those in capitals, which may be set here.
			https_proxy: `http://localhost:${address.port}`,
			no_proxy: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: certificateFile,
		},
		stop: () => {
			server.closeAllConnections();
			proxy.closeAllConnections();
			proxy.close();
			rmSync(folder, { recursive: true });
		},
	};
}

async function readRequest(request: IncomingMessage): Promise<ServiceRequest> {
	const { method, url = '', headers } = request;
	const { pathname, searchParams } = new URL(url, 'https://service.example');
	const body = bodyOf(await text(request), headers['content-type']);

	return {
		method,
		path: decodeURIComponent(pathname),
		query: searchParams,
		authorization: headers.authorization,
		accept: headers.accept,
		body,
	};
}

function bodyOf(content: string, type = ''): unknown {
	if (type.startsWith('application/x-www-form-urlencoded')) {
		return Object.fromEntries(new URLSearchParams(content));
	}

	try {
		return JSON.parse(content) as unknown;
	} catch {
		return undefined;
	}
}
