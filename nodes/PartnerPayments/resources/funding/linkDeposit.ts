import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';
import { NoLedgerError } from '../../ledger/findLedger';
import { openRecords } from '../../ledger/openLedger';
import { linkDeposit as link } from '../../api/endpoints';
import { textField } from '../../shared/fields';
import { fundingIdField } from './getInvoicePdf';

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
		refuseAsTool(item, 'It moves money, so only a person or a workflow may do it.');
		return {
			fundingId: item.text('fundingId', 'Funding ID'),
			depositId: item.text('depositId', 'Deposit ID'),
		};
	},
	run: async ({ n8n, client, hint }, { fundingId, depositId }) => {
		const json = await link(client, fundingId, depositId);
		try {
			await openRecords(n8n, client.credentials).completeFunding(client.environment, fundingId);
		} catch (error) {
			if (error instanceof NoLedgerError) {
				return [{ json }];
			}
			hint(
				'The deposit is linked, but the ledger table cannot be reached. Its rows still say "awaiting_deposit".',
			);
		}
		return [{ json }];
	},
});
