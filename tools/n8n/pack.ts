import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths';

/**
 * Packs the built package as `npm publish` would and returns the tarball's path. It lies in
 * `.cache`, so that nothing is left in the system's temporary folder. Another process may pack it or
 * install it meanwhile, so the tarball takes its place as a whole.
 */
export function packPackage(): string {
	if (!existsSync(join(ROOT, 'dist/nodes'))) {
		throw new Error('The package is not built: dist/nodes is missing. Run "npm run build" first.');
	}

	const folder = join(ROOT, '.cache/package');
	mkdirSync(folder, { recursive: true });

	const own = mkdtempSync(join(folder, 'new-'));
	const output = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', own],
		{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
	);

	const [packed] = JSON.parse(output) as Array<{ filename: string }>;
	if (!packed) {
		throw new Error(`npm pack made no tarball; its output: ${output}`);
	}

	const tarball = join(folder, packed.filename);
	renameSync(join(own, packed.filename), tarball);
	rmdirSync(own);

	return tarball;
}
