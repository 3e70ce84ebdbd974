import type { ItemParameters } from '../../execution/itemParameters';
import { itemOperation, type Output } from '../../execution/operation';
import { assertAtMost, readAmount, readMaxAmount, refuseAsTool } from '../../execution/safeguards';
import { keyOf, type Entry, type Payment } from '../../ledger/ledger';
import type { FundingCreate } from '../../api/endpoints';
import { ServiceError } from '../../api/http/errors';
import { withMutex } from '../../shared/concurrency';
import {
	additionalFieldsValue,
	amountFields,
	amountUnitOption,
	choiceField,
	fundingDescriptionOption,
	fundingMethodOptions,
	maxAmountOption,
	optionsField,
	poNumberOption,
	textField,
	workspaceField,
} from '../../shared/fields';
import { reject } from '../../shared/values';
import { DENOMINATION } from '../../shared/money';
import { sendFunding } from './sendFunding';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create funding',
	description:
		'Pay approved payables from the wallet balance or by invoice. Each payable is funded once.',
	fields: [
		workspaceField,
		choiceField('Method', 'method', {
			options: fundingMethodOptions,
			default: 'balance',
			description: 'Where the money comes from',
		}),
		textField('Payable IDs', 'payableIds', {
			required: true,
			placeholder: 'e.g. pay_8d2f61, pay_c07e55',
			description:
				'Approved payables, separated by commas. An expression may give a list. To pay what "Send" of "Payout" has prepared, use it again.',
		}),
		...amountFields,
		optionsField([
			additionalFieldsValue,
			amountUnitOption,
			fundingDescriptionOption('Description', 'description'),
			maxAmountOption,
			poNumberOption('method'),
		]),
	],
	read: readFunding,
	send: async ({ client, ledger: open, signal }, funding) => {
		const payments = paymentsOf(funding);
		const ledger = open();
		const send = async (): Promise<Output[]> => {
			refuseKnown(payments, await ledger.find(payments));
			const result = await sendFunding(client, ledger, payments, funding);
			if ('funding' in result) return [{ json: result.funding }];
			refuseKnown(payments, result.blocked);
			return reject('Another execution funds these payables', 'Run it again later.');
		};
		return await withMutex(payments.map(keyOf), send, signal);
	},
});

/** Names that must not be added to a funding: those of fields, and other names of its payables. */
const OWN_FIELDS =
	'workspace_id method amount amount_denomination description po_number payable_ids payable_id payables';

function readFunding(item: ItemParameters): FundingCreate {
	refuseAsTool(
		item,
		'Use "Send" of "Payout" with "Funding Method" set to "None", and let a person pay.',
	);
	const method = item.choice('method', ['balance', 'invoice'], 'Method');
	const description = item.optionalText('options.description', 'Description');
	const poNumber =
		method === 'invoice' ? item.optionalText('options.poNumber', 'PO Number') : undefined;
	const amount = readAmount(item);
	assertAtMost(readMaxAmount(item), amount);
	return {
		...item.additionalFields(OWN_FIELDS),
		workspace_id: item.workspaceId(),
		method,
		amount,
		amount_denomination: DENOMINATION,
		...(description !== undefined && { description }),
		...(poNumber !== undefined && { po_number: poNumber }),
		payable_ids: item.ids('payableIds', 'Payable IDs'),
	};
}

/** One for each payable. The first has the whole amount, since their own amounts are unknown. */
const paymentsOf = ({ workspace_id: workspaceId, payable_ids: ids, amount }: FundingCreate) =>
	ids.map((payableId, index): Payment => ({
		reference: '',
		workspaceId: workspaceId.toLowerCase(),
		payee: '',
		amount: index === 0 ? amount : 0,
		payableId,
	}));

function refuseKnown(payments: Payment[], entries: Entry[]): void {
	for (const [index, { status, fundingId, error }] of entries.entries()) {
		const { payableId = '' } = payments[index] ?? {};
		if (status === 'refused' && error !== undefined) throw error;
		if (status === 'done')
			reject(
				`Payable ${payableId} was funded before${fundingId === undefined ? '' : ` by funding ${fundingId}`}`,
				'Remove it from "Payable IDs".',
			);
		if (status === 'busy')
			reject(`Another execution funds payable ${payableId}`, 'Run it again later.');
		if (status === 'unconfirmed')
			throw new ServiceError({
				message: `Unconfirmed whether payable ${payableId} was funded, so it is not funded again`,
				hint: '1. Search the service for a funding of it. 2. Found: nothing is left to do. 3. Not found: ask the operator of the service. Then use "Resolve" of "Payout" with its "Payable ID".',
				outcome: 'unknown',
			});
	}
}
