/**
 * `npm run dev`: the sandbox and a real n8n with this package, started again whenever a change to
 * nodes/ or credentials/ has been built. With `--inspect` a debugger can attach to n8n on port 9229.
 */
import { spawn } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { valuesToEnter } from '../sandbox/values';
import type { N8n } from '../tools/n8n';
import { ROOT } from '../tools/n8n/paths';
import { Program } from '../tools/program';
import { createCredentials } from './credentials';

const program = new Program();

async function develop(): Promise<boolean> {
	const { inspect = false } = parseArgs({ options: { inspect: { type: 'boolean' } } }).values;
	const { n8n, sandbox } = await program.start({
		n8n: { nodeFlags: inspect ? ['--inspect'] : [], keepsHardening: true },
	});

	linkBuild(n8n);
	await createCredentials(n8n, sandbox);
	console.log(`n8n        ${n8n.url}\nLogin      ${n8n.owner.email} / ${n8n.owner.password}`);
	console.log(`Console    ${sandbox.controlUrl}`);
	console.log(`\nFor a credential and a node of your own, enter:\n\n${valuesToEnter(sandbox)}`);
	if (inspect) {
		console.log('Debugger   localhost:9229');
	}

	await Promise.all([program.stayUp(), followChanges(n8n)]);
	return true;
}

/** Builds the package whenever it changes, and starts n8n again after each build. */
async function followChanges(n8n: N8n): Promise<void> {
	const flags = ['--watch', '--preserveWatchOutput', '--sourceMap', '--pretty'];
	const compiler = spawn('tsc', flags, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
	process.once('exit', () => compiler.kill());

	for await (const line of createInterface({ input: compiler.stdout })) {
		console.log(line);
		if (line.includes('Watching for file changes')) {
			console.log('The package is built: starting n8n again ...');
			await n8n.restart();
			console.log(`n8n is up: ${n8n.url}`);
		}
	}
}

/** Replaces the installed build by a link to the build of this folder. */
function linkBuild(n8n: N8n): void {
	const installed = join(
		n8n.process.home,
		'.n8n/nodes/node_modules/n8n-nodes-partner-payments/dist',
	);

	rmSync(installed, { recursive: true });
	symlinkSync(join(ROOT, 'dist'), installed, 'dir');
}

void program.run(develop);
