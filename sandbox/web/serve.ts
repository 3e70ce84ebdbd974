import type { FastifyInstance } from 'fastify';
import type { Network } from '../network/network';
import { Refusal } from '../shared/errors';
import type { Faults } from '../http/faults';
import { isFromElsewhere } from '../http/origin';
import type { RequestLog } from '../http/request-log';
import { serveConsole } from './console/serve';
import { Failed } from './error-page';
import { sendPage } from '../ui/page';
import { serveSignup } from './signup/serve';
import { serveVendor } from './vendor/serve';

/** What the pages show and change. */
export interface Shown {
	network: Network;
	log: RequestLog;
	faults: Faults;
	/** Gets a line when a page itself fails. */
	complain: (text: string) => void;
}

/**
 * Serves everything that people look at: the vendors' sign-up, their own page, and the console. A
 * scope of its own on the host, because what goes wrong here is told on a page.
 */
export function servePages(app: FastifyInstance, shown: Shown): void {
	void app.register((pages, _, done) => {
		pages.addHook('onRequest', (request, __, next) => {
			const refused = request.method === 'POST' && isFromElsewhere(request.headers);
			next(refused ? fromElsewhere : undefined);
		});
		pages.setErrorHandler(async (error: unknown, _request, reply) => {
			const { status, message } = wordsFor(error, shown);
			await sendPage(reply, Failed({ status, message }), status);
		});
		serveSignup(pages, shown.network);
		serveVendor(pages, shown.network);
		serveConsole(pages, shown);
		done();
	});
}

const fromElsewhere = new Refusal(
	403,
	'cross_site',
	'This was sent from another site. Open the page here and send the form again.',
);

function wordsFor(error: unknown, { complain }: Shown): { status: number; message: string } {
	if (error instanceof Refusal) return error;
	// What the framework refuses, for example a form that is too large.
	const status =
		error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined;
	if (status !== undefined && status >= 400 && status < 500) {
		return { status, message: 'The form could not be read.' };
	}
	complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
	return { status: 500, message: 'The sandbox has failed; its output says why.' };
}
