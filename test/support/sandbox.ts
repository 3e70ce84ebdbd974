import { connect, type Sandbox } from '../../sandbox/client';
import type { Options } from '../../sandbox/options';

/**
 * Starts a sandbox in the process of the test, which is as `startSandbox` starts it in a process of its
 * own, in a hundredth of the time.
 *
 * @param onOutput gets what the sandbox says when it fails at something
 */
export async function startSandbox(
	options: Partial<Options> = {},
	onOutput: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): Promise<Sandbox> {
	const { ready, close } = await startSandboxServer(
		{ character: globalThis.sandboxCharacter, ...options },
		onOutput,
	);

	return connect(ready, close);
}
