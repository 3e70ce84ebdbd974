import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import { startScriptedService } from './support';

const service = startScriptedService();
/** Another host, which holds files. */
const files = startScriptedService('127.0.0.1');

const PDF = Buffer.from('%PDF-1.7\nbinary \u0000 ÿ');
const SIGNED_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJmaWxlIjoiZjEucGRmIn0.c2lnbmF0dXJl';

/** Downloads an invoice from an address, and gives this answer where that is one of the service. */
const download = async (address: string, answer?: Answer, parameters: INodeParameters = {}) => {
	service.useScript(({ url }) =>
		url === '/v1/funding/f1/pdf-url'
			? { body: { pdf_url: address } }
			: (answer ?? { body: PDF, type: 'application/pdf' }),
	);
	const invoice = { fundingId: 'f1', download: true, ...parameters };
	return await service.execute('funding.getInvoicePdf', invoice);
};

test.each(['sig=1', `token=${SIGNED_TOKEN}`])(
	'an invoice at an address with %s comes as a file, and its server sees no credential',
	async (query) => {
		const path = `/files/f1.pdf?${query}`;
		const { items, error } = await download(`${service.url}${path}`, undefined, {
			binaryPropertyName: 'invoice',
		});
		expect(error).toBeUndefined();
		expect(service.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
			['/v1/funding/f1/pdf-url', 'Bearer token-1-opaque'],
			[path, undefined],
		]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['invoice']);
		expect(items[0]?.binary?.invoice).toMatchObject({
			fileName: 'invoice-f1.pdf',
			mimeType: 'application/pdf',
		});
		expect(Buffer.from(items[0]?.binary?.invoice?.data ?? '', 'base64').equals(PDF)).toBe(true);
	},
);

test('a redirect is followed to another host, which sees no credential', async () => {
	files.useScript(() => ({ body: '%PDF-1.7\n' }));
	const location = `${files.url}/f1.pdf`;
	const moved: Answer = { status: 302, headers: { location } };
	const { error, items } = await download(`${service.url}/v1/moved`, moved);
	expect(error).toBeUndefined();
	expect(items[0]?.binary).toHaveProperty('data');
	expect(files.requests).toEqual([
		expect.objectContaining({ url: '/f1.pdf', authorization: undefined }),
	]);
});
