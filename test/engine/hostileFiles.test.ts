import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { executeOperation, startScriptedService } from './support';

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

const service = startScriptedService();

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
	return await executeOperation(service, 'funding.getInvoicePdf', {
		fundingId: 'f1',
		download: true,
	});
};

test.each([
	[
		'that never ends',
		(response: ServerResponse) => {
			response.write('%PDF-1.7\n');
			writeForever(response);
		},
		'Could not download the invoice: the file is larger than 20 MB',
	],
	[
		'that is HTML',
		(response: ServerResponse) => {
			response.setHeader('content-type', 'application/pdf');
			response.write('<html>Sign in</html>');
			writeForever(response);
		},
		'Could not download the invoice: the service answered without a PDF file (status 200)',
	],
])('a file %s is cut off, and told in one sentence #hostile-file', async (_, answer, message) => {
	files = new FileServer(answer);
	const { error, items } = await downloadFrom(await files.start('127.0.0.1'));
	expect(error?.message).toBe(`${message} [item 0]`);
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

test('a redirect is not followed over plain http to another machine', async () => {
	files = new FileServer((response) => response.end('%PDF-1.7\n'));
	const elsewhere = await files.start('127.0.0.2');
	const { error } = await downloadFrom(`${service.url}/v1/moved`, elsewhere);
	expect(error?.message).toBe(
		'The address that the document has moved to must start with https://, since plain http:// is allowed on localhost only [item 0]',
	);
	expect(service.requests.map(({ url }) => url)).toEqual(['/v1/funding/f1/pdf-url', '/v1/moved']);
	expect(files.urls).toEqual([]);
});
