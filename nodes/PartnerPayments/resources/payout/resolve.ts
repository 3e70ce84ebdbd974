import type { IDataObject } from 'n8n-workflow';

import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';
import { contentText, rowName } from '../../ledger/messages';
import {
	contentOf,
	isLive,
	isSetAside,
	isUnconfirmed,
	shownState,
} from '../../ledger/protocol/rowStates';
import type { LedgerRecords, RecordKey, Resolution } from '../../ledger/protocol/records';
import type { Row } from '../../ledger/table/rows';
import { openRecords } from '../../ledger/openLedger';
import { isSameAddress } from '../../shared/addresses';
import { groupBy, isNonEmpty, type NonEmpty } from '../../shared/lists';
import { choiceField, switchField, textField, workspaceField } from '../../shared/fields';
import { InputError, throwInputError } from '../../shared/errors';
import { stringOrEmpty } from '../../shared/typeGuards';
import { payableIdField } from '../payable/fields';
import { uniqueReferenceField } from './fields';
import { isSameInvoice, sentTogether, withItsFunding } from './resolveFunding';
import { recordOutput } from './output';
import {
	assertAloneInFunding,
	assertNonePaid,
	assertNotAwaitingDeposit,
	assertNotLinking,
	assertSent,
	otherOutcomesText,
	otherPaymentText,
	assertOfOtherExecution,
} from './resolveChecks';

const OUTCOMES = { paid: 'paid', notPaid: 'not_paid', void: 'void' } as const;

export const resolve = itemOperation({
	name: 'Resolve',
	value: 'resolve',
	action: 'Resolve payout',
	description:
		'Record what you found out about a payout, such as an unconfirmed one. Sends nothing to the service.',
	fields: [
		workspaceField,
		choiceField('Find By', 'findBy', {
			options: [
				{ name: 'Payable ID', value: 'payableId', description: 'From an event' },
				{ name: 'Unique Reference', value: 'uniqueReference' },
			],
			default: 'uniqueReference',
		}),
		{
			...uniqueReferenceField,
			description: 'The exact reference of the payout, with its capitals',
			displayOptions: { show: { findBy: ['uniqueReference'] } },
		},
		textField('Payee', 'payeeOfReference', {
			placeholder: 'e.g. name@example.com',
			description: 'Only needed if invoices of several vendors have this reference',
			displayOptions: { show: { findBy: ['uniqueReference'] } },
		}),
		{
			...payableIdField,
			description: 'An ID that is not in the ledger changes nothing',
			displayOptions: { show: { findBy: ['payableId'] } },
		},
		switchField('Its Whole Funding', 'wholeFunding', {
			description:
				'Whether to resolve all payouts that were sent together with this one: those with the same "claim" or "funding_id" in the ledger. The outcome must be true for each of them.',
		}),
		choiceField('Outcome', 'outcome', {
			description: 'The result that a person found',
			options: [
				{ name: 'Choose', value: '', description: 'Nothing is resolved until you choose' },
				{
					name: 'Not Paid',
					value: 'notPaid',
					description:
						'Nothing was sent, or the operator confirmed that no funding exists or is on its way. The next run can pay it.',
				},
				{
					name: 'Paid',
					value: 'paid',
					description:
						'You found the funding, and if its method is Invoice, its deposit is linked. This is final: it is never sent again.',
				},
				{
					name: 'Void',
					value: 'void',
					description:
						'Nothing was paid, as the operator of the service confirmed, and it must never be paid. Only Paid can correct this.',
				},
			],
		}),
	],
	read: (item): ResolveOrder => {
		assertNotTool(item, 'Only a person or an event can say whether money has moved.');
		const workspaceId = item.workspaceId();
		const findBy = item.choice('findBy', ['uniqueReference', 'payableId'], 'Find By');
		const name: Name =
			findBy === 'payableId'
				? { kind: 'payableId', payableId: item.text('payableId', 'Payable ID') }
				: {
						kind: 'reference',
						reference: item.reference(),
						payee: item.optionalText('payeeOfReference', 'Payee'),
					};
		const outcome = item.choice('outcome', ['paid', 'notPaid', 'void'], 'Outcome');
		// The editor shows the reference of the first item alone, so a person has not seen the others.
		const isFixed = !stringOrEmpty(item.node.parameters.outcome).startsWith('=');
		if (item.isOneOfSeveral && isFixed) {
			throwInputError(
				'"Outcome" is fixed, and this node got several items: none was resolved',
				'Give this node one item in each run, or take the outcome of each from its item: paid, notPaid, or void.',
			);
		}
		const isWholeFunding = item.flag('wholeFunding', 'Its Whole Funding', false);
		return { workspaceId, name, state: OUTCOMES[outcome], isWholeFunding };
	},
	run: async ({ n8n, client, hint }, order) => {
		const { workspaceId, name, state, isWholeFunding } = order;
		const { credentials, environment } = client;
		const records = openRecords(n8n, credentials);
		const key = keyFor(environment, workspaceId, name);
		const shownName = name.kind === 'payableId' ? name.payableId : name.reference;

		const found = await records.find(key);
		if (found.length === 0 && name.kind === 'payableId') {
			return [{ json: { is_resolved: false, payable_id: name.payableId } }];
		}

		const meant = meantRows(found, name, shownName);
		const chosen = chosenRows(name, shownName, meant, state);
		const rows = await checkedRows(records, found, chosen, order, n8n.getExecutionId());

		const resolved: Row[] = [];
		for (const row of rows) {
			const changed = await records.resolve(row, state);
			resolved.push(
				changed ?? throwInputError(`${rowName(row)} was not resolved: it has just changed`, LOOK),
			);
		}

		assertNotBegun(await records.find(key), resolved, shownName);

		const elseKnown = await textsAboutOthers(records, found, resolved);
		for (const text of elseKnown) {
			hint(text);
		}
		const shown = isWholeFunding ? resolved : resolved.slice(0, 1);
		return shown.map((row) => ({ json: resolvedOutput(row, elseKnown) }));
	},
});

/** What a person wants to resolve, and as what. */
interface ResolveOrder {
	workspaceId: string;
	name: Name;
	state: Resolution;
	/** Whether all payouts of the funding have this outcome. */
	isWholeFunding: boolean;
}

/**
 * The rows to resolve, which are the chosen ones, or all of their funding. Throws an InputError where the service
 * would contradict the outcome.
 *
 * @param found all rows with the reference, in any spelling, or with the payable
 * @param execution this one, which must not resolve what it has sent itself
 */
async function checkedRows(
	records: LedgerRecords,
	found: Row[],
	chosen: Row[],
	{ name, state, isWholeFunding }: ResolveOrder,
	execution: string,
): Promise<Row[]> {
	const rows = isWholeFunding ? await withItsFunding(records, chosen) : chosen;
	assertOfOtherExecution(rows, execution);
	assertNotLinking(rows);
	if (name.kind === 'reference' && state === 'paid') {
		assertSent(rows);
	}
	if (state !== 'paid' && !isWholeFunding) {
		await assertAloneInFunding(records, rows);
	}
	if (state === 'not_paid') {
		await assertNotPaidTogether(records, rows);
	}
	if (state === 'paid' && !isWholeFunding) {
		// With the rows of these invoices that were resolved before: their funding may still wait.
		const ofInvoices = found.filter((row) => rows.some((one) => isSameInvoice(row, one)));
		assertNotAwaitingDeposit(ofInvoices);
	}
	return rows;
}

/** Throws for what was sent in one funding with a payout that counts as paid. Of what is only prepared, nothing was sent. */
async function assertNotPaidTogether(records: LedgerRecords, rows: Row[]): Promise<void> {
	const sent = rows.find((row) => !isSetAside(row));
	if (sent !== undefined) {
		const together = await sentTogether(records, sent);
		assertNonePaid(together, rows, sent);
	}
}

/** Throws if an execution has begun to pay what was prepared, while it was resolved. */
function assertNotBegun(found: Row[], resolved: Row[], shownName: string): void {
	const resolvedIds = new Set(resolved.map(({ id }) => id));
	const others = found.filter(({ id }) => !resolvedIds.has(id));
	const begun = others.find(
		(other) => isLive(other) && resolved.some((row) => isSameInvoice(other, row)),
	);
	if (begun !== undefined) {
		throw new InputError(
			`"${shownName}" was resolved, but another execution has begun to pay it: "${begun.state}"`,
			`Do not pay it in another way. ${LOOK}`,
		);
	}
}

/**
 * What a person is told that the ledger has beside what they resolved, of its funding and of its invoice.
 *
 * @param found all rows with the reference, in any spelling, or with the payable
 */
async function textsAboutOthers(
	records: LedgerRecords,
	found: Row[],
	resolved: Row[],
): Promise<string[]> {
	const [first] = resolved;
	if (first === undefined) {
		return [];
	}

	const together = await sentTogether(records, first);
	const texts = [otherOutcomesText(together, resolved), otherPaymentText(found, resolved)];
	return texts.filter((text) => text !== undefined);
}

/** The item of a resolved row. The workflow can tell what `texts` say to whoever has resolved it. */
function resolvedOutput(row: Row, texts: string[]): IDataObject {
	const output: IDataObject = { is_resolved: true, ...recordOutput(row) };
	if (texts.length > 0) {
		output.hint = texts.join(' ');
	}
	return output;
}

/** What a person names a payment by. */
type Name =
	| { kind: 'payableId'; payableId: string }
	| { kind: 'reference'; reference: string; payee: string | undefined };

function keyFor(environment: string, workspaceId: string, name: Name): RecordKey {
	return name.kind === 'payableId'
		? { environment, workspaceId, payableId: name.payableId }
		: { environment, workspaceId, reference: name.reference };
}

const LOOK = 'First look at it with "Get Many".';

/** The rows that a person means, of those with the reference in any spelling and of any vendor, or of the payable. */
function meantRows(found: Row[], name: Name, shownName: string): Row[] {
	if (name.kind === 'payableId' || found.length === 0) {
		return found;
	}

	const exact = found.filter(({ reference }) => reference === name.reference);
	if (exact.length === 0) {
		throwInputError(
			`"${shownName}" is in the ledger table as "${found[0]?.reference ?? ''}"`,
			'Compare it with the invoice, and enter it as the ledger has it.',
		);
	}

	const { payee } = name;
	if (payee === undefined) {
		assertOneVendor(exact, shownName);
		return exact;
	}
	const ofPayee = exact.filter((row) => isSameAddress(row.payee, payee));
	if (ofPayee.length === 0) {
		const payees = [...new Set(exact.map((row) => row.payee))];
		throwInputError(
			`"${shownName}" has no payout to ${payee} in the ledger table, but to ${payees.join(', ')}`,
			'Nothing was resolved. If the invoice is of another vendor, do not use that payout. Correct "Payee" only if it was misspelled here.',
		);
	}
	return ofPayee;
}

/** Throws if several vendors have an invoice with this number, also where only one of them waits for a person. */
function assertOneVendor(rows: Row[], shownName: string): void {
	const byPayee = groupBy(rows, ({ payee }) => payee);
	if (byPayee.length > 1) {
		throw new InputError(
			`"${shownName}" is known for several payees: ${byPayee.map(textWithStates).join(', ')}`,
			'Nothing was resolved. Enter the payee of the invoice that you mean in "Payee".',
		);
	}
}

/**
 * The rows that a person can resolve, of those that they mean. Throws an InputError when there are none, or when they
 * are of several invoices.
 */
function chosenRows(name: Name, shownName: string, meant: Row[], state: Resolution): Row[] {
	// A payable is one thing, whichever rows it has.
	const invoices =
		name.kind === 'payableId'
			? [meant]
			: groupBy(meant, (row) => JSON.stringify([row.payee, row.amount_cents]));
	const waiting = invoices.map((rows) => waitingRows(rows, state)).filter(isNonEmpty);
	const corrected = invoices.map((rows) => correctableRows(rows)).filter(isNonEmpty);
	const offered = waiting.length > 0 ? waiting : corrected;
	const [rows] = offered;
	if (offered.length > 1) {
		const contents = offered.map(textWithStates);
		throw new InputError(
			`"${shownName}" has several payouts: ${contents.join(', ')}`,
			'Nothing was resolved. Enter the payee that you mean in "Payee". If the payee is the same, find the payout by "Payable ID". "Get Many" shows all of them. One without a "Payable ID" was never sent: leave it as it is.',
		);
	}
	if (rows !== undefined) {
		return rows;
	}
	if (meant.length === 0) {
		throw new InputError(
			`"${shownName}" is not in the ledger table for this workspace and environment`,
			'This ledger does not know whether it was paid. Check the reference, the workspace and the credential.',
		);
	}
	const shown = meant.find(isLive) ?? meant.at(-1);
	const shownAs = shown?.state ?? '';
	throw new InputError(
		`"${shownName}" was not resolved as ${state}: the ledger table says "${shownAs}"`,
		`Nothing has changed. ${adviceForState(shownAs)}`,
	);
}

/** The rows of one invoice as a part of a message, with the states that they are in. */
function textWithStates(rows: NonEmpty<Row>): string {
	const states = new Set(rows.map(shownState));
	return `${contentText(contentOf(rows[0]))} (${[...states].join(', ')})`;
}

/** What a person can do about a payout in a state that has no such outcome. */
function adviceForState(state: string): string {
	switch (state) {
		case 'held':
			return 'It was never sent, so it can only be "Not Paid" or "Void". If it was paid by hand, choose "Void".';
		case 'sending':
			return 'An execution may still get its answer. Resolve it after 20 minutes, and do not pay it in another way.';
		case 'preparing':
			return 'An execution may be about to send it, so do not pay it in another way. If it is still "preparing" after five minutes, nothing was sent: run its workflow again, or leave it out.';
		case 'void':
			return 'It can only be resolved as "Paid". If it must be paid after all, ask the person who resolved it as "Void".';
		case 'funded':
		case 'paid':
			return 'It counts as paid, which is final. If the ledger is wrong, ask the operator of the service before you pay in another way.';
		default:
			return 'Resolve what is unconfirmed, awaiting its deposit, prepared, held, or not paid. If the ledger is wrong, ask the operator of the service before you pay in another way.';
	}
}

/** The rows of one invoice that wait for a person. */
function waitingRows(rows: Row[], state: Resolution): Row[] {
	const unconfirmed = rows.filter(isUnconfirmed);
	if (unconfirmed.length > 0) {
		return unconfirmed;
	}
	// An invoice whose deposit never comes.
	const awaiting = rows.filter((row) => row.state === 'awaiting_deposit');
	if (awaiting.length > 0) {
		return awaiting;
	}
	// A payout that must not be paid may have been paid all the same.
	const voided = rows.filter((row) => row.state === 'void');
	if (voided.length > 0 && state === 'paid') {
		return voided;
	}
	if (rows.some(isLive)) {
		return [];
	}
	// Of what is held nothing was sent.
	return rows.filter((row) => isSetAside(row) && !(row.state === 'held' && state === 'paid'));
}

/** The row of one invoice that a person has taken for not paid, and can correct. */
function correctableRows(rows: Row[]): Row[] {
	return rows.some(isLive) ? [] : rows.filter((row) => row.state === 'not_paid').slice(-1);
}
