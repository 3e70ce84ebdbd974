/**
 * The demonstration behind `npm start`: pays one vendor through a real n8n with the packed package
 * installed, against the local sandbox, and shows what happened. n8n then stays up until Ctrl-C;
 * with `--once` everything is stopped after the run.
 */
import Table from 'cli-table3';

import type { Sandbox } from '../sandbox/client';
import { type RunningEnvironment, startEnvironment } from '../tools/environment';
import { examplePath, fillIn } from '../tools/examples';
import { type Execution, installHost, type Item, successfulItems } from '../tools/n8n';
import { APPLICATION, createCredentials } from './credentials';

let environment: RunningEnvironment | undefined;

/** Balances in cents. */
interface Wallets {
	workspace: number;
	vendor: number;
}

async function main(): Promise<void> {
	const interrupted = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => {
				resolve('interrupted');
			});
		}
	});
	let exitCode = 0;
	try {
		const whereToLook = await Promise.race([demonstrate(), interrupted]);
		if (whereToLook === 'interrupted') {
			exitCode = 130;
		} else if (!process.argv.includes('--once')) {
			console.log(`\n${whereToLook}\n\nEverything stays up. Press Ctrl-C to stop.`);
			await interrupted;
		}
	} catch (error) {
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		exitCode = 1;
	}
	console.log('Stopping n8n and the sandbox ...');
	await environment?.stop();
	process.exit(exitCode);
}

/** Starts everything, runs the example once and shows the result; returns where to look at it. */
async function demonstrate(): Promise<string> {
	await installHost();

	console.log('Starting the sandbox and n8n with the packed package (about 15 seconds) ...');
	environment = await startEnvironment({ n8n: { keepsHardening: true } });
	const { n8n, sandbox } = environment;
	console.log(`The sandbox of the payouts service is up: ${sandbox.apiUrl}`);
	console.log(`n8n is up: ${n8n.url}`);

	const credential = await createCredentials(n8n, sandbox);
	const workflow = await n8n.importWorkflow(
		examplePath('pay-a-vendor.json'),
		[credential],
		(imported) => fillIn(imported, sandbox.workspaceId, sandbox.verifiedVendorEmail),
	);

	console.log(`Running the workflow "${workflow.name}" ...\n`);
	const before = await readWallets(sandbox);
	const execution = await n8n.runManually(workflow.id);
	await report(sandbox, execution, before);

	return [
		`Workflow   ${n8n.url}/workflow/${workflow.id}`,
		`Login      ${n8n.owner.email} / ${n8n.owner.password}`,
		`Connect    open the credential "${APPLICATION}", then sign in as ${sandbox.userEmail} / ${sandbox.userPassword}`,
		`Console    ${sandbox.controlUrl}`,
		`Sandbox    ${sandbox.apiUrl} (API), ${sandbox.authUrl} (sign-in and tokens)`,
	].join('\n');
}

/** Shows what the run did, and fails unless the vendor has been paid. */
async function report(sandbox: Sandbox, execution: Execution, before: Wallets): Promise<void> {
	const payable = only(successfulItems(execution, 'Create payable'));
	const funding = only(successfulItems(execution, 'Fund from balance'));
	const states = await statesOf(sandbox, String(payable['id']));
	const after = await readWallets(sandbox);
	const amount = Number(payable['amount']);

	const table = new Table({ style: { border: [] } });
	table.push(
		['Payable', String(payable['id'])],
		['States', states.join(' → ')],
		['Funding', `${String(funding['id'])}, from the balance`],
		['Amount', dollars(amount)],
		["Vendor's wallet", `${dollars(before.vendor)} → ${dollars(after.vendor)}`],
		["Workspace's wallet", `${dollars(before.workspace)} → ${dollars(after.workspace)}`],
	);
	console.log(table.toString());

	if (states.at(-1) !== 'paid') throw new Error('The payable has not been paid.');
	if (after.vendor - before.vendor !== amount) {
		throw new Error("The vendor's wallet has not been credited with the amount.");
	}
}

function only([item]: Item[]): Item['json'] {
	if (!item) throw new Error('A node of the example put out nothing.');
	return item.json;
}

function dollars(cents: number): string {
	return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

/** The states that a payable has gone through. */
async function statesOf(sandbox: Sandbox, payableId: string): Promise<string[]> {
	const changes = (await sandbox.control.events()).flatMap(({ data }) =>
		'payable' in data && data.payable.id === payableId ? [String(data.payable.status)] : [],
	);
	return [...new Set(['draft', ...changes])];
}

async function readWallets({
	control,
	workspaceId,
	verifiedVendorEmail,
}: Sandbox): Promise<Wallets> {
	const workspace = (await control.workspaces()).find(({ id }) => id === workspaceId);
	const vendor = await control.vendor(verifiedVendorEmail);
	return { workspace: workspace?.balance ?? 0, vendor: vendor.balance };
}

void main();
