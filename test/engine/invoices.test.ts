import type { INodeParameters } from 'n8n-workflow';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startScriptedService } from './support';

const service = startScriptedService();

describe('an invoice that is downloaded', () => {
	const PDF = Buffer.from('%PDF-1.7\nbinary \u0000 ÿ');
	const download = async (parameters: INodeParameters = {}) =>
		await service.execute('funding.getInvoicePdf', {
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
		['a refusal', { status: 403, body: 'Expired' }],
		['a broken connection', 'cut' as const],
	])('is an error of its item when its server gives %s', async (_, answer) => {
		service.useScript(({ url }) =>
			url.startsWith('/files/') ? answer : { body: { pdf_url: `${service.url}/files/f1.pdf` } },
		);
		const { error } = await download();
		expect(error?.message).toMatch(/^Could not download the invoice.*\[item 0\]$/);
	});
});

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

/** Another server that holds files. */
class FileServer {
	readonly urls: string[] = [];
	/** For each answer: whether it was cut off by whoever asked, once that is known. */
	readonly cuts: Array<Promise<boolean>> = [];

	private readonly server: Server;

	constructor(answer: (response: ServerResponse) => void) {
		this.server = createServer((request, response) => {
			this.urls.push(request.url ?? '');
			this.cuts.push(once(response, 'close').then(() => !response.writableFinished));
			answer(response);
		});
	}

	async start(host: string): Promise<string> {
		this.server.listen(0, host);
		await once(this.server, 'listening');
		return `http://${host}:${(this.server.address() as AddressInfo).port}/f1.pdf`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}

let files: FileServer | undefined;

afterEach(async () => {
	await files?.stop();
	files = undefined;
});

/** Writes as fast as it is read, until the connection is closed. */
function writeForever(response: ServerResponse): void {
	while (!response.destroyed && response.write(MEGABYTE));
	if (!response.destroyed) response.once('drain', () => writeForever(response));
}

const downloadFrom = async (url: string, redirectTo?: string) => {
	service.useScript((request) =>
		request.url === '/v1/moved' && redirectTo !== undefined
			? { status: 302, headers: { location: redirectTo } }
			: { body: { pdf_url: url } },
	);
	return await service.execute('funding.getInvoicePdf', {
		fundingId: 'f1',
		download: true,
	});
};

test.each([
	['that never ends', '%PDF-1.7\n', 'larger than 20 MB'],
	['that is HTML', '<html>Sign in</html>', 'without a PDF file (status 200)'],
])('a file %s is cut off, and told in one sentence #hostile-file', async (_, begin, message) => {
	files = new FileServer((response) => {
		response.setHeader('content-type', 'application/pdf');
		response.write(begin);
		writeForever(response);
	});
	const { error, items } = await downloadFrom(await files.start('127.0.0.1'));
	expect(error?.message).toContain(`${message} [item 0]`);
	expect([items, files.urls]).toEqual([[], ['/f1.pdf']]);
	expect(await Promise.all(files.cuts)).toEqual([true]);
});

test('a redirect is followed to another host, which sees no credential', async () => {
	let authorization: string | undefined = 'none was asked for';
	files = new FileServer((response) => {
		({ authorization } = response.req.headers);
		response.end('%PDF-1.7\n');
	});
	const moved = await files.start('127.0.0.1');
	const { error, items } = await downloadFrom(`${service.url}/v1/moved`, moved);
	expect(error).toBeUndefined();
	expect(items[0]?.binary).toHaveProperty('data');
	expect([files.urls, authorization]).toEqual([['/f1.pdf'], undefined]);
});
