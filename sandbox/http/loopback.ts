import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate';

/** A call of this sandbox's own API. */
export interface LoopbackCall {
	path: string;
	token: string;
	body: unknown;
}

/** What came of it: an answer, or a connection that broke or took too long, after which nobody knows. */
export type LoopbackAnswer =
	{ kind: 'answered'; status: number; text: string } | { kind: 'broken'; reason: string };

const TIMEOUT_MS = 15_000;

/** Posts to an address on which this process listens, as any client does: over the network, with all faults. */
export async function postToSelf(
	{ address, port }: AddressInfo,
	certificate: Certificate | undefined,
	{ path, token, body }: LoopbackCall,
): Promise<LoopbackAnswer> {
	const options = {
		host: address,
		port,
		path,
		method: 'POST',
		timeout: TIMEOUT_MS,
		agent: false,
		headers: {
			host: 'localhost',
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
			'user-agent': 'payouts-sandbox-console',
		},
	} as const;

	return await new Promise((resolve) => {
		const fail = ({ message }: Error): void => {
			resolve({ kind: 'broken', reason: message });
		};

		const request =
			certificate === undefined
				? overHttp(options)
				: overHttps({ ...options, ca: certificate.cert, checkServerIdentity: () => undefined });

		request.on('timeout', () => request.destroy(new Error(`No answer in ${TIMEOUT_MS / 1000} s`)));
		request.on('error', fail);
		request.on('response', (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (piece: string) => {
				text += piece;
			});

			response.on('error', fail);
			response.on('end', () => {
				resolve({ kind: 'answered', status: response.statusCode ?? 0, text });
			});
		});

		request.end(body === undefined ? undefined : JSON.stringify(body));
	});
}
