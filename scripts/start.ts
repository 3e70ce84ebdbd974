/**
 * The demonstration behind `npm start`: pays one vendor through a real n8n with the packed package
 * installed, against the local sandbox, runs the same workflow once more, and shows that it paid
 * nothing then. n8n stays up until Ctrl-C; with `--once` everything is stopped after the runs.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';

import { valuesToEnter } from '../sandbox/values';
import { type Demonstration, payTwice } from '../tools/demonstration';
import { type LedgerView, readLedger } from '../tools/payouts/ledgerStore';
import { Program } from '../tools/program';
import { APPLICATION, createCredentials } from './credentials';

const USAGE = `npm start              pays a vendor twice, and stays up until Ctrl-C
npm start -- --once    stops after the two runs`;

const once = readOnce();
const program = new Program();

/** Whether everything stops after the runs. Ends the program where something else is asked for. */
function readOnce(): boolean {
	try {
		return parseArgs({ options: { once: { type: 'boolean' } } }).values.once ?? false;
	} catch {
		console.error(USAGE);
		process.exit(2);
	}
}

/** Starts everything, runs the example twice, and shows the result and where to look at it. */
async function demonstrate(): Promise<boolean> {
	const environment = await program.start({ n8n: { keepsHardening: true } });
	const { n8n, sandbox } = environment;

	console.log(`The sandbox of the payouts service is up: ${sandbox.apiUrl}`);
	console.log(`n8n is up: ${n8n.url}`);

	const credentials = await createCredentials(n8n, sandbox);

	console.log('Running the same workflow twice ...\n');

	const demonstration = await payTwice(environment, credentials);
	const ledger = await readLedger(n8n);
	report(demonstration, ledger);
	if (once) {
		return true;
	}

	const whereToLook = [
		`Workflow   ${n8n.url}/workflow/${demonstration.workflow.id}`,
		`Ledger     ${ledger.url}`,
		`Login      ${n8n.owner.email} / ${n8n.owner.password}`,
		`Connect    open the credential "${APPLICATION}", then sign in as ${sandbox.userEmail} / ${sandbox.userPassword}`,
		`Console    ${sandbox.controlUrl}`,
		'To pay another vendor, change email, amount, and invoice in its node Settings.',
		`\nFor a credential and a node of your own, enter:\n\n${valuesToEnter(sandbox)}`,
	];

	console.log(`\n${whereToLook.join('\n')}`);
	return await program.stayUp();
}

/** Shows what the runs did, and fails unless the vendor has been paid once. */
function report({ workflow, wallets, first, second }: Demonstration, { rows }: LedgerView): void {
	const runs = new Table({ head: [workflow.name, 'First run', 'Second run'], style: STYLE });
	const change = (wallet: keyof typeof wallets): [string, string] => [
		`${dollars(wallets[wallet])} → ${dollars(first.wallets[wallet])}`,
		`${dollars(first.wallets[wallet])} → ${dollars(second.wallets[wallet])}`,
	];

	runs.push(
		['Status', String(first.payout['status']), String(second.payout['status'])],
		['Payments sent', first.fundings, second.fundings],
		["Vendor's wallet", ...change('vendor')],
		["Workspace's wallet", ...change('workspace')],
	);

	const columns = ['reference', 'state', 'payee', 'amount_cents', 'payable_id'];
	const ledger = new Table({ head: columns, style: STYLE });
	ledger.push(...rows.map((row) => columns.map((column) => String(row[column]))));

	console.log(`${runs.toString()}\n`);
	console.log(`The payout ledger, a Data Table that the first payment made:\n${ledger.toString()}`);

	const paid = second.wallets.vendor - wallets.vendor;
	const isFundedOnce = first.fundings === 1 && second.fundings === 0;
	if (!isFundedOnce || paid !== Number(first.payout['amount_cents'])) {
		throw new Error('The vendor has not been paid exactly once.');
	}
}

const STYLE = { head: [], border: [] };

function dollars(cents: number): string {
	return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

void program.run(demonstrate);
