/**
 * `npm run dev`: the sandbox and a real n8n with this package, started again whenever a change to
 * nodes/ or credentials/ has been built. With `--inspect` a debugger can attach to n8n on port 9229.
 */
import { spawn } from 'node:child_process';
import { rmSync, symlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEnvironment } from '../tools/environment';
import { installHost, type N8n } from '../tools/n8n';
import { ROOT } from '../tools/n8n/paths';
import { createCredentials } from './credentials';

const DEBOUNCE_MS = 500;

async function main(): Promise<void> {
	const { inspect = false } = parseArgs({ options: { inspect: { type: 'boolean' } } }).values;
	await installHost();
	const environment = await startEnvironment({
		n8n: { nodeFlags: inspect ? ['--inspect'] : [], keepsHardening: true },
	});
	const { n8n, sandbox } = environment;
	linkBuild(n8n);
	await n8n.restart();
	await createCredentials(n8n, sandbox);

	const flags = ['--watch', '--preserveWatchOutput', '--sourceMap'];
	const compiler = spawn('tsc', flags, { cwd: ROOT, stdio: 'inherit' });
	let timer: NodeJS.Timeout | undefined;
	let restarting = Promise.resolve();
	const watcher = watch(join(ROOT, 'dist'), { recursive: true }, () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			restarting = restarting.then(async () => {
				console.log('The package has changed: starting n8n again ...');
				await n8n.restart();
				console.log(`n8n is up: ${n8n.url}`);
			});
		}, DEBOUNCE_MS);
	});
	console.log(`n8n        ${n8n.url}\nLogin      ${n8n.owner.email} / ${n8n.owner.password}`);
	console.log(`Sandbox    ${sandbox.apiUrl}`);
	if (inspect) console.log('Debugger   localhost:9229');
	console.log('\nPress Ctrl-C to stop.');

	await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
	watcher.close();
	compiler.kill();
	await restarting;
	await environment.stop();
}

/** Replaces the installed build by a link to the build of this folder. */
function linkBuild(n8n: N8n): void {
	const installed = join(
		n8n.homeDirectory,
		'.n8n/nodes/node_modules/n8n-nodes-partner-payments/dist',
	);
	rmSync(installed, { recursive: true });
	symlinkSync(join(ROOT, 'dist'), installed, 'dir');
}

void main();
