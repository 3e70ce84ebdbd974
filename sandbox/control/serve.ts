import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../shared/errors';
import { parseJson } from '../http/body';
import { splitUrl } from '../http/messages';
import { isFromElsewhere } from '../http/origin';
import { CONSOLE_ROOT } from '../web/console/frame';
import { controlRoutes, type Controlled } from './routes';

/** The control API's place on the API's host. It has no authentication: the host is this machine. */
export const CONTROL_ROOT = '/_sandbox';

/** Serves the control API. Its own requests are not logged, and no fault strikes them. */
export function serveControl(app: FastifyInstance, controlled: Controlled): void {
	const routes = controlRoutes(controlled);
	const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false });
	addFormats(ajv);
	// A browser asks for pages and gets the console; a program gets the list of routes.
	app.get(CONTROL_ROOT, async (request, reply) => {
		void reply.header('vary', 'accept');
		if (request.headers.accept?.includes('text/html') === true) {
			return await reply.redirect(CONSOLE_ROOT, 303);
		}
		return {
			routes: routes.map(({ method, path, does }) => `${method} ${CONTROL_ROOT}${path}: ${does}`),
		};
	});
	for (const { method, path, body: schema, handle } of routes) {
		const valid = schema === undefined ? undefined : ajv.compile(schema);
		app.route({
			method,
			url: `${CONTROL_ROOT}${path}`,
			handler: async (request, reply) => {
				try {
					if (method !== 'GET' && isFromElsewhere(request.headers)) {
						throw new Refusal(403, 'cross_site', 'Another site may not control the sandbox.');
					}
					const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
					const body = raw.length === 0 ? {} : parseJson(raw);
					if (valid !== undefined && !valid(body)) {
						throw new Refusal(400, 'invalid_request', ajv.errorsText(valid.errors));
					}
					return await handle({ body, query: splitUrl(request.raw.url ?? '').query });
				} catch (error) {
					if (!(error instanceof Refusal)) throw error;
					const { code, message } = error;
					return await reply.code(error.status).send({ error: { code, message } });
				}
			},
		});
	}
}
