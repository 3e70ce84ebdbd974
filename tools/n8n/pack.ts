import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './paths';

/**
 * Packs the built package as `npm publish` would and returns the tarball's path. It lies in
 * `.cache`, so that nothing is left in the system's temporary folder.
 */
export function packPackage(): string {
	if (!existsSync(join(ROOT, 'dist/nodes'))) {
		throw new Error('The package is not built: dist/nodes is missing. Run "npm run build" first.');
	}

	const folder = join(ROOT, '.cache/package');
	mkdirSync(folder, { recursive: true });

	const output = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
	);

	const [packed] = JSON.parse(output) as Array<{ filename: string }>;
	if (!packed) {
		throw new Error(`npm pack made no tarball; its output: ${output}`);
	}

	return join(folder, packed.filename);
}
