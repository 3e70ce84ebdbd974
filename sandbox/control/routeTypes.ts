import type { XStatic } from 'typebox/schema';
import type { RequestFaults } from '../http/requestFaults';
import type { RateLimiter } from '../http/rateLimit';
import type { RequestLog } from '../http/requestLog';
import type { DeliveryDispatcher } from '../deliveries/dispatcher';
import type { Signer } from '../auth/signer';
import type { Background } from '../network/background';
import type { Network } from '../network/network';

export interface ControlContext {
	network: Network;
	signer: Signer;
	log: RequestLog;
	faults: RequestFaults;
	rateLimit: RateLimiter;
	deliveries: DeliveryDispatcher;
	background: Background;
}

/** How a route looks to the client of `client.ts`. */
interface ClientView {
	/** Fields of the body or query that it takes as positional arguments, instead of all. */
	args?: readonly string[];
	/** The one field of the answer that it returns, instead of all. */
	result?: string;
	/** Most bytes of a body; a megabyte where nothing is said. */
	bodyLimit?: number;
}

/** One route of the control API: the server and the console serve it, and the client calls it. */
export interface Route extends ClientView {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	summary: string;
	/** JSON schema of the body, which is checked before `handle` gets it. */
	body?: object;
	query?: readonly string[];
	handle: (input: never) => unknown;
}

export const get = <
	Out,
	const View extends ClientView = object,
	const Query extends readonly string[] = [],
>(
	path: string,
	summary: string,
	handle: (query: { [Name in Query[number]]?: string | undefined }) => Out,
	view?: View & { query?: Query },
) => Object.assign({ method: 'GET' as const, path, summary, handle }, view);

export const post = <const Body extends object, Out, const View extends ClientView = object>(
	path: string,
	summary: string,
	body: Body,
	handle: (input: XStatic<Body>) => Out,
	view?: View,
) => Object.assign({ method: 'POST' as const, path, summary, body, handle }, view);

export const remove = (path: string, summary: string, handle: () => void) => ({
	method: 'DELETE' as const,
	path,
	summary,
	handle,
});
