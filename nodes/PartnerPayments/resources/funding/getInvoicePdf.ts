import { downloadInvoice, getInvoicePdfUrl } from '../../api/endpoints';
import { itemOperation } from '../../execution/operation';
import { optionsField, switchField, textField } from '../../shared/fields';

export const fundingIdField = textField('Funding ID', 'fundingId', {
	required: true,
	placeholder: 'e.g. fnd_3b9a70',
	description: 'ID of the funding, from "Create"',
});

export const getInvoicePdf = itemOperation({
	name: 'Get Invoice PDF',
	value: 'getInvoicePdf',
	action: 'Get invoice PDF of funding',
	description: 'Get the address of the invoice of a funding, and the file if you want it',
	fields: [
		fundingIdField,
		switchField('Download', 'download', {
			description: 'Whether to download the PDF file as well',
		}),
		optionsField([
			textField('Put Output File in Field', 'binaryPropertyName', {
				default: 'data',
				placeholder: 'e.g. invoice',
				description: 'The name of the output binary field to put the file in',
			}),
		]),
	],
	read: (item) => ({
		fundingId: item.text('fundingId', 'Funding ID'),
		property: item.flag('download', 'Download')
			? (item.optionalText('options.binaryPropertyName', 'Put Output File in Field') ?? 'data')
			: undefined,
	}),
	run: async ({ n8n, client }, { fundingId, property }) => {
		const url = await getInvoicePdfUrl(client, fundingId);
		const json = { id: fundingId, pdf_url: url };
		if (property === undefined) {
			return [{ json }];
		}
		const content = await downloadInvoice(client, fundingId, url);
		const name = `invoice-${fundingId}.pdf`;
		const file = await n8n.helpers.prepareBinaryData(content, name, 'application/pdf');
		return [{ json, binary: { [property]: file } }];
	},
});
