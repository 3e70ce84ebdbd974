import type { operations } from '../../contract/service';
import type { Caller } from '../domain/access';
import type { OperationId } from '../contract/contract';
import type { Network } from '../network/network';

/** The calls of the REST API that need a bearer token. */
export type ApiOperationId = Exclude<OperationId, 'requestToken' | 'authorize'>;

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : undefined;

type Body<Id extends ApiOperationId> = operations[Id] extends { requestBody: infer B }
	? Json<B>
	: undefined;
type PathParameters<Id extends ApiOperationId> = operations[Id]['parameters'] extends {
	path: infer P;
}
	? P
	: unknown;
/** What an operation answers. */
export type Result<Id extends ApiOperationId> = Json<operations[Id]['responses'][200]>;

/** A request after the contract has checked it. */
export interface ApiRequest<Id extends ApiOperationId> {
	caller: Caller;
	path: PathParameters<Id>;
	body: Body<Id>;
}

/**
 * Answers one operation: gets what the contract says comes in, returns the body that goes out with
 * status 200, or throws a HttpError. It runs in one transaction.
 */
export type Handler<Id extends ApiOperationId> = (
	request: ApiRequest<Id>,
	network: Network,
) => Result<Id>;

/** One handler for every operation of the contract. */
export type Handlers = { [Id in ApiOperationId]: Handler<Id> };
