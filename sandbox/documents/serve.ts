import type { FastifyInstance } from 'fastify';
import { findFundingByDocument } from '../domain/fundings';
import type { Network } from '../network/network';
import { INVOICE_PATH, readInvoice } from '../domain/invoices';
import type { RequestLog } from '../http/request-log';
import { readRequest } from '../http/serve';
import { renderInvoice } from './invoice-pdf';

/** Serves the invoices, outside of the REST root. */
export function serveDocuments(app: FastifyInstance, network: Network, log: RequestLog): void {
	app.get<{ Params: { file: string } }>(`${INVOICE_PATH}/:file`, async (request, reply) => {
		const key = /^([\w-]+)\.pdf$/.exec(request.params.file)?.[1];
		// Logged although the contract has no such call: nobody should send a token along.
		const entry = log.open('api', readRequest(request));
		const funding = key === undefined ? undefined : findFundingByDocument(network, key);
		entry.status = funding === undefined ? 404 : 200;
		if (funding === undefined) {
			const error = { code: 'not_found', message: 'There is no such document.' };
			return await reply.code(404).send({ error });
		}
		const pdf = await renderInvoice(readInvoice(network, funding));
		return await reply
			.header('content-type', 'application/pdf')
			.header('content-disposition', `inline; filename="invoice-${funding.id}.pdf"`)
			.send(pdf);
	});
}
