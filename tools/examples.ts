import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from './n8n';
import { ROOT } from './n8n/paths';

const FOLDER = join(ROOT, 'examples');

/** The files of all examples. */
export const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

/**
 * The examples for the newest n8n only: their nodes are newer than those of n8n 1.123, such as Edit Fields
 * 3.5, Slack 2.7, Data Table 1.1, Schedule Trigger 1.4 and Form Trigger 2.6. The ledger would not keep them
 * from the oldest n8n, in which all others run too.
 */
export const FOR_NEWEST_HOST = [
	'agent-prepares-person-pays.json',
	'approve-in-chat-then-pay.json',
	'ask-above-1000.json',
	'hold-possible-duplicates.json',
	'invoice-with-deposit.json',
	'invoices-by-mail.json',
	'monthly-statement.json',
	'quickbooks-bills-to-payouts.json',
	'unconfirmed-payouts.json',
	'watch-unconfirmed.json',
	'weekly-payment-run.json',
];

/** An example as its file has it. */
export const readExample = (name: string): Workflow =>
	JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;

/** The text in place of an address, so that an example pays no one before its user has entered one. */
export const NO_ADDRESS = 'Email address of the vendor';

/** Fills in what the note of an example asks for: the workspace, the vendor's email address, an amount, and an invoice. */
export function fillIn(workflow: Workflow, workspaceId: string, vendorEmail: string): Workflow {
	const text = JSON.stringify(workflow)
		.replaceAll('"mode":"id","value":""', `"mode":"id","value":"${workspaceId}"`)
		.replaceAll(NO_ADDRESS, vendorEmail)
		.replaceAll('"name":"amount","value":"Amount in dollars"', '"name":"amount","value":"250.00"')
		.replaceAll('"name":"invoice","value":""', '"name":"invoice","value":"INV-2001"');

	return JSON.parse(text) as Workflow;
}
