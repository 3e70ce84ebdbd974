/**
 * `npm run screenshots`: makes the pictures in docs/images again, of a real n8n with this package and
 * of the sandbox; `npm run screenshots -- templates` those of the templates alone. Both run on their
 * usual ports, so that the pictures show the same addresses.
 */
import {
	type Credential,
	NODE_UNDER_TEST,
	START,
	type Workflow,
	workflowWithNode,
} from '../tools/n8n';
import { connectAccount } from '../tools/n8n/account';
import { Editor, type NodePanel } from '../tools/n8n/editor';
import { readLedger } from '../tools/payouts/ledgerStore';
import { payoutParameters, type PayoutRequest } from '../tools/payouts/payout';
import { Program } from '../tools/program';
import { applicationCredentialData, sandboxCredentialData } from '../tools/sandboxCredentialData';
import { Camera } from './camera';
import { type Setup, takeFirstSteps } from './firstSteps';
import { pictureMonth } from './monthPicture';
import { pictureTemplates } from './templatePictures';

const NAME = 'Nora at Northwind';
const PORTS = { sandbox: 7297, auth: 7298, n8n: 5678 };

/** A window that shows the whole example. */
const ROOMY = { width: 1320, height: 815 };
/** A window for a table: wide and low. */
const WIDE = { width: 1562, height: 570 };

const TIMEOUT_MS = 15 * 60_000;
const program = new Program(['what', 'clicks', 'values']);

async function takePictures(): Promise<boolean> {
	const { n8n, sandbox } = await program.start({
		sandbox: { port: PORTS.sandbox, authPort: PORTS.auth },
		n8n: { port: PORTS.n8n },
	});

	const editor = await Editor.open(n8n);
	try {
		const setup = { camera: new Camera(editor, sandbox), sandbox, n8n, editor };
		const isShort = process.argv.includes('templates') || (await pictureUse(setup));
		await pictureTemplates(n8n, editor, setup.camera);
		await pictureMonth(n8n, editor, setup.camera);
		return isShort;
	} finally {
		await editor.close();
	}
}

/** What people see who use the node and the sandbox; says whether its first steps are few. */
async function pictureUse(setup: Setup): Promise<boolean> {
	const isShort = await takeFirstSteps(setup, (...cells) => {
		program.row(...cells);
	});

	await pictureCredential(setup);
	await pictureConsole(setup);
	await picturePayouts(setup);
	return isShort;
}

/** A credential that is connected to an account. */
async function pictureCredential({ camera, sandbox, n8n, editor }: Setup): Promise<void> {
	const data = applicationCredentialData(sandbox);
	await n8n.createCredential(NAME, 'partnerPaymentsOAuth2Api', data);
	await connectAccount(editor, sandbox, NAME);

	// Opened again, since only then it names the account.
	const { dialog } = await editor.openCredential(NAME);
	await dialog.getByText('Connected as').waitFor();
	await camera.capture('credential', dialog, dialog.getByText('Scope', { exact: true }));
}

/** The console of the sandbox. */
async function pictureConsole({ camera, sandbox, editor }: Setup): Promise<void> {
	const page = await editor.context.newPage();
	const path = `/_sandbox/console/workspaces/${sandbox.workspaceId}`;
	await page.goto(new URL(path, sandbox.apiUrl).href);

	const section = (name: string) => page.getByRole('heading', { name, exact: true });
	await page.setViewportSize({ width: 1280, height: 2000 });
	await camera.capture('sandbox-console-1280', page.locator('body'), section('Fundings'));
}

/** A payout whose funding got no answer, and payouts that share a funding. */
async function picturePayouts(setup: Setup): Promise<void> {
	const { camera, sandbox, n8n, editor } = setup;
	const data = sandboxCredentialData(sandbox);
	const credential = await n8n.createCredential('Northwind', 'partnerPaymentsApi', data);
	const ana = sandbox.verifiedVendorEmail;
	const carla = 'carla@example.com';
	const david = 'david@example.com';

	for (const email of [carla, david]) {
		await sandbox.control.addVendor({ email, status: 'verified' });
		await sandbox.control.acceptInvitation(sandbox.workspaceId, email);
	}

	await editor.page.setViewportSize(ROOMY);
	await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

	const unconfirmed = await sendPayouts(setup, credential, [
		{ reference: 'INV-1041', payee: ana, amount: 250 },
	]);

	await unconfirmed.error();
	await camera.capture('payout-in-doubt', unconfirmed.panel);

	await editor.page.setViewportSize(WIDE);
	await sendPayouts(setup, credential, [
		{ reference: 'INV-1042', payee: ana, amount: 250 },
		{ reference: 'INV-1043', payee: carla, amount: 120.5 },
		{ reference: 'INV-1044', payee: david, amount: 80 },
	]);

	await pictureLedger(setup);
}

/** The table of the ledger, as a person sees it in n8n. */
async function pictureLedger({ camera, n8n, editor }: Setup): Promise<void> {
	const { page } = editor;
	const ledger = await readLedger(n8n);
	await page.goto(ledger.url);
	await page.getByText('INV-1041', { exact: true }).waitFor();
	await editor.dismissNotices();
	await camera.capture('ledger-table', page.locator('body'));
}

/** Sends payouts, in dollars, by hand, and opens the node that has done it. */
async function sendPayouts(
	{ sandbox, n8n, editor }: Setup,
	credential: Credential,
	items: PayoutRequest[],
): Promise<NodePanel> {
	const parameters = { ...payoutParameters(sandbox.workspaceId), options: {} };
	const workflow = workflowWithNode({ credential, parameters, items });
	// The driver's names would mean nothing to a reader.
	const named = JSON.stringify(workflow)
		.replaceAll(`"${NODE_UNDER_TEST}"`, '"Send payouts"')
		.replaceAll(`"${START}"`, '"Payouts that are due"');

	const { id } = await n8n.createWorkflow(JSON.parse(named) as Workflow);
	await editor.openWorkflow(id);
	await editor.executeWorkflow();
	await editor.dismissNotices();

	const node = await editor.openNode('Send payouts');
	// A field under the mouse would show its controls.
	await editor.page.mouse.move(0, 0);
	return node;
}

void program.run(takePictures, TIMEOUT_MS);
