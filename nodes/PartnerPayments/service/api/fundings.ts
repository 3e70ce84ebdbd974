import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { path } from '../http/url';
import type { Call } from '../http/request';
import { unreadable } from '../http/errors';
import { documentUrl, isIdentified, record, type Identified } from './responseReaders';
import type { Gate, Service } from './client';

export type FundingCreate = components['schemas']['FundingCreate'];

/**
 * Funds approved payables. With method balance this moves money.
 *
 * @param funding `amount` in minor units, the sum of the payables
 * @param gate passed directly before the request
 * @returns the funding, with its `id`
 */
export async function createFunding(
	service: Service,
	funding: FundingCreate,
	gate?: Gate,
): Promise<Identified> {
	const call: Call = {
		method: 'POST',
		path: '/funding',
		task: 'create the funding',
		effect: 'creates',
		body: { ...funding },
	};
	const answer = await service.send(call, gate);
	const created = record(answer.body, 'funding');
	if (!isIdentified(created)) throw unreadable(call, "the funding's ID", answer.status);
	return created;
}

/** The address of a funding's invoice. */
export async function getInvoicePdfUrl(service: Service, fundingId: string): Promise<string> {
	const call = invoiceCall(fundingId, 'get the invoice');
	const answer = await service.send(call);
	const url = documentUrl(answer.body);
	if (url === undefined) throw unreadable(call, 'the address of a document', answer.status);
	return url;
}

/**
 * Downloads a funding's invoice. The address opens by itself, so no credential is sent to it.
 *
 * @param url as `getInvoicePdfUrl` found it
 * @returns the PDF file
 */
export async function downloadInvoice(
	service: Service,
	fundingId: string,
	url: string,
): Promise<Buffer> {
	const call = invoiceCall(fundingId, 'download the invoice');
	const file = await service.download(url, call);
	if (!file.subarray(0, 1024).includes('%PDF-')) throw unreadable(call, 'a PDF file', 200);
	return file;
}

/**
 * Links a deposit to the funding that it pays for.
 *
 * @returns the funding's id, the deposit's id and whatever the service answers
 */
export async function linkDeposit(
	service: Service,
	fundingId: string,
	depositId: string,
): Promise<IDataObject> {
	const answer = await service.send({
		method: 'POST',
		path: path('/funding/{id}/link-deposit', { id: fundingId }),
		task: 'link the deposit',
		effect: 'setsState',
		body: { deposit_id: depositId },
	});
	return { id: fundingId, deposit_id: depositId, ...record(answer.body, 'funding') };
}

function invoiceCall(fundingId: string, task: string): Call {
	return {
		method: 'GET',
		path: path('/funding/{id}/pdf-url', { id: fundingId }),
		task,
		effect: 'reads',
	};
}
