import type { FastifyInstance } from 'fastify';
import { findFundingByDocument, INVOICE_PATH, type FundingRow } from '../domain/fundings';
import { workspaceViews, type WorkspaceView } from '../domain/networkViews';
import { payablesOfFunding, presentPayable } from '../domain/payables';
import { readRequest } from '../http/host';
import type { RequestLog } from '../http/requestLog';
import type { Network } from '../network/network';
import { formatDollars } from '../shared/money';

/** Serves the invoices, outside of the REST root. */
export function serveDocuments(app: FastifyInstance, network: Network, log: RequestLog): void {
	app.get<{ Params: { file: string } }>(`${INVOICE_PATH}/:file`, async (request, reply) => {
		const key = /^([\w-]+)\.pdf$/.exec(request.params.file)?.[1];
		// Logged although the contract has no such call: a caller should not send a token along.
		const entry = log.open('api', readRequest(request));
		const funding = key === undefined ? undefined : findFundingByDocument(network, key);
		entry.status = funding === undefined ? 404 : 200;
		log.update(entry, '');
		if (funding === undefined) {
			const error = { code: 'not_found', message: 'There is no such document.' };
			return await reply.code(404).send({ error });
		}

		const pdf = await renderInvoice(network, funding);
		return await reply
			.header('content-type', 'application/pdf')
			.header('content-disposition', `inline; filename="invoice-${funding.id}.pdf"`)
			.send(pdf);
	});
}

const MARGIN = 50;
const WIDTH = 512;
const LINE = '#d5dbe1';
const SHADE = '#f2f5f8';
/** The widths of a row's borders: top, right, bottom, left. */
const UNDER_EACH_ROW: [number, number, number, number] = [0, 0, 0.5, 0];
type Document = PDFKit.PDFDocument;

/** Draws the invoice of a funding as a PDF on US Letter pages, as many as the payables need. */
async function renderInvoice(network: Network, funding: FundingRow): Promise<Buffer> {
	const [workspace] = workspaceViews(network, funding.workspace_id);
	if (workspace === undefined) {
		throw new Error(`The funding ${funding.id} has no workspace.`);
	}

	// Loaded with the first invoice: it is large.
	const { default: PDFDocument } = await import('pdfkit');
	const document = new PDFDocument({
		size: 'LETTER',
		margin: MARGIN,
		info: { Title: `Invoice ${funding.id}`, Author: workspace.buyer },
	});

	const parts: Buffer[] = [];
	document.on('data', (part: Buffer) => parts.push(part));

	const finished = new Promise((resolve, reject) =>
		document.on('end', resolve).on('error', reject),
	);

	drawHead(document, funding, workspace);
	drawPayables(
		document,
		payablesOfFunding(network, funding.id).map((payable) => presentPayable(network, payable)),
	);
	drawPayment(document, funding, workspace);
	document.end();
	await finished;
	return Buffer.concat(parts);
}

function drawHead(document: Document, funding: FundingRow, workspace: WorkspaceView): void {
	document.font('Helvetica').fillColor('#1c2733');
	document.fontSize(26).text('Invoice');
	document.fontSize(10).text('Sandbox document: no real money');

	const facts: Record<string, string> = {
		Funding: funding.id,
		Issued: day(funding.created_at),
		'PO number': funding.po_number ?? 'none',
		'Billed to': `${workspace.buyer}, ${workspace.displayName}`,
	};
	if (funding.description !== null) {
		facts['For'] = funding.description;
	}

	drawFacts(document, facts);
}

function drawPayables(document: Document, payables: ReturnType<typeof presentPayable>[]): void {
	const rows = payables.map((payable) => [
		printable(`${payable.payee_email ?? payable.payee_service_id ?? ''}\n${payable.id}`),
		printable(payable.description ?? ''),
		day(payable.due_date ?? ''),
		formatDollars(payable.amount ?? 0),
	]);

	const line = { border: UNDER_EACH_ROW, borderColor: LINE };
	document.table({
		columnStyles: [230, '*', 65, { width: 90, align: { x: 'right' } }],
		rowStyles: (row) => (row === 0 ? { ...line, backgroundColor: SHADE } : line),
		data: [['Payee and payable', 'Description', 'Due', 'Amount'], ...rows],
	});
}

function drawPayment(document: Document, funding: FundingRow, workspace: WorkspaceView): void {
	const total = `${formatDollars(funding.amount)} USD`;
	document.moveDown();
	document.fontSize(13).text(`Total due: ${total}`, { width: WIDTH, align: 'right' });
	document.moveDown();
	document.fontSize(11).text('How to pay: one bank transfer of exactly this amount');
	document.fontSize(10);
	drawFacts(document, {
		Amount: total,
		'Account number': workspace.accountNumber,
		'Routing number': workspace.routingNumber,
		Reference: funding.id,
	});
}

function drawFacts(document: Document, facts: Record<string, string>): void {
	document.moveDown(0.5);
	document.table({
		columnStyles: [110, '*'],
		defaultStyle: { border: false, padding: 3 },
		data: Object.entries(facts).map(([name, value]) => [name, printable(value)]),
	});

	document.moveDown();
}

/** The built-in fonts know Latin-1 only; other characters would come out as wrong ones. */
const printable = (text: string): string => text.replace(/[^\n\x20-\x7e\xa1-\xff]/gu, '?');

const day = (timestamp: string): string => timestamp.slice(0, 10);
