import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';
import { openRecords } from '../../ledger/openLedger';
import { textField } from '../../shared/fields';
import { fundingIdField } from './getInvoicePdf';
import { sendLink } from './sendLink';

export const linkDeposit = itemOperation({
	name: 'Link Deposit',
	value: 'linkDeposit',
	action: 'Link deposit to funding',
	description: 'Link a deposit to the invoice funding that it pays for. This moves money.',
	isNonIdempotent: true,
	fields: [
		fundingIdField,
		textField('Deposit ID', 'depositId', {
			required: true,
			placeholder: 'e.g. dep_91e2c4',
			description: 'ID of an unlinked deposit with the amount of the funding',
		}),
	],
	read: (item) => {
		assertNotTool(item, 'It moves money, so only a person or a workflow may do it.');
		return {
			fundingId: item.text('fundingId', 'Funding ID'),
			depositId: item.text('depositId', 'Deposit ID'),
		};
	},
	run: async ({ n8n, client, hint }, { fundingId, depositId }) => {
		const { credentials, environment } = client;
		const records = openRecords(n8n, credentials);
		const order = { environment, fundingId, depositId };

		const { answer, isRecorded } = await sendLink(client, records, order);
		if (!isRecorded) {
			hint(
				'The deposit is linked, but the ledger could not write it down. Do not link it again. After 20 minutes, when the ledger works, use "Resolve" of "Payout" with "Its Whole Funding" on and the "Outcome" Paid.',
			);
		}
		return [{ json: { id: fundingId, deposit_id: depositId, ...answer } }];
	},
});
