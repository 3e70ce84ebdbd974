import { createFunding, type FundingCreate } from '../../service/api/fundings';
import {
	additionalFieldsValue,
	amountUnitField,
	amountValueFields,
	fundingMethodOptions,
	maxAmountOption,
	optionsField,
	workspaceField,
} from '../../shared/fields';
import { referenceFields } from '../../shared/referenceFields';
import { fundingToolNotice, withToolField } from '../../shared/toolFields';
import { payoutPayableError } from '../../ledger/conflict';
import type { Claim, Ledger } from '../../ledger/ledger';
import { DENOMINATION, inMajorUnits } from '../../shared/money';
import type { ItemParameters } from '../../execution/itemParameters';
import { checkMaxAmount, readMaxAmount } from '../../execution/maxAmount';
import { batchOperation } from '../../execution/operation';
import { assertPaymentOfWorkflow, requireReferenceAsTool } from '../../execution/toolSafeguards';
import { sendOnce } from '../../execution/sendOnce';
import { readAmount, readShare, totalOf, type FundingAmounts } from './amounts';

/** With Combine Items, the amount may be left empty. */
const fundingAmountFields = amountValueFields.map((field) => ({
	...field,
	required: false,
	description:
		'A plain number without separators or currency sign. With Combine Items, what the items give is added up; left empty, it is the sum of the payables.',
}));

export const create = batchOperation({
	name: 'Create',
	value: 'create',
	action: 'Create funding',
	description: 'Pay approved payables from the wallet balance or by invoice. This moves money.',
	isNonIdempotent: true,
	fields: [
		fundingToolNotice,
		workspaceField,
		{
			displayName: 'Method',
			name: 'method',
			type: 'options',
			options: fundingMethodOptions,
			default: 'balance',
			description: 'Where the money comes from',
		},
		{
			displayName: 'Payable IDs',
			name: 'payableIds',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. pay_8d2f61, pay_c07e55',
			description:
				'Approved payables, separated by commas. An expression may give a list. What Payout: Send has prepared is paid with Payout: Send.',
		},
		{
			displayName: 'Combine Items',
			name: 'combineItems',
			type: 'boolean',
			default: false,
			description:
				'Whether to make one funding of all input items with the same workspace, method, description, PO number and unique reference',
		},
		amountUnitField,
		...fundingAmountFields,
		{
			displayName: 'Description',
			name: 'fundingDescription',
			type: 'string',
			default: '',
			placeholder: 'e.g. February payouts',
			description: 'What the funding is for',
		},
		{
			displayName: 'PO Number',
			name: 'poNumber',
			type: 'string',
			default: '',
			placeholder: 'e.g. PO-1042',
			description: 'Purchase order that the invoice names',
			displayOptions: { show: { method: ['invoice'] } },
		},
		...referenceFields,
		...withToolField(optionsField([additionalFieldsValue, maxAmountOption]), {
			default: { maxAmount: '' },
		}),
	],
	read: readFunding,
	claimOf: sharedClaim,
	batchKey: combinationKey,
	uniqueIds: ({ funding }) => funding.payable_ids,
	merge: mergeFundings,
	send: async ({ client, ledger }, { funding, reference }) => {
		if (reference === undefined) return [{ json: await createFunding(client, funding) }];
		const { amount, amount_denomination: denomination, method } = funding;
		const fundings = await ledger('funding');
		await assertNoPayout(fundings, funding);
		const json = await sendOnce(fundings, {
			claim: claimOf(funding, reference),
			sending: 'funding',
			settled: method === 'invoice' ? 'awaiting_deposit' : 'funded',
			send: async (beforeSend) => await createFunding(client, funding, beforeSend),
			factsOf: ({ id }) => ({ funding_id: String(id) }),
			known: ({ funding_id: id }) => ({
				id: id ?? null,
				amount,
				amount_denomination: denomination,
			}),
		});
		return [{ json }];
	},
});

/** What must not be added to a funding: all that has a field above, and other names of its payables. */
const OWN_FIELDS = [
	'workspace_id',
	'method',
	'amount',
	'amount_denomination',
	'description',
	'po_number',
	'payable_ids',
	'payable_id',
	'payables',
];

/** What one item asks for. */
interface FundingRequest extends FundingAmounts {
	funding: Omit<FundingCreate, 'amount'>;
	combine: boolean;
	reference: string | undefined;
	/** Minor units. */
	maxAmount: number;
}

function readFunding(item: ItemParameters): FundingRequest {
	assertPaymentOfWorkflow(item, ['method', 'Method']);
	const method = item.choice('method', ['balance', 'invoice'], 'Method');
	const combine = item.flag('combineItems', 'Combine Items');
	const description = item.optionalText('fundingDescription', 'Description');
	const poNumber = method === 'invoice' ? item.optionalText('poNumber', 'PO Number') : undefined;
	const funding = {
		workspace_id: item.workspaceId(),
		method,
		amount_denomination: DENOMINATION,
		...(description !== undefined && { description }),
		...(poNumber !== undefined && { po_number: poNumber }),
		payable_ids: item.ids('payableIds', 'Payable IDs'),
	} as const;
	const maxAmount = readMaxAmount(item);
	const reference = item.reference();
	requireReferenceAsTool(item, reference);
	return {
		funding: { ...item.additionalFields(OWN_FIELDS), ...funding },
		...(combine ? readShare(item) : readAmount(item)),
		combine,
		reference,
		maxAmount,
	};
}

/** Items go together when they ask for the same funding but for its payables and its amount. */
function combinationKey(request: FundingRequest, item: ItemParameters): string {
	return request.combine ? sharedContent(request) : `item ${item.index}`;
}

const sharedContent = ({ funding, reference }: FundingRequest): string =>
	JSON.stringify([{ ...funding, payable_ids: undefined }, reference]);

/** What tells items apart that have one reference: those that are combined may share it. */
function sharedClaim(request: FundingRequest): Claim | undefined {
	const { funding, combine, reference } = request;
	if (reference === undefined) return undefined;
	// No two items may name the same payables, so that the amount tells nothing more.
	const claim = claimOf({ ...funding, amount: 0 }, reference);
	return combine ? { ...claim, content: sharedContent(request) } : claim;
}

function mergeFundings(requests: [FundingRequest, ...FundingRequest[]]): {
	funding: FundingCreate;
	reference: string | undefined;
} {
	const [{ funding, reference }] = requests;
	const payableIds = requests.flatMap((request) => request.funding.payable_ids);
	const amount = totalOf(requests);
	checkMaxAmount(amount, Math.min(...requests.map(({ maxAmount }) => maxAmount)));
	return { funding: { ...funding, amount, payable_ids: payableIds }, reference };
}

/** @throws InputError when a payable belongs to a payout, which pays it by itself */
async function assertNoPayout(ledger: Ledger, { payable_ids: ids }: FundingCreate): Promise<void> {
	const [payout] = await ledger.payoutsOf(ids);
	if (payout !== undefined) throw payoutPayableError(...payout);
}

/** What a reference stands for that is used for a funding. */
function claimOf(funding: FundingCreate, reference: string): Claim {
	const { method, amount, payable_ids: ids } = funding;
	const workspaceId = funding.workspace_id.toLowerCase();
	const content = `${inMajorUnits(amount)} by ${method} for ${[...ids].sort().join(', ')} from workspace ${workspaceId}`;
	return { reference, workspaceId, content, payee: '', amount };
}
