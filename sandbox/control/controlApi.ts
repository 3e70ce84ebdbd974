import type { FastifyInstance } from 'fastify';
import { parseJson } from '../http/body';
import { splitUrl } from '../http/messages';
import { refuseCrossSite } from '../http/origin';
import { HttpError } from '../shared/errors';
import type { Store } from '../store/store';
import type { Route } from './routeTypes';
import { CONTROL_ROOT, type ControlRoutes } from './routes';

/** Serves the control API. Its own requests are not logged, and no fault strikes them. */
export function serveControl(app: FastifyInstance, routes: ControlRoutes, store: Store): void {
	void app.register((scope, _, done) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			'*',
			{ parseAs: 'buffer' },
			async (__: unknown, body: Buffer) =>
				await Promise.resolve(body.length === 0 ? {} : parseJson(body)),
		);

		refuseCrossSite(scope);
		scope.addHook('preValidation', (request, __, next) => {
			request.body ??= {};
			next();
		});

		scope.setErrorHandler(async (error: Error & { validation?: unknown }, __, reply) => {
			if (error.validation === undefined && !(error instanceof HttpError)) {
				throw error;
			}

			const { status, code } =
				error instanceof HttpError ? error : { status: 400, code: 'invalid_request' };

			return await reply.code(status).send({ error: { code, message: error.message } });
		});

		for (const { method, path, body, query = [], handle } of Object.values<Route>(routes)) {
			// The schema is what makes the type of the input true.
			const act = handle as (input: unknown) => unknown;
			scope.route({
				method,
				url: CONTROL_ROOT + path,
				schema: body === undefined ? {} : { body },
				handler: async (request) => {
					const given = splitUrl(request.raw.url ?? '').query;
					const filter = query.map((name) => [name, [given[name]].flat()[0]]);
					const answer = await act(method === 'POST' ? request.body : Object.fromEntries(filter));
					if (method !== 'GET') {
						store.touch();
					}

					return answer ?? { ok: true };
				},
			});
		}

		done();
	});
}
