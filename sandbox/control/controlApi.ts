import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../http/body';
import { splitUrl } from '../http/messages';
import { refuseForeign } from '../http/origin';
import { actingAs } from '../network/actor';
import { HttpError } from '../shared/errors';
import type { Store } from '../store/store';
import type { Route } from './routeTypes';
import { CONTROL_ROOT, type ControlRoutes } from './routes';

/** Serves the control API. Its own requests are not logged, and no fault strikes them. */
export function serveControl(app: FastifyInstance, routes: ControlRoutes, store: Store): void {
	void app.register((scope, _options, done) => {
		readBodiesAsJson(scope);
		refuseForeign(scope);
		answerErrors(scope);

		for (const [name, route] of Object.entries<Route>(routes)) {
			serveRoute(scope, name, route, store);
		}

		done();
	});
}

/** Whatever type of body is named, it is JSON; none is an empty object. */
function readBodiesAsJson(scope: FastifyInstance): void {
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser(
		'*',
		{ parseAs: 'buffer' },
		async (_request: unknown, body: Buffer) =>
			await Promise.resolve(body.length === 0 ? {} : parseJson(body)),
	);

	scope.addHook('preValidation', (request, _reply, next) => {
		request.body ??= {};
		next();
	});
}

function answerErrors(scope: FastifyInstance): void {
	scope.setErrorHandler(async (error: Error & { validation?: unknown }, _request, reply) => {
		const { message } = error;
		if (error instanceof HttpError) {
			return await reply.code(error.status).send({ error: { code: error.code, message } });
		}

		if (error.validation !== undefined) {
			return await reply.code(400).send({ error: { code: 'invalid_request', message } });
		}

		throw error;
	});
}

const BODY_LIMIT = 1024 * 1024;

function serveRoute(scope: FastifyInstance, name: string, route: Route, store: Store): void {
	const { method, path, body, query = [], bodyLimit } = route;
	// The schema is what makes the type of the input true.
	const act = route.handle as (input: unknown) => unknown;

	scope.route({
		method,
		url: CONTROL_ROOT + path,
		schema: body === undefined ? {} : { body },
		bodyLimit: bodyLimit ?? BODY_LIMIT,
		handler: async (request) => {
			const input = method === 'POST' ? request.body : filterOf(request, query);
			const answer = await actingAs({ who: 'control API', action: name }, () => act(input));
			if (method !== 'GET') {
				store.touch();
			}

			return answer ?? { ok: true };
		},
	});
}

/** What the query says of the names that a route knows; of a repeated name the first value. */
function filterOf(request: FastifyRequest, names: readonly string[]): Record<string, unknown> {
	const given = splitUrl(request.raw.url ?? '').query;
	const filter: Record<string, unknown> = {};
	for (const name of names) {
		const values = [given[name]].flat();
		filter[name] = values[0];
	}

	return filter;
}
