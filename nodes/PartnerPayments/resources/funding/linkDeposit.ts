import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';
import { NoLedgerError } from '../../ledger/findLedger';
import { openRecords } from '../../ledger/openLedger';
import { isLive } from '../../ledger/protocol/classifyRows';
import { shownState } from '../../ledger/protocol/records';
import { linkDeposit as link } from '../../api/endpoints';
import type { Row } from '../../ledger/table/rows';
import { throwInputError } from '../../shared/errors';
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
		assertNotTool(item, 'It moves money, so only a person or a workflow may do it.');
		return {
			fundingId: item.text('fundingId', 'Funding ID'),
			depositId: item.text('depositId', 'Deposit ID'),
		};
	},
	run: async ({ n8n, client, hint }, { fundingId, depositId }) => {
		const { credentials, environment } = client;
		const records = openRecords(n8n, credentials);
		const rows = await records.ofFunding(environment, fundingId).catch(noneWithoutLedger);
		assertNoneResolved(rows, fundingId);
		const payableIds = rows.map((row) => row.payable_id);
		assertNotPaidOtherwise(await records.ofPayables(environment, payableIds), fundingId);

		const json = await link(client, fundingId, depositId);
		if (rows.length === 0) {
			return [{ json }];
		}
		await records.completeFunding(environment, fundingId).catch(() => {
			hint(
				'The deposit is linked, but the ledger could not write it down. Do not link it again. When the ledger works, use "Resolve" of "Payout" with "Its Whole Funding" on and the "Outcome" Paid.',
			);
		});
		return [{ json }];
	},
});

/** A funding may be of a project that has no ledger. */
function noneWithoutLedger(error: unknown): Row[] {
	if (error instanceof NoLedgerError) {
		return [];
	}
	throw error;
}

/** Throws if a person has resolved a payout of the funding as not paid, or never to be paid. */
function assertNoneResolved(rows: Row[], fundingId: string): void {
	const resolved = rows.find(({ state }) => state === 'not_paid' || state === 'void');
	if (resolved === undefined) {
		return;
	}
	throwInputError(
		`Funding ${fundingId} pays "${resolved.reference}", which a person resolved as "${resolved.state}"`,
		'Linking a deposit would pay it all the same. Ask the operator of the service to cancel the funding, and what to do with the deposit.',
	);
}

/** Throws if another funding pays it: a person resolved that as not paid before, and an event says paid. */
function assertNotPaidOtherwise(rows: Row[], fundingId: string): void {
	const paid = rows.find((row) => isLive(row) && row.funding_id !== fundingId);
	if (paid === undefined) {
		return;
	}
	const name = paid.reference === '' ? `Payable ${paid.payable_id}` : `"${paid.reference}"`;
	const by = paid.funding_id === '' ? 'another funding' : `funding ${paid.funding_id}`;
	throwInputError(
		`${name} is ${shownState(paid)} with ${by}, so funding ${fundingId} could pay it again`,
		'Ask the operator of the service to cancel the funding, and what to do with the deposit.',
	);
}
