import type { FastifyInstance } from 'fastify';
import { refuseForeign } from '../http/origin';
import { builtIn } from '../shared/builtIn';
import { errorText, HttpError } from '../shared/errors';
import { Page, sendPage } from '../ui/page';
import { serveConsole } from './console/console';
import { CONSOLE_ROOT, type PagesContext } from './console/frame';
import { serveSignup } from './signup';
import { serveVendor } from './vendor';
import type { Route } from '../control/routeTypes';
import { CONTROL_ROOT } from '../control/routes';

/**
 * Serves everything that people look at: the vendors' sign-up, their own page, and the console. They
 * have a scope of their own on the host, because their errors are answered with a page.
 */
export function servePages(app: FastifyInstance, context: PagesContext): void {
	app.get('/', async (_, reply) => await reply.redirect(CONSOLE_ROOT, 303));
	app.get('/openapi.yaml', async (_, reply) => {
		void reply.header('content-type', 'application/yaml; charset=utf-8');
		return await reply.send(builtIn.contract);
	});

	// A browser asks for pages and gets the console; a program gets the list of routes.
	app.get(CONTROL_ROOT, async (request, reply) => {
		void reply.header('vary', 'accept');
		if (request.headers.accept?.includes('text/html') === true) {
			return await reply.redirect(CONSOLE_ROOT, 303);
		}

		const routes = Object.entries<Route>(context.routes);
		return {
			// What stands in functions and schemas is not for JSON.
			routes: routes.map(([name, route]) => ({ name, ...route, body: undefined })),
		};
	});

	void app.register((pages, _, done) => {
		refuseForeign(pages);
		pages.setErrorHandler(async (error: unknown, _request, reply) => {
			const { status, message } = describeError(error, context);

			await sendPage(reply, <ErrorPage status={status} message={message} />, status);
		});

		serveSignup(pages, context.network, context);
		serveVendor(pages, context.network, context);
		serveConsole(pages, context);
		done();
	});
}

function describeError(
	error: unknown,
	{ reportError }: PagesContext,
): { status: number; message: string } {
	if (error instanceof HttpError) {
		return error;
	}

	// What the framework refuses, for example a form that is too large.
	const status =
		error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
	if (status !== undefined && status >= 400 && status < 500) {
		return { status, message: 'The form could not be read.' };
	}

	reportError(errorText(error));
	return { status: 500, message: 'The sandbox has failed; its output says why.' };
}

const ErrorPage = ({ status, message }: { status: number; message: string }) => (
	<Page title={status === 404 ? 'This page does not exist' : 'This did not work'}>
		<p class="error">{message}</p>
		<p>
			Go back to where you came from, or to the <a href={CONSOLE_ROOT}>buyer console</a>.
		</p>
	</Page>
);
