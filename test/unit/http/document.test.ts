import type { IHttpRequestOptions } from 'n8n-workflow';

import { documentAddress, requestPdf } from '../../../nodes/PartnerPayments/api/http/document';
import type { ServiceRequest } from '../../../nodes/PartnerPayments/api/http/message';
import { rejectionOf } from '../support';

const REMOTE = 'https://api.example.com/v1';
const LOCAL = 'http://localhost:4010/v1';
const FILE = 'https://files.example.com/f1.pdf?sig=1';
const PDF = '%PDF-1.7\nbinary \u00ff';
const BY_HAND = 'Download it by hand, if you trust it.';
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');

const request: ServiceRequest = {
	method: 'GET',
	path: '/funding/f1/pdf-url',
	task: 'download the invoice',
	idempotency: 'safe',
};

type Answer = { redirect: string; status?: number } | { pieces: Iterable<string | Buffer> };

/** Servers that answer at any address, and what was asked of them. */
class Servers {
	readonly requests: IHttpRequestOptions[] = [];
	/** Pieces of bodies that were read. */
	pieces = 0;
	isClosed = false;

	constructor(private readonly answer: (url: string) => Answer) {}

	/** Downloads as the client does, without its waiting and retries. */
	async download(url = FILE, root = REMOTE, signal?: AbortSignal): Promise<Buffer> {
		const helpers = { httpRequest: this.httpRequest };
		const result = await requestPdf({ helpers }, documentAddress(url, root), request, signal);
		if (result.kind === 'unanswered') {
			throw new Error(result.failure.reason);
		}

		return result.body as Buffer;
	}

	get urls(): string[] {
		return this.requests.map(({ url }) => url);
	}

	private readonly httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		this.requests.push(options);
		const answer = this.answer(options.url);
		const isFile = 'pieces' in answer;

		return await Promise.resolve({
			statusCode: isFile ? 200 : (answer.status ?? 302),
			headers: isFile ? {} : { location: answer.redirect },
			body: Object.assign(this.bodyOf(isFile ? answer.pieces : [], options), {
				destroy: () => (this.isClosed = true),
			}),
		});
	};

	private async *bodyOf(pieces: Iterable<string | Buffer>, { abortSignal }: IHttpRequestOptions) {
		try {
			for (const piece of pieces) {
				await new Promise(setImmediate);
				if (abortSignal?.aborted === true) {
					throw new Error('Aborted');
				}

				this.pieces += 1;
				yield Buffer.from(piece);
			}
		} finally {
			this.isClosed = true;
		}
	}
}

function* endless(first: string): Generator<string | Buffer> {
	yield first;
	for (;;) {
		yield MEGABYTE;
	}
}

afterEach(() => {
	jest.restoreAllMocks();
});

describe('an invoice', () => {
	test.each([
		['at once', [PDF]],
		['byte by byte', PDF.split(/(?:)/u)],
		['behind blank lines', ['\r\n \n', PDF]],
	])('comes whole: %s', async (_, pieces) => {
		const servers = new Servers(() => ({ pieces }));

		expect((await servers.download()).toString()).toBe(pieces.join(''));
		expect(servers.isClosed).toBe(true);
		expect(servers.requests).toEqual([
			expect.objectContaining({ url: FILE, disableFollowRedirect: true, encoding: 'stream' }),
		]);
		expect(servers.requests[0]).not.toHaveProperty('headers');
	});

	test.each([
		['HTML', ['<html>Sign in</html>']],
		['HTML that names the signature', ['<!-- %PDF-1.7 --><html>']],
		['the beginning of the signature', ['%PD']],
		['the signature far behind', [' '.repeat(1024), PDF]],
		['nothing', []],
	])('that is no PDF file is refused: %s #hostile-file', async (_, pieces) => {
		const servers = new Servers(() => ({ pieces }));

		expect(await rejectionOf(servers.download())).toMatchObject({
			message:
				'Could not download the invoice: the service answered without a PDF file (status 200)',
		});
	});

	test('of more than 20 MB is read no further', async () => {
		const servers = new Servers(() => ({ pieces: endless(PDF) }));

		expect(await rejectionOf(servers.download())).toMatchObject({
			message: 'Could not download the invoice: the file is larger than 20 MB',
			hint: BY_HAND,
		});
		expect(servers.pieces).toBe(21);
		expect(servers.isClosed).toBe(true);
	});

	test('that does not come in time is given up', async () => {
		const timeout = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
		const servers = new Servers(() => ({
			pieces: (function* () {
				yield PDF;
				timeout.abort();
				yield PDF;
			})(),
		}));

		expect(await rejectionOf(servers.download())).toMatchObject({
			message: 'Could not download the invoice: the file took over 60 s',
		});
	});
});

test.each([301, 302, 303, 307, 308])(
	'a redirect with status %i is not followed #invoice-redirects',
	async (status) => {
		const servers = new Servers(() => ({ redirect: 'https://elsewhere.example.com/f1', status }));

		expect(await rejectionOf(servers.download())).toMatchObject({
			message: 'Could not download the invoice: its file has moved to another address',
		});
		expect([servers.urls, servers.isClosed]).toEqual([[FILE], true]);
	},
);

describe('an address that is not allowed #invoice-hosts', () => {
	const insecure = 'must start with https://';
	const here = 'leads to this machine, unlike the API of the service';
	const noAddress = 'is not a web address';
	const cases: Array<[reason: string, root: string, addresses: string[]]> = [
		[insecure, REMOTE, ['http://files.example.com/f1.pdf']],
		[insecure, LOCAL, ['http://files.example.com/f1.pdf', 'http://127.0.0.2/f1.pdf']],
		[
			insecure,
			LOCAL,
			['http://localhost:x@files.example.com/', 'http://localhost@files.example.com/'],
		],
		[here, REMOTE, ['http://localhost:4010/f1.pdf', 'http://127.0.0.1:5678/rest/settings']],
		[here, REMOTE, ['https://localhost/f1', 'https://localhost./f1', 'https://n8n.localhost/f1']],
		[here, REMOTE, ['https://127.1/f1', 'https://2130706433/f1', 'https://127.0.0.2/f1']],
		[here, REMOTE, ['https://0.0.0.0/', 'https://[::1]/', 'https://[::]/']],
		[here, REMOTE, ['https://[::ffff:127.0.0.1]/f1.pdf']],
		[noAddress, REMOTE, ['file:///etc/passwd', 'ftp://files.example.com/f1.pdf', 'https://[']],
	];

	test.each(cases)('%s, for the API %s: %j is not asked', async (reason, root, addresses) => {
		for (const address of addresses) {
			const servers = new Servers(() => ({ pieces: [PDF] }));

			expect(await rejectionOf(servers.download(address, root))).toMatchObject({
				message: expect.stringMatching(`^The address of the document ${reason}`),
				hint: BY_HAND,
			});
			expect(servers.urls).toEqual([]);
		}
	});
});
