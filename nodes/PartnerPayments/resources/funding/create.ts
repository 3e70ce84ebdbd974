import type { IDataObject } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import { itemOperation, type Output } from '../../execution/operation';
import { assertAtMost, assertNotTool, readAmount, readMaxAmount } from '../../execution/safeguards';
import { verdictOn, type Known, type Verdict, type Verdicts } from '../../ledger/ledger';
import { keyOf, type Payment } from '../../ledger/payment';
import type { FundingCreate, FundingHints } from '../../api/endpoints';
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
import { InputError, throwInputError } from '../../shared/errors';
import { DENOMINATION } from '../../shared/money';
import {
	askAboutResolved,
	sendFunding,
	WHEN_FOUND,
	WHEN_NOT_FOUND,
	type FundingResult,
} from './sendFunding';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create funding',
	description:
		'Fund approved payables, each once. To pay an invoice once, use "Send" of "Payout": this knows no invoices.',
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
	run: async ({ client, ledger: getLedger, signal, hint }, funding) => {
		const payments = paymentsOf(funding);
		const ledger = getLedger();
		/** Deletes the rows that this run has begun with. Those that are unconfirmed stay. */
		const deleteOwnRows = async (): Promise<void> => {
			await ledger.deleteWithdrawn(payments).catch(() => undefined);
		};
		const fund = async (): Promise<Output[]> => {
			const { verdicts } = await ledger.find(payments);
			assertNoneBlocked(payments, verdicts);
			const result = await sendFunding(client, ledger, {
				payments,
				body: funding,
				hints: HINTS,
				// Most often, a payable is not approved.
				conflictOutcome: 'refused',
			});
			switch (result.kind) {
				case 'funded':
					return [{ json: fundedJson(result, hint) }];
				case 'failed':
				case 'notSent':
					await deleteOwnRows();
					throw result.error;
				case 'blocked':
					await deleteOwnRows();
					assertNoneBlocked(payments, result.verdicts);
					return throwInputError('Another execution funds these payables', 'Run it again later.');
			}
		};
		return await withMutex(payments.map(keyOf), fund, signal);
	},
});

const HINTS: FundingHints = {
	unconfirmedHint: `Search the service for the funding itself: a payable can look unpaid although it was funded. ${WHEN_FOUND} Set "Find By" to "Payable ID" there. ${WHEN_NOT_FOUND} Run this again only for what is "Not Paid".`,
	conflictHint:
		'Some may be funded already. Search the service for a funding of each. Found: remove it from "Payable IDs", and its amount from "Amount". Not found: run this again only after the operator of the service confirms that none exists or is on its way.',
};

function fundedJson(
	{ funding, state, isRecorded }: Extract<FundingResult, { kind: 'funded' }>,
	hint: (message: string) => void,
): IDataObject {
	if (isRecorded) {
		return funding;
	}
	const when = state === 'funded' ? 'When the ledger works' : 'After its deposit is linked';
	hint(
		`Funding ${funding.id} was created, and the ledger could not write it down. Its payables become unconfirmed, and are not funded again. ${when}, use "Resolve" of "Payout" with each "Payable ID" as "Paid".`,
	);
	return { ...funding, recorded: false };
}

/** Names that must not be added to a funding: those of fields, and other names of its payables. */
const OWN_FIELDS =
	'workspace_id method amount amount_denomination description po_number payable_ids payable_id payables';

function readFunding(item: ItemParameters): FundingCreate {
	assertNotTool(
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

/** @throws InputError or ServiceError for the first payable that the ledger blocks */
function assertNoneBlocked(payments: Payment[], verdicts: Verdicts): void {
	for (const payment of payments) {
		const error = blockedError(payment.payableId ?? '', verdictOn(payment, verdicts));
		if (error !== undefined) {
			throw error;
		}
	}
}

function blockedError(payableId: string, verdict: Verdict): Error | undefined {
	switch (verdict.kind) {
		case 'new':
		case 'prepared':
		case 'held':
			return undefined;
		case 'refused':
		case 'overLimit':
			return verdict.error;
		case 'done':
			return doneError(payableId, verdict.known);
		case 'busy':
			return new InputError(
				`Another execution funds payable ${payableId}`,
				'Run it again later: it is funded once.',
			);
		case 'unconfirmed':
			return new ServiceError({
				message: `Unconfirmed whether payable ${payableId} was funded, so it is not funded again`,
				hint: `${findOut(verdict.known)} To fund the others, remove it from "Payable IDs", and its amount from "Amount".`,
				outcome: 'unknown',
			});
	}
}

/** How a person finds out whether an unconfirmed payable was funded. */
const findOut = ({ resolvedFundingId }: Known): string =>
	resolvedFundingId === undefined
		? `Search the service for a funding of it. ${WHEN_FOUND} Set "Find By" to "Payable ID" there. ${WHEN_NOT_FOUND}`
		: askAboutResolved(resolvedFundingId);

/** The error for a payable that a funding has. */
function doneError(payableId: string, { state, fundingId }: Known): InputError {
	if (state === 'awaiting_deposit') {
		return new InputError(
			`Payable ${payableId} is in funding ${fundingId ?? 'of an invoice'}, which waits for its deposit`,
			'Link its deposit once, and do not fund it again. To fund other payables, remove it from "Payable IDs", and its amount from "Amount".',
		);
	}

	const by = fundingId === undefined ? '' : ` by funding ${fundingId}`;
	return new InputError(
		`Payable ${payableId} was funded before${by}, and is not funded again`,
		'Remove it from "Payable IDs", and its amount from "Amount". If no payable is left, do nothing.',
	);
}
