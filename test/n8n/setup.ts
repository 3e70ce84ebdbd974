import { startSandbox, type Sandbox } from '../../sandbox/client';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { N8n, packPackage } from '../../tools/n8n';

/** A sandbox and a real n8n with the packed package, and what n8n needs to use one from the other. */
export interface Bench {
	sandbox: Sandbox;
	n8n: N8n;
	/** The data of a credential that works. */
	credentialData: Record<string, unknown>;
	/** Everything that the sandbox has written so far. */
	sandboxLog: () => string;
}

/** Out of the way of tests that are about something else. */
const NO_LIMIT = 100_000;

/**
 * Starts both before the tests of a file and stops them after.
 *
 * @param environment gives more environment variables for n8n, when it is about to start
 * @returns a function that gives them to a test
 */
export function useBench(environment: () => Record<string, string> = () => ({})): () => Bench {
	let bench: Bench | undefined;
	let sandbox: Sandbox | undefined;
	let sandboxOutput = '';
	beforeAll(async () => {
		sandbox = await startSandbox({
			requestsPerMinute: NO_LIMIT,
			onOutput: (text) => (sandboxOutput += text),
		});
		const n8n = await N8n.start({ tarball: packPackage(), env: environment() });
		const credentialData = sandboxCredentialData(sandbox);
		bench = { sandbox, n8n, credentialData, sandboxLog: () => sandboxOutput };
	});
	afterAll(async () => {
		await bench?.n8n.stop();
		await sandbox?.stop();
	});
	return () => {
		if (bench === undefined) throw new Error('n8n and the sandbox are not up');
		return bench;
	};
}
