import { buffer } from 'node:stream/consumers';

import PDFDocument from 'pdfkit';

/** What stands on an invoice. */
export interface InvoiceLines {
	/** The lines that a person sees. */
	lines: string[];
	/** Text that a program reads, and no one sees, since it is as white as the paper. */
	hidden?: string;
}

/** A PDF with these lines: the two halves of one with a tab stand in two columns. */
export async function invoicePdf({ lines, hidden = '' }: InvoiceLines): Promise<Buffer> {
	const document = new PDFDocument();
	for (const [index, line] of lines.entries()) {
		const [left = '', right] = line.split('\t');
		const top = 72 + 20 * index;
		document.text(left, 72, top, { lineBreak: false });
		if (right !== undefined) {
			document.text(right, 360, top, { lineBreak: false });
		}
	}

	if (hidden !== '') {
		document.fillColor('white').text(hidden, 72, 700, { lineBreak: false });
	}

	document.end();

	return await buffer(document);
}
