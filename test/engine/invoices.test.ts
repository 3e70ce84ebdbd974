import type { INodeParameters } from 'n8n-workflow';

import { executeOperation, startScriptedService } from './support';

const service = startScriptedService();

describe('an invoice that is downloaded', () => {
	const PDF = Buffer.from('%PDF-1.7\nbinary \u0000 ÿ');
	const download = async (parameters: INodeParameters = {}) =>
		await executeOperation(service, 'funding.getInvoicePdf', {
			fundingId: 'f1',
			download: true,
			...parameters,
		});

	test('comes as a file, and its server sees no credential', async () => {
		service.useScript(({ url }) =>
			url.startsWith('/files/')
				? { body: PDF, type: 'application/pdf' }
				: { body: { pdf_url: `${service.url}/files/f1.pdf?sig=1` } },
		);
		const { items, error } = await download({ binaryPropertyName: 'invoice' });
		expect(error).toBeUndefined();
		expect(service.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
			['/v1/funding/f1/pdf-url', 'Bearer token-1-opaque'],
			['/files/f1.pdf?sig=1', undefined],
		]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['invoice']);
		expect(items[0]?.binary?.invoice).toMatchObject({
			fileName: 'invoice-f1.pdf',
			mimeType: 'application/pdf',
		});
		expect(Buffer.from(items[0]?.binary?.invoice?.data ?? '', 'base64').equals(PDF)).toBe(true);
	});

	test('is found at an address that carries a signed token', async () => {
		const token = 'eyJhbGciOiJIUzI1NiJ9.eyJmaWxlIjoiZjEucGRmIn0.c2lnbmF0dXJl';
		service.useScript(({ url }) =>
			url === `/files/f1.pdf?token=${token}`
				? { body: PDF, type: 'application/pdf' }
				: { body: { pdf_url: `${service.url}/files/f1.pdf?token=${token}` } },
		);
		const { items, error } = await download();
		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
	});

	test.each([
		['no PDF', { body: '<html>Sign in</html>', type: 'text/html' }, 'without a PDF file'],
		['nothing', { body: '' }, 'without a PDF file'],
		['a refusal', { status: 403, body: 'Expired' }, 'Could not download the invoice'],
		['a broken connection', 'cut' as const, 'Could not download the invoice'],
	])('is refused when its server gives %s', async (_, answer, message) => {
		service.useScript(({ url }) =>
			url.startsWith('/files/') ? answer : { body: { pdf_url: `${service.url}/files/f1.pdf` } },
		);
		const { error } = await download();
		expect(error?.message).toContain(message);
		expect(error?.message).toContain('[item 0]');
	});

	test('is not fetched over plain http from another machine', async () => {
		service.useScript(() => ({ body: { pdf_url: 'http://files.example.com/f1.pdf' } }));
		const { error } = await download();
		expect(error?.message).toContain('must start with https://');
	});
});
