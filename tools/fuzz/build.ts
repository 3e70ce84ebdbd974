import { join } from 'node:path';
import { build } from 'esbuild';

import { ROOT } from '../n8n/paths';

/** Makes one file of what a process runs, so that another one starts in a moment; returns its path. */
export async function buildWorker(folder: string): Promise<string> {
	const outfile = join(folder, 'worker.cjs');
	await build({
		absWorkingDir: ROOT,
		entryPoints: [join('tools', 'fuzz', 'worker.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node24',
		format: 'cjs',
		sourcemap: 'inline',
		tsconfig: 'tsconfig.dev.json',
		external: ['n8n-workflow', 'luxon'],
		logLevel: 'error',
	});
	return outfile;
}
