import PDFDocument from 'pdfkit';
import type { Invoice } from '../domain/invoices';
import { formatDollars } from '../shared/money';

type Document = InstanceType<typeof PDFDocument>;

const MARGIN = 50;
const INK = '#1c2733';
const MUTED = '#5d6b7a';
const LINE = '#d5dbe1';
const SHADE = '#f2f5f8';
const ROW = 34;

/** Left edge, width and alignment of the columns of the payables. */
const columns = {
	payee: { x: MARGIN, width: 185, align: 'left' },
	description: { x: 243, width: 150, align: 'left' },
	due: { x: 401, width: 66, align: 'left' },
	amount: { x: 475, width: 81, align: 'right' },
} as const;

/** Draws the invoice of a funding as a PDF on US Letter pages, as many as the payables need. */
export async function renderInvoice(invoice: Invoice): Promise<Buffer> {
	const document = new PDFDocument({
		size: 'LETTER',
		margin: MARGIN,
		bufferPages: true,
		info: { Title: `Invoice ${invoice.fundingId}`, Author: invoice.buyer },
	});
	const parts: Buffer[] = [];
	document.on('data', (part: Buffer) => parts.push(part));
	const finished = new Promise((resolve, reject) =>
		document.on('end', resolve).on('error', reject),
	);
	drawHead(document, invoice);
	drawPayables(document, invoice);
	drawTotal(document, invoice);
	drawTransfer(document, invoice);
	drawFooters(document, invoice);
	document.end();
	await finished;
	return Buffer.concat(parts);
}

function drawHead(document: Document, invoice: Invoice): void {
	document.font('Helvetica-Bold').fontSize(26).fillColor(INK).text('Invoice', MARGIN, MARGIN);
	const facts: [string, string][] = [
		['Funding', invoice.fundingId],
		['Issued', day(invoice.issuedAt)],
		['PO number', invoice.poNumber ?? 'none'],
		['Billed to', `${invoice.buyer}, ${invoice.workspace}`],
	];
	if (invoice.description !== null) facts.push(['For', invoice.description]);
	let y = MARGIN + 44;
	for (const [name, value] of facts) y += drawFact(document, name, value, MARGIN, y);
	document.y = y + 14;
}

/** Draws a name and its value; answers the height used. */
function drawFact(document: Document, name: string, value: string, x: number, y: number): number {
	document.font('Helvetica').fontSize(10).fillColor(MUTED).text(name, x, y, { width: 90 });
	const width = 512 - (x - MARGIN) * 2 - 100;
	document
		.font('Helvetica-Bold')
		.fillColor(INK)
		.text(printable(value), x + 95, y, { width });
	return Math.max(16, document.y - y + 3);
}

function drawPayables(document: Document, invoice: Invoice): void {
	let y = drawTableHead(document, document.y);
	for (const payable of invoice.payables) {
		if (y + ROW > document.page.height - MARGIN - 30) {
			document.addPage();
			y = drawTableHead(document, MARGIN);
		}
		cell(document, 'payee', payable.payee, y + 7);
		cell(document, 'description', payable.description ?? '', y + 7);
		cell(document, 'due', payable.dueDate === null ? '' : day(payable.dueDate), y + 7);
		cell(document, 'amount', formatDollars(payable.amount), y + 7);
		document
			.fontSize(7)
			.fillColor(MUTED)
			.text(payable.id, MARGIN + 6, y + 20, { lineBreak: false });
		y += ROW;
		rule(document, y);
	}
	document.y = y;
}

function drawTableHead(document: Document, y: number): number {
	document.rect(MARGIN, y, 512, 20).fill(SHADE);
	document.font('Helvetica-Bold');
	cell(document, 'payee', 'Payee and payable', y + 6);
	cell(document, 'description', 'Description', y + 6);
	cell(document, 'due', 'Due', y + 6);
	cell(document, 'amount', 'Amount', y + 6);
	document.font('Helvetica');
	return y + 20;
}

function cell(document: Document, name: keyof typeof columns, value: string, y: number): void {
	const { x, width, align } = columns[name];
	const inset = name === 'payee' ? 6 : 0;
	document.fontSize(9).fillColor(INK);
	document.text(fitting(document, printable(value), width - inset), x + inset, y, {
		width: width - inset,
		align,
		lineBreak: false,
	});
}

function drawTotal(document: Document, invoice: Invoice): void {
	const y = room(document, 40) + 10;
	document.font('Helvetica-Bold').fontSize(13).fillColor(INK);
	document.text(`Total due: ${formatDollars(invoice.amount)} USD`, MARGIN, y, {
		width: 512,
		align: 'right',
	});
	document.y = y + 24;
}

function drawTransfer(document: Document, invoice: Invoice): void {
	const y = room(document, 130) + 12;
	document.rect(MARGIN, y, 512, 106).fill(SHADE);
	document.font('Helvetica-Bold').fontSize(11).fillColor(INK);
	document.text('How to pay: one bank transfer of exactly this amount', MARGIN + 14, y + 13);
	const facts: [string, string][] = [
		['Amount', `${formatDollars(invoice.amount)} USD`],
		['Account number', invoice.accountNumber],
		['Routing number', invoice.routingNumber],
		['Reference', invoice.fundingId],
	];
	facts.forEach(([name, value], index) =>
		drawFact(document, name, value, MARGIN + 14, y + 34 + index * 16),
	);
}

function drawFooters(document: Document, invoice: Invoice): void {
	const { count } = document.bufferedPageRange();
	for (let page = 0; page < count; page++) {
		document.switchToPage(page);
		// Below the bottom margin, where text would otherwise start a page of its own.
		document.page.margins.bottom = 0;
		document.font('Helvetica').fontSize(8).fillColor(MUTED);
		document.text(
			`${invoice.fundingId} - page ${page + 1} of ${count} - sandbox document, no real money`,
			MARGIN,
			document.page.height - 36,
			{ width: 512, align: 'center', lineBreak: false },
		);
	}
}

/** Where the next part of this height goes: here, or at the top of a new page. */
function room(document: Document, height: number): number {
	if (document.y + height > document.page.height - MARGIN - 30) {
		document.addPage();
		return MARGIN;
	}
	return document.y;
}

function rule(document: Document, y: number): void {
	document.moveTo(MARGIN, y).lineTo(562, y).lineWidth(0.5).stroke(LINE);
}

/** Shortens a text to a width in points. */
function fitting(document: Document, text: string, width: number): string {
	if (document.widthOfString(text) <= width) return text;
	let end = text.length;
	while (end > 0 && document.widthOfString(`${text.slice(0, end)}...`) > width) end -= 1;
	return `${text.slice(0, end)}...`;
}

/** The built-in fonts know Latin-1 only; other characters would come out as wrong ones. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa1-\xff]/gu, '?');

const day = (timestamp: string): string => timestamp.slice(0, 10);
