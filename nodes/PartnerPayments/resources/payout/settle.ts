import type { IDataObject } from 'n8n-workflow';

import { batchOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/toolSafeguards';
import type { EntryKey, LedgerRecord, Outcome } from '../../ledger/dataTable/ledgerTable';
import { isSending, isSettled } from '../../ledger/ledger';
import { InputError } from '../../shared/inputError';
import { ledgerOnlyFields, uniqueReferenceField } from '../../shared/referenceFields';
import { payableIdField } from '../payable/fields';
import { isRunning, latestAnswerAt, outputOf } from './ledgerOutput';

export const settle = batchOperation({
	name: 'Settle',
	value: 'settle',
	action: 'Settle payout in doubt',
	description:
		'Close a doubt in the ledger table, when somebody has found out whether it was paid. Sends nothing to the service.',
	fields: [
		...ledgerOnlyFields,
		{
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{
					name: 'Payable ID',
					value: 'payableId',
					description: 'As an event of the trigger names it',
				},
				{ name: 'Unique Reference', value: 'uniqueReference' },
			],
			default: 'uniqueReference',
		},
		{
			...uniqueReferenceField,
			required: true,
			description: 'The reference that the payout was sent with',
			displayOptions: { show: { findBy: ['uniqueReference'] } },
		},
		{
			...payableIdField,
			description: 'One that is not in the ledger changes nothing',
			displayOptions: { show: { findBy: ['payableId'] } },
		},
		{
			displayName: 'Outcome',
			name: 'outcome',
			type: 'options',
			options: [
				{
					name: 'Not Known Yet',
					value: 'unknown',
					description: 'Nothing is settled',
				},
				{
					name: 'Not Paid',
					value: 'notPaid',
					description:
						'The operator has confirmed that no funding was made and none is on its way: the next run pays with the same payable',
				},
				{
					name: 'Paid',
					value: 'paid',
					description: 'The funding was found: it is never sent again',
				},
			],
			default: 'unknown',
			description: 'What somebody has found out, or an event has told',
		},
	],
	read: (item) => {
		refuseAsTool(item, 'Whether money has moved, a person finds out, or an event tells.');
		const findBy = item.choice('findBy', ['uniqueReference', 'payableId'], 'Find By');
		return {
			key:
				findBy === 'payableId'
					? { payableId: item.text('payableId', 'Payable ID') }
					: { reference: item.requiredReference() },
			outcome: knownOutcome(item.choice('outcome', ['paid', 'notPaid', 'unknown'], 'Outcome')),
		};
	},
	batchKey: ({ key }) => JSON.stringify(key),
	merge: ([first, ...others]) => {
		if (others.every(({ outcome }) => outcome === first.outcome)) return first;
		throw new InputError(
			`Nothing was settled of "${nameOf(first.key)}": some items say that it was paid, and some that it was not`,
			'Find out which is right, and feed only that into this node.',
		);
	},
	send: async ({ client, ledgerTable, hint }, { key, outcome }) => {
		const table = await ledgerTable();
		const all = await table.find(key);
		const found = all.filter(({ environment }) => environment === client.environment);
		const record = chooseRecord(key, found);
		if (record === undefined) return [{ json: { is_settled: false, ...notFound(key) } }];
		const isDone = outcome === 'notPaid' && isNotPaid(record);
		const settled = isDone ? record : await table.settleByHand(record, outcome);
		if (settled === undefined) throw changedError(record);
		hint(outcome === 'paid' ? paidHint(settled) : NOT_PAID_YET);
		return [{ json: { is_settled: true, ...outputOf(settled) } }];
	},
});

function knownOutcome(outcome: Outcome | 'unknown'): Outcome {
	if (outcome !== 'unknown') return outcome;
	throw new InputError(
		'Nothing was settled: Outcome is Not Known Yet',
		'Find out first whether it was paid: look in the service for a funding of it, and ask its operator. Then choose Paid or Not Paid.',
	);
}

const NOT_PAID_YET =
	'Settled as not paid, and not paid yet: run the workflow that sends it again, with the same unique reference. If that was a mistake, run nothing, and settle it again as paid.';

const paidHint = ({ kind }: LedgerRecord): string =>
	`Settled as paid, so it is never sent again. If that was a mistake, ${openAgain(kind)}.`;

/** What to do with an entry that is settled as paid, and was not. */
const openAgain = (kind: string): string =>
	`write ${kind === 'payable' ? 'creating' : 'funding'} into its state in the ledger table: then it is in doubt again, and can be settled`;

/**
 * The entry that is meant: the only one, or the only one in doubt. Of a payable that is in no ledger
 * there is none, since events tell of all payables.
 */
function chooseRecord(key: EntryKey, found: LedgerRecord[]): LedgerRecord | undefined {
	const [record, another] =
		found.length > 1 ? found.filter(({ state }) => isSending(state)) : found;
	if (record === undefined && 'payableId' in key) return undefined;
	if (record !== undefined && another === undefined) return record;
	const name = nameOf(key);
	if (found.length === 0)
		throw new InputError(
			`Nothing was settled: the ledger table has no entry "${name}" in the environment of the credential`,
			'This does not tell whether it was paid. Check the reference, capitals included, the Ledger Table and the environment of the credential.',
		);
	throw new InputError(
		`Nothing was settled: of several entries "${name}" in the ledger table, ${record === undefined ? 'none' : 'more than one'} is in doubt`,
		'Look at the entries with the operation Get Many, and settle the one that you mean by its Payable ID.',
	);
}

/**
 * Whether it is known not to be paid.
 *
 * @returns false for one in doubt, which no run waits for any more
 * @throws InputError for one that was paid, or that a run may still work on
 */
function isNotPaid(record: LedgerRecord): boolean {
	const { reference, state, kind, isHeld } = record;
	if (isSettled(state, kind)) throw paidError(record);
	if (isSending(state) ? isRunning(record) : isHeld)
		throw new InputError(
			`"${reference}" was not settled: a run may still work on it`,
			isSending(state)
				? `It can be settled as not paid after ${new Date(latestAnswerAt(record)).toISOString()}. Until then, pay it in no other way.`
				: 'It is not in doubt: run the workflow that sends it again, with the same unique reference.',
		);
	return !isSending(state);
}

function paidError({ reference, state, kind, facts }: LedgerRecord): InputError {
	const { funding_id: fundingId } = facts;
	return new InputError(
		`"${reference}" was not settled as not paid: the ledger table says that it is ${state}`,
		fundingId === undefined
			? `If somebody has settled it as paid by mistake, ${openAgain(kind)}. Pay it in no other way.`
			: `Its funding is ${fundingId}. Pay it in no other way.`,
	);
}

const nameOf = (key: EntryKey): string => ('payableId' in key ? key.payableId : key.reference);

const notFound = (key: EntryKey): IDataObject =>
	'payableId' in key ? { payable_id: key.payableId } : { unique_reference: key.reference };

const changedError = ({ reference }: LedgerRecord): InputError =>
	new InputError(
		`"${reference}" was not settled: it has changed in this moment`,
		'Look at it with the operation Get Many before you do anything else.',
	);
