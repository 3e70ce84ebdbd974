import { inflateSync } from 'node:zlib';
import type { Funding, Payable } from '../../sandbox/client';
import { demo, http, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

/** The texts of a PDF: pdfkit writes them as hexadecimal strings in deflated streams. */
function textOf(source: string): string {
	const streams = [...source.matchAll(/\/FlateDecode[^>]*>>\s*stream\n([\s\S]*?)\nendstream/g)];
	return streams
		.map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
		.flatMap((page) => page.split('\n').filter((line) => line.endsWith('TJ')))
		.map((line) => [...line.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join(''))
		.map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
		.join('\n');
}

/** Downloads the invoice of a funding; a byte of it is a character. */
async function download({ id }: Funding) {
	const answer = await fixture.api.get<{ pdf_url: string }>(`/funding/${id}/pdf-url`);
	// Without a token, as a browser would.
	const options = { responseType: 'arraybuffer' } as const;
	const { data, headers } = await http.get<ArrayBuffer>(ok(answer).pdf_url, options);
	const source = Buffer.from(data).toString('latin1');
	const pages = [...source.matchAll(/\/Type \/Page\b(?!s)/g)].length;

	return { headers, source, pages, text: textOf(source) };
}

test('names a vendor whom the buyer knows by the identifier alone by that', async () => {
	const payable = await fixture.approved({ payee_service_id: demo.unattachedVendorServiceId });
	const funding = await fixture.funded([payable], { method: 'invoice' });

	const { text } = await download(funding);

	expect(text).toContain(demo.unattachedVendorServiceId);
	expect(text).not.toContain(demo.unattachedVendorEmail);
});

test('shows everything that is needed to pay it #invoice-shows-all', async () => {
	const first = await fixture.approved({
		amount: 123_456,
		description: 'Spring campaign',
		due_date: '2030-01-31T00:00:00Z',
	});

	const second = await fixture.approved({ amount: 44, payee_email: 'ben@example.com' });
	const funding = await fixture.funded([first, second], {
		method: 'invoice',
		po_number: 'PO-2026-17',
		description: 'Creators, spring',
	});

	const { headers, source, pages, text } = await download(funding);

	expect(headers['content-type']).toBe('application/pdf');
	expect(source).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
	expect(pages).toBe(1);
	for (const expected of [
		'PO-2026-17',
		'Creators, spring',
		'Northwind Media, Northwind Media US',
		funding.id,
		first.id,
		second.id,
		'ana@example.com',
		'ben@example.com',
		'Spring campaign',
		'2030-01-31',
		'$1,234.56',
		'$0.44',
		'Total due: $1,235.00 USD',
		'900100200301',
		'990000005',
	]) {
		expect(text).toContain(expected);
	}
});

test('has as many pages as needed, for long texts and any characters', async () => {
	const fields = {
		payee_email: `${'long'.repeat(15)}@example.com`,
		description: 'Ünïcødé — 日本語 '.repeat(30),
	};

	const payables: Payable[] = [];
	for (let made = 0; made < 30; made += 1) {
		payables.push(await fixture.approved(fields));
	}

	const { pages, text } = await download(await fixture.invoice(payables));

	const missing = payables.filter(({ id }) => !text.includes(id));
	expect(pages).toBeGreaterThan(2);
	expect(missing).toEqual([]);
	expect(text).toContain('Ünïcødé');
});

test('is not found by another address', async () => {
	expect((await http.get(fixture.pageUrl('/documents/invoice/x.pdf'))).status).toBe(404);
});
