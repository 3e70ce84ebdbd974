import { authenticate, authorize } from '../auth/authenticate';
import { beginAuthorization, refusalFor } from '../auth/authorize';
import type { Caller } from '../domain/access';
import type { Signer } from '../auth/signer';
import type { Boundary, ContractRequest, Match } from '../contract/contract';
import type { Network } from '../network/network';
import { Refusal, type Detail } from '../shared/errors';
import { readJson } from '../http/body';
import { forContract, type Answer, type Call } from '../http/messages';
import type { RateLimit } from '../http/rate-limit';
import type { LoggedRequest } from '../http/request-log';
import type { Environment } from './handler';
import { handlers } from './handlers';

/** What the REST API works with. */
export interface Api {
	boundary: Boundary;
	network: Network;
	signer: Signer;
	rateLimit: RateLimit;
	environment: Environment;
	/** The one audience of this environment. */
	audience: string;
	/** The authentication host. */
	authOrigin: () => string;
	complain: (text: string) => void;
}

type Perform = (api: Api, match: Match, call: Call, entry: LoggedRequest) => Promise<Answer>;

// The browser's redirect is the one call on this host that brings no token.
const special = new Map<string, Perform>([['authorize', performAuthorization]]);

/**
 * Answers a request of the REST API: token, rate, contract, handler, contract again.
 * @throws Refusal whatever the reason why it is turned down
 */
export async function performApi(
	api: Api,
	match: Match,
	call: Call,
	entry: LoggedRequest,
): Promise<Answer> {
	return await (special.get(match.operationId) ?? performWithToken)(api, match, call, entry);
}

async function performAuthorization(api: Api, match: Match, call: Call): Promise<Answer> {
	try {
		check(api.boundary, match, forContract(call, undefined));
		return await Promise.resolve(beginAuthorization(api, call));
	} catch (error) {
		const page = error instanceof Refusal ? refusalFor(call, error) : undefined;
		if (page === undefined) throw error;
		return page;
	}
}

async function performWithToken(
	api: Api,
	match: Match,
	call: Call,
	entry: LoggedRequest,
): Promise<Answer> {
	const caller = await authenticate(api.signer, api.network.store, call);
	entry.account = caller.id;
	api.rateLimit.count(`${caller.kind}:${caller.id}`);
	authorize(caller, match);
	const body = match.operation.requestBody === undefined ? undefined : readJson(call);
	const request = forContract(call, body);
	check(api.boundary, match, request);
	return {
		status: 200,
		headers: {},
		// An answer that breaks the contract undoes its effect: nobody acts on half an answer.
		body: api.network.store.transaction(() => {
			const result = dispatch(api, match, request, caller);
			checkAnswer(api, match, result);
			return result;
		}),
	};
}

type AnyHandler = (
	request: { caller: Caller; path: unknown; body: unknown },
	network: Network,
	environment: Environment,
) => unknown;

// Which handler belongs to which request is known only here; the contract has just proven that the
// request has the shape that the handler's type states, and it checks the result afterwards.
const byOperation = new Map(Object.entries(handlers as Record<string, unknown>)) as Map<
	string,
	AnyHandler
>;

function dispatch(api: Api, match: Match, request: ContractRequest, caller: Caller): unknown {
	const handle = byOperation.get(match.operationId);
	if (handle === undefined) throw new Error(`Nothing answers ${match.operationId}.`);
	const path = api.boundary.parameters(match, request);
	return handle({ caller, path, body: request.body }, api.network, api.environment);
}

function check(boundary: Boundary, match: Match, request: ContractRequest): void {
	const details = boundary.faultsOfRequest(match, request);
	if (details.length === 0) return;
	throw new Refusal(400, 'invalid_request', sentence(details), { details });
}

function checkAnswer(api: Api, match: Match, result: unknown): void {
	const details = api.boundary.faultsOfAnswer(match, 200, result);
	if (details.length === 0) return;
	api.complain(`THE ANSWER OF ${match.operationId} BREAKS THE CONTRACT: ${sentence(details)}`);
	throw new Refusal(500, 'contract_broken', 'The sandbox made an answer that breaks its contract.');
}

const sentence = (details: Detail[]): string =>
	`${details.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')}.`;
