import { testOperations } from './operations';
import { funding, FUNDING_BODY, startScriptedService } from './support';

const service = startScriptedService();

testOperations(service, [
	{
		what: 'funding.create: from the balance',
		operation: 'funding.create',
		parameters: funding({ poNumber: 'of invoices only' }),
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding', FUNDING_BODY],
		output: [{ id: 'f1', status: 'completed' }],
	},
	{
		what: 'funding.create: by invoice, with everything',
		operation: 'funding.create',
		parameters: funding({
			method: 'invoice',
			payableIds: ' p1, p2 ,,p3 ',
			fundingDescription: 'February',
			poNumber: 'PO-1',
			options: { additionalFields: '{"reference":"r"}' },
		}),
		answer: { id: 'f1' },
		request: [
			'POST',
			'/v1/funding',
			{
				...FUNDING_BODY,
				method: 'invoice',
				payable_ids: ['p1', 'p2', 'p3'],
				description: 'February',
				po_number: 'PO-1',
				reference: 'r',
			},
		],
		output: [{ id: 'f1' }],
	},
	{
		what: 'funding.create: payables from an expression',
		operation: 'funding.create',
		parameters: funding({ payableIds: '={{ $json.ids }}', amount: '={{ $json.total }}' }),
		answer: { id: 'f1' },
		request: ['POST', '/v1/funding', { ...FUNDING_BODY, payable_ids: ['a', 'b'], amount: 7 }],
		output: [{ id: 'f1' }],
		changes: { items: [{ ids: ['a', 'b'], total: 7 }] },
	},
	{
		what: 'funding.getInvoicePdf: only the address',
		operation: 'funding.getInvoicePdf',
		parameters: { fundingId: 'f/1' },
		answer: { document: 'https://files.example.com/f1.pdf?sig=1' },
		request: ['GET', '/v1/funding/f%2F1/pdf-url'],
		output: [{ id: 'f/1', pdf_url: 'https://files.example.com/f1.pdf?sig=1' }],
	},
	{
		what: 'funding.linkDeposit',
		operation: 'funding.linkDeposit',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1', status: 'completed' }],
	},
	{
		what: 'funding.linkDeposit: an empty answer',
		operation: 'funding.linkDeposit',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: '',
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1' }],
	},
]);
