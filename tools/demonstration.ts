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
		const execution = await n8n.runManually(workflow.id);
		const [item] = successfulItems(execution, NODE);
		if (item === undefined) {
			throw new Error('The example put out nothing.');
		}

		// Each moves money.
		const after = await countFundings(sandbox);
		return {
			payout: item.json,
			fundings: after - before,
			wallets: await readWallets(sandbox),
		};
	};

	return { workflow, wallets, first: await pay(), second: await pay() };
}

async function countFundings({ control }: Sandbox): Promise<number> {
	const requests = await control.requests('createFunding');
	return requests.length;
}

/** What the wallets hold, in cents. */
async function readWallets(sandbox: Sandbox) {
	const { control, workspaceId, verifiedVendorEmail } = sandbox;
	const workspaces = await control.workspaces();
	const workspace = workspaces.find(({ id }) => id === workspaceId);
	const vendor = await control.vendor(verifiedVendorEmail);
	return { workspace: workspace?.balance ?? 0, vendor: vendor.balance };
}
