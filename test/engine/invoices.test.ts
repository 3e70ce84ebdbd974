import { startScriptedService } from './support';

const service = startScriptedService();

const PDF = Buffer.from('%PDF-1.7\nbinary \u0000 ÿ');
const SIGNED_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJmaWxlIjoiZjEucGRmIn0.c2lnbmF0dXJl';

test.each(['sig=1', `token=${SIGNED_TOKEN}`])(
	'an invoice at an address with %s comes as a file, and its server sees no credential',
	async (query) => {
		const path = `/files/f1.pdf?${query}`;
		service.useScript(({ url }) =>
			url === path
				? { body: PDF, type: 'application/pdf' }
				: { body: { pdf_url: `${service.url}${path}` } },
		);

		const options = { binaryPropertyName: 'invoice' };
		const parameters = { fundingId: 'f1', download: true, options };

		const { items, error } = await service.execute('funding.getInvoicePdf', parameters);

		const invoice = items[0]?.binary?.invoice;

		expect(error).toBeUndefined();
		expect(service.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
			['/v1/funding/f1/pdf-url', 'Bearer token-1-opaque'],
			[path, undefined],
		]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['invoice']);
		expect(invoice).toMatchObject({ fileName: 'invoice-f1.pdf', mimeType: 'application/pdf' });
		expect(Buffer.from(invoice?.data ?? '', 'base64')).toEqual(PDF);
	},
);
