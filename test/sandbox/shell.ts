import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A machine without curl runs the commands of pages and guides all the same. */
const CURL = `command -v curl >/dev/null || curl() { '${process.execPath}' '${join(__dirname, 'curl.mts')}' "$@"; }\n`;

/** Runs commands as a person pastes them; returns what they print. Rejects if one of them fails. */
export async function runInShell(commands: string): Promise<string> {
	const { stdout } = await promisify(execFile)('sh', ['-ec', CURL + commands]);

	return stdout;
}
