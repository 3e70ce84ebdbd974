import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import type { ServiceRequest } from '../http/request';
import { requestOf, type Client } from './client';
import { anyRecord, documentUrl, identifiedRecord } from './responseReaders';

export type FundingCreate = components['schemas']['FundingCreate'];

/** The request that funds approved payables, to be sent step by step; `amount` in minor units. */
export function fundingRequest(client: Client, funding: FundingCreate) {
	const request = requestOf('nonIdempotent', 'create the funding', '/funding', {}, { ...funding });
	const lookUp = 'Look for the funding itself: a payable can look unpaid although it was funded.';
	return client.single({ ...request, lookUp }, identifiedRecord('funding'));
}

export async function getInvoicePdfUrl(client: Client, fundingId: string): Promise<string> {
	const reader = { expected: 'the address of a document', read: documentUrl };
	return await client.send(invoiceRequest('get the invoice', fundingId), reader);
}

/** Downloads the PDF file of an invoice. Its address opens by itself, so no credential is sent to it. */
export async function downloadInvoice(
	client: Client,
	fundingId: string,
	url: string,
): Promise<Buffer> {
	return await client.downloadPdf(url, invoiceRequest('download the invoice', fundingId));
}

/** Links a deposit to the funding that it pays for; gives both IDs, and whatever the service answers. */
export async function linkDeposit(
	client: Client,
	fundingId: string,
	depositId: string,
): Promise<IDataObject> {
	const template = '/funding/{id}/link-deposit';
	const body = { deposit_id: depositId };
	const request = requestOf('nonIdempotent', 'link the deposit', template, { id: fundingId }, body);
	const lookUp = 'See whether the deposit is still listed with "Get Many" of "Deposit".';
	const funding = await client.send({ ...request, lookUp }, anyRecord('funding'));
	return { id: fundingId, ...body, ...funding };
}

const invoiceRequest = (task: string, fundingId: string): ServiceRequest =>
	requestOf('safe', task, '/funding/{id}/pdf-url', { id: fundingId });
