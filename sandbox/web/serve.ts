import type { FastifyInstance } from 'fastify';
import { isCrossSite } from '../http/origin';
import { errorText, HttpError } from '../shared/errors';
import { sendPage } from '../ui/page';
import { serveConsole } from './console/serve';
import type { PagesContext } from './context';
import { ErrorPage } from './error-page';
import { serveSignup } from './signup/serve';
import { serveVendor } from './vendor/serve';

/**
 * Serves everything that people look at: the vendors' sign-up, their own page, and the console. They
 * have a scope of their own on the host, because their errors are answered with a page.
 */
export function servePages(app: FastifyInstance, context: PagesContext): void {
	void app.register((pages, _, done) => {
		pages.addHook('onRequest', (request, __, next) => {
			const isRefused = request.method === 'POST' && isCrossSite(request.headers);
			next(isRefused ? crossSiteError : undefined);
		});
		pages.setErrorHandler(async (error: unknown, _request, reply) => {
			const { status, message } = describeError(error, context);
			await sendPage(reply, ErrorPage({ status, message }), status);
		});
		serveSignup(pages, context.network);
		serveVendor(pages, context.network);
		serveConsole(pages, context);
		done();
	});
}

const crossSiteError = new HttpError(
	403,
	'cross_site',
	'This was sent from another site. Open the page here and send the form again.',
);

function describeError(
	error: unknown,
	{ reportError }: PagesContext,
): { status: number; message: string } {
	if (error instanceof HttpError) return error;
	// What the framework refuses, for example a form that is too large.
	const status =
		error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
	if (status !== undefined && status >= 400 && status < 500) {
		return { status, message: 'The form could not be read.' };
	}
	reportError(errorText(error));
	return { status: 500, message: 'The sandbox has failed; its output says why.' };
}
