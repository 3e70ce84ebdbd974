import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { parseJson } from '../http/body';
import { splitUrl } from '../http/messages';
import { isCrossSite } from '../http/origin';
import { HttpError } from '../shared/errors';
import { CONSOLE_ROOT } from '../web/console/frame';
import { controlHandlers, type ControlContext } from './handlers';
import type { Route } from './route';
import { routes } from './routes';

/** The path of the control API on the API's host. It has no authentication: the host is this machine. */
export const CONTROL_ROOT = '/_sandbox';

/** Serves the control API. Its own requests are not logged, and no fault strikes them. */
export function serveControl(app: FastifyInstance, context: ControlContext): void {
	// A browser asks for pages and gets the console; a program gets the list of routes.
	app.get(CONTROL_ROOT, async (request, reply) => {
		void reply.header('vary', 'accept');
		if (request.headers.accept?.includes('text/html') === true) {
			return await reply.redirect(CONSOLE_ROOT, 303);
		}
		return {
			routes: Object.values(routes).map(
				({ method, path, summary }) => `${method} ${CONTROL_ROOT}${path}: ${summary}`,
			),
		};
	});
	// The schema of a route, checked below, is what makes the type of its handler's input true.
	const handlers = new Map<string, (input: never) => unknown>(
		Object.entries(controlHandlers(context)),
	);
	for (const [name, route] of Object.entries<Route>(routes)) {
		const handle = handlers.get(name) as ((input: unknown) => unknown) | undefined;
		if (handle === undefined) throw new Error(`Nothing handles ${name}.`);
		const readInput = inputReader(route);
		app.route({
			method: route.method,
			url: `${CONTROL_ROOT}${route.path}`,
			handler: async (request, reply) => {
				try {
					if (route.method !== 'GET' && isCrossSite(request.headers)) {
						throw new HttpError(403, 'cross_site', 'Another site may not control the sandbox.');
					}
					const input = readInput(request.body, request.raw.url ?? '');
					return (await handle(input)) ?? { ok: true };
				} catch (error) {
					if (!(error instanceof HttpError)) throw error;
					const { code, message } = error;
					return await reply.code(error.status).send({ error: { code, message } });
				}
			},
		});
	}
}

const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false });
addFormats(ajv);

/** Reads and validates what a route gets; throws HttpError 400 when the body is not valid. */
function inputReader({ body: schema, query }: Route): (body: unknown, url: string) => unknown {
	if (query !== undefined) {
		return (_, url) => {
			const given = splitUrl(url).query;
			return Object.fromEntries(query.map((name) => [name, [given[name]].flat()[0]]));
		};
	}
	const isValid = ajv.compile(schema ?? {});
	return (received) => {
		const bytes = Buffer.isBuffer(received) ? received : Buffer.alloc(0);
		const body = bytes.length === 0 ? {} : parseJson(bytes);
		if (isValid(body)) return body;
		throw new HttpError(400, 'invalid_request', ajv.errorsText(isValid.errors));
	};
}
