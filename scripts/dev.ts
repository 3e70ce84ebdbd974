/**
 * `npm run dev`: the sandbox and a real n8n with this package, started again whenever a change to
 * nodes/ or credentials/ has been built. With `--inspect` a debugger can attach to n8n on port 9229.
 */
import { spawn } from 'node:child_process';
import { rmSync, symlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';

import { valuesToEnter } from '../sandbox/values';
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
	const flags = ['--watch', '--preserveWatchOutput', '--sourceMap', '--pretty'];
	const compiler = spawn('tsc', flags, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
	// Its first build changes every file: n8n starts with it, and not once more for it.
	await firstBuild(compiler.stdout);
	linkBuild(n8n);
	await n8n.restart();
	await createCredentials(n8n, sandbox);

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
	console.log(`Console    ${sandbox.controlUrl}`);
	console.log(`\nFor a credential and a node of your own, enter:\n\n${valuesToEnter(sandbox)}`);
	if (inspect) console.log('Debugger   localhost:9229');
	console.log('\nPress Ctrl-C to stop.');

	await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
	watcher.close();
	compiler.kill();
	await restarting;
	await environment.stop();
}

/** Shows what the compiler says, and waits until it has built everything once. */
async function firstBuild(output: Readable): Promise<void> {
	await new Promise<void>((resolve) => {
		const lines = createInterface({ input: output });
		lines.once('close', resolve).on('line', (line) => {
			console.log(line);
			if (line.includes('Watching for file changes')) resolve();
		});
	});
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
