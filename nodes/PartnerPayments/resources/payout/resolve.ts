import type { IDataObject } from 'n8n-workflow';

import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';
import { isKept, isLive, isUnconfirmed } from '../../ledger/protocol/judge';
import { shownState, type RecordKey } from '../../ledger/protocol/records';
import type { Row } from '../../ledger/table/rows';
import { openRecords } from '../../ledger/openLedger';
import { choiceField, workspaceField } from '../../shared/fields';
import { InputError, reject, textOf } from '../../shared/values';
import { inMajorUnits } from '../../shared/money';
import { payableIdField } from '../payable/fields';
import { uniqueReferenceField } from './fields';

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
		{
			...payableIdField,
			description: 'An ID that is not in the ledger changes nothing',
			displayOptions: { show: { findBy: ['payableId'] } },
		},
		choiceField('Outcome', 'outcome', {
			description: 'The result that a person found',
			options: [
				{ name: 'Choose', value: '', description: 'Nothing is resolved until you choose' },
				{
					name: 'Not Paid',
					value: 'notPaid',
					description:
						'The operator confirmed that there is no funding and none is on its way. The next run with the reference pays it.',
				},
				{
					name: 'Paid',
					value: 'paid',
					description: 'You found the funding. This is final: it is never sent again.',
				},
				{
					name: 'Void',
					value: 'void',
					description: 'It must never be paid, such as for a wrong reference. This is final.',
				},
			],
		}),
	],
	read: (item) => {
		refuseAsTool(item, 'Only a person or an event can say whether money has moved.');
		const findBy = item.choice('findBy', ['uniqueReference', 'payableId'], 'Find By');
		const key: RecordKey = {
			workspaceId: item.workspaceId(),
			...(findBy === 'payableId'
				? { payableId: item.text('payableId', 'Payable ID') }
				: { reference: item.reference() }),
		};
		const outcome = item.choice('outcome', ['paid', 'notPaid', 'void'], 'Outcome');
		// The editor shows the reference of the first item alone.
		if (item.index > 0 && !textOf(item.node.parameters.outcome).startsWith('='))
			reject(
				'"Outcome" is fixed, and this node got several items',
				'Give this node one item in each run, or take the outcome of each from its item.',
			);
		return { key, outcome };
	},
	send: async ({ n8n, client }, { key, outcome }) => {
		const ledger = openRecords(n8n, client.credentials);
		const all = await ledger.find(key);
		const found = all.filter(({ environment }) => environment === client.environment);
		if (found.length === 0 && key.payableId !== undefined)
			return [{ json: { is_resolved: false, payable_id: key.payableId } }];
		const name = key.reference ?? key.payableId ?? '';
		const state = OUTCOMES[outcome];
		const resolved: Row[] = [];
		const changed = `"${name}" was not resolved: it has just changed`;
		for (const row of resolvable(name, found, state))
			resolved.push((await ledger.resolve(row, state)) ?? reject(changed, LOOK));
		// An execution may have begun to pay what was prepared.
		const rival = (await ledger.find(key)).find(
			(row) => isLive(row) && resolved.every(({ id }) => id !== row.id),
		);
		if (rival !== undefined)
			throw new InputError(
				`"${name}" was resolved, but the ledger table also says "${rival.state}"`,
				`An execution has just begun to pay it. ${LOOK}`,
			);
		const [row] = resolved;
		return [{ json: { is_resolved: true, ...(row && recordOutput(row)) } }];
	},
});

const LOOK = 'First look at it with "Get Many".';

function resolvable(name: string, found: Row[], state: string): Row[] {
	const unconfirmed = found.filter(isUnconfirmed);
	if (unconfirmed.length > 0) return unconfirmed;
	// Of what is held nothing was sent.
	const kept = found.filter((row) => isKept(row) && !(row.state === 'held' && state === 'paid'));
	// What a person has taken for not paid can be corrected.
	const notPaid = found.filter((row) => row.state === 'not_paid').slice(-1);
	const open = kept.length > 0 ? kept : notPaid;
	const other = found.find(isLive);
	if (other === undefined && open.length > 0) return open;
	if (found.length === 0)
		throw new InputError(
			`"${name}" is not in the ledger table for this workspace and environment`,
			'This ledger does not know whether it was paid. Check the reference, the workspace and the credential.',
		);
	throw new InputError(
		`"${name}" was not resolved as ${state}: the ledger table says "${(other ?? found.at(-1))?.state ?? ''}"`,
		'Resolve what is unconfirmed, prepared, held, or not paid. What is sending can be resolved after 20 minutes. What is held was never paid. Paid and void are final: if that is wrong, finish the payment in the service.',
	);
}

export const recordOutput = (row: Row): IDataObject => ({
	status: shownState(row),
	unique_reference: row.reference,
	payee: row.payee,
	amount_cents: row.amount_cents,
	amount_usd: row.amount_cents === null ? null : inMajorUnits(row.amount_cents),
	payable_id: row.payable_id || null,
	funding_id: row.funding_id || null,
	...(row.pdf_url !== '' && { pdf_url: row.pdf_url }),
	paid_at: row.paid_at || null,
	workspace_id: row.workspace_id,
	environment: row.environment,
	execution: row.execution,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});
