/** What `npm start` shows: the example pays a vendor, and pays nothing when it is run once more. */
import type { Sandbox } from '../sandbox/client';
import type { Environment } from './environment';
import { fillIn, readExample } from './examples';
import { type Credential, successfulItems, withCredentials } from './n8n';

const EXAMPLE = 'pay-a-vendor.json';
const NODE = 'Pay vendor once';

/** What both runs of the example did. */
export type Demonstration = Awaited<ReturnType<typeof payTwice>>;

/** Runs the example twice, one run after the other. */
export async function payTwice({ n8n, sandbox }: Environment, credentials: Credential[]) {
	const example = withCredentials(readExample(EXAMPLE), credentials);
	const workflow = await n8n.createWorkflow(
		fillIn(example, sandbox.workspaceId, sandbox.verifiedVendorEmail),
	);

	const wallets = await readWallets(sandbox);
	const pay = async () => {
		const before = await countFundings(sandbox);
		const [item] = successfulItems(await n8n.runManually(workflow.id), NODE);
		if (item === undefined) {
			throw new Error('The example put out nothing.');
		}

		// Each moves money.
		const fundings = (await countFundings(sandbox)) - before;
		return { payout: item.json, fundings, wallets: await readWallets(sandbox) };
	};

	return { workflow, wallets, first: await pay(), second: await pay() };
}

const countFundings = async ({ control }: Sandbox): Promise<number> =>
	(await control.requests('createFunding')).length;

/** What the wallets hold, in cents. */
async function readWallets(sandbox: Sandbox) {
	const { control, workspaceId, verifiedVendorEmail } = sandbox;
	const workspace = (await control.workspaces()).find(({ id }) => id === workspaceId);
	const vendor = await control.vendor(verifiedVendorEmail);
	return { workspace: workspace?.balance ?? 0, vendor: vendor.balance };
}
