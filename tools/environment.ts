import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/client';
import { N8n, packPackage, type StartOptions } from './n8n';

/** A sandbox, and a real n8n with the packed package installed. */
export interface Environment {
	n8n: N8n;
	sandbox: Sandbox;
}

export interface RunningEnvironment extends Environment {
	/** Stops both. */
	stop: () => Promise<void>;
}

/** Starts both; n8n has to be installed, and this package built. */
export async function startEnvironment(
	options: { sandbox?: SandboxOptions; n8n?: Omit<StartOptions, 'tarball'> } = {},
): Promise<RunningEnvironment> {
	const sandbox = await startSandbox(options.sandbox);
	try {
		const n8n = await N8n.start({ ...options.n8n, tarball: packPackage() });
		const stop = async (): Promise<void> => {
			await n8n.stop();
			await sandbox.stop();
		};

		return { n8n, sandbox, stop };
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}
