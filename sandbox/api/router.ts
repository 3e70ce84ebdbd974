import { authenticate, authorize } from '../auth/authenticate';
import { errorPage, isFromBrowser, startAuthorization } from '../auth/authorizationRedirect';
import type { Caller } from '../domain/access';
import type { Signer } from '../auth/signer';
import type { HostContract, ContractRequest, MatchedOperation } from '../contract/contract';
import { actingAs } from '../network/actor';
import type { Network } from '../network/network';
import type { Settings } from '../shared/settings';
import { HttpError, type FieldError } from '../shared/errors';
import { readBody } from '../http/body';
import { toContractRequest, type ServiceResponse, type ServiceRequest } from '../http/messages';
import type { RateLimiter } from '../http/rateLimit';
import type { LoggedRequest } from '../http/requestLog';
import { handlers } from './handlers';
import { page, shapes, successStatus } from './shapes';

export interface ApiContext {
	contract: HostContract;
	network: Network;
	signer: Signer;
	rateLimit: RateLimiter;
	audience: string;
	authOrigin: () => string;
	reportError: (text: string) => void;
}

/** The browser's redirect is the one call that brings no token. @throws HttpError */
export async function handleApiRequest(
	api: ApiContext,
	match: MatchedOperation,
	request: ServiceRequest,
	entry: LoggedRequest,
): Promise<ServiceResponse> {
	if (match.operationId === 'authorize') {
		return handleAuthorization(api, match, request);
	}

	return await handleWithToken(api, match, request, entry);
}

function handleAuthorization(
	api: ApiContext,
	match: MatchedOperation,
	request: ServiceRequest,
): ServiceResponse {
	try {
		const known = knownParameters(match, request);
		validateRequest(api.contract, match, toContractRequest(known, undefined));
		return startAuthorization(api, request);
	} catch (error) {
		if (error instanceof HttpError && isFromBrowser(request)) {
			return errorPage(error);
		}

		throw error;
	}
}

/** Without the parameters that the contract does not name, which the identity provider may know (RFC 6749 §3.1). */
function knownParameters({ operation }: MatchedOperation, request: ServiceRequest): ServiceRequest {
	const names = new Set(operation.parameters?.map((one) => ('name' in one ? one.name : '')));
	const query = Object.entries(request.query).filter(([name]) => names.has(name));
	return { ...request, query: Object.fromEntries(query) };
}

/** Token, rate, contract, handler, contract again. */
async function handleWithToken(
	api: ApiContext,
	match: MatchedOperation,
	request: ServiceRequest,
	entry: LoggedRequest,
): Promise<ServiceResponse> {
	const caller = await authenticate(api.signer, api.network.store, request);
	entry.account = caller.id;
	api.rateLimit.count(`${caller.kind}:${caller.id}`);
	authorize(caller, match);

	const body =
		match.operation.requestBody === undefined ? undefined : readBody(request, 'application/json');

	const validated = toContractRequest(request, body);
	validateRequest(api.contract, match, validated);
	return {
		status: successStatus(request.method, api.network.settings.values),
		headers: {},
		// An answer that breaks the contract undoes its effect, as no caller could act on it.
		body: api.network.store.transaction(() => {
			const actor = { who: `${caller.kind} ${caller.id}`, action: match.operationId };
			const result = actingAs(actor, () => dispatch(api, match, validated, caller));
			validateResponse(api, match, result);

			return shapeAnswer(match, result, api.network.settings.values, request.query['cursor']);
		}),
	};
}

type AnyHandler = (
	request: { caller: Caller; path: unknown; body: unknown },
	network: Network,
) => unknown;

// Which handler belongs to which request is known only here; the contract has just proven that the
// request has the shape that the handler's type states, and it checks the result afterwards.
const byOperation = new Map(Object.entries(handlers as Record<string, unknown>)) as Map<
	string,
	AnyHandler
>;

function dispatch(
	api: ApiContext,
	match: MatchedOperation,
	request: ContractRequest,
	caller: Caller,
): unknown {
	const handle = byOperation.get(match.operationId);
	if (handle === undefined) {
		throw new Error(`Nothing answers ${match.operationId}.`);
	}

	const path = api.contract.parameters(match, request);
	return handle({ caller, path, body: request.body }, api.network);
}

// The contract has just proven that the result has the shape, or the list, that the type states.
const byShape = new Map(Object.entries(shapes as Record<string, unknown>)) as Map<
	string,
	(result: unknown, settings: Settings) => unknown
>;

/** What the contract leaves open, as the settings want it. */
function shapeAnswer(
	{ operationId, list }: MatchedOperation,
	result: unknown,
	settings: Settings,
	cursor: unknown,
): unknown {
	const answer =
		list === undefined ? result : page(list, result as Record<string, unknown[]>, settings, cursor);

	const shape = byShape.get(operationId);
	return shape?.(answer, settings) ?? answer;
}

function validateRequest(
	contract: HostContract,
	match: MatchedOperation,
	request: ContractRequest,
): void {
	const details = contract.requestErrors(match, request);
	if (details.length === 0) {
		return;
	}

	throw new HttpError(400, 'invalid_request', sentence(details), { details });
}

function validateResponse(api: ApiContext, match: MatchedOperation, result: unknown): void {
	const details = api.contract.responseErrors(match, 200, result);
	if (details.length === 0) {
		return;
	}

	api.reportError(`THE ANSWER OF ${match.operationId} BREAKS THE CONTRACT: ${sentence(details)}`);
	throw new HttpError(
		500,
		'contract_broken',
		'The sandbox made an answer that breaks its contract.',
	);
}

const sentence = (details: FieldError[]): string =>
	`${details.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')}.`;
