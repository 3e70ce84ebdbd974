/** What `npm start` shows: the example pays a vendor, and pays nothing when it is run once more. */
import type { Sandbox } from '../sandbox/client';
import type { Environment } from './environment';
import { examplePath, fillIn } from './examples';
import { type Credential, type Item, type StoredWorkflow, successfulItems } from './n8n';

const EXAMPLE = 'pay-a-vendor.json';
const NODE = 'Pay vendor once';

/** Balances in cents. */
export interface Wallets {
	workspace: number;
	vendor: number;
}

/** What one run of the example did. */
export interface DemonstratedRun {
	/** What the payout put out. */
	payout: Item['json'];
	/** How many fundings were requested: each moves money. */
	fundings: number;
	/** What the wallets hold after it. */
	wallets: Wallets;
}

/** What both runs of the example did. */
export interface Demonstration {
	workflow: StoredWorkflow;
	/** What the wallets held before the first run. */
	wallets: Wallets;
	first: DemonstratedRun;
	second: DemonstratedRun;
}

/** Runs the example twice, one run after the other. */
export async function payTwice(
	{ n8n, sandbox }: Environment,
	credentials: Credential[],
): Promise<Demonstration> {
	const workflow = await n8n.importWorkflow(examplePath(EXAMPLE), credentials, (imported) =>
		fillIn(imported, sandbox.workspaceId, sandbox.verifiedVendorEmail),
	);
	const wallets = await readWallets(sandbox);
	const pay = async (): Promise<DemonstratedRun> => {
		const before = await countFundings(sandbox);
		const [item] = successfulItems(await n8n.runManually(workflow.id), NODE);
		if (item === undefined) throw new Error('The example put out nothing.');
		const fundings = (await countFundings(sandbox)) - before;
		return { payout: item.json, fundings, wallets: await readWallets(sandbox) };
	};
	return { workflow, wallets, first: await pay(), second: await pay() };
}

const countFundings = async ({ control }: Sandbox): Promise<number> =>
	(await control.requests('createFunding')).length;

async function readWallets(sandbox: Sandbox): Promise<Wallets> {
	const { control, workspaceId, verifiedVendorEmail } = sandbox;
	const workspace = (await control.workspaces()).find(({ id }) => id === workspaceId);
	const vendor = await control.vendor(verifiedVendorEmail);
	return { workspace: workspace?.balance ?? 0, vendor: vendor.balance };
}
