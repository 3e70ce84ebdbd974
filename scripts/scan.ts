/**
 * `npm run lint:package`: the checks that n8n runs on a package before it is verified, on the sources
 * and on what would be published. n8n's own command takes published packages only, and lets warnings
 * pass; here none is left.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

import { packPackage } from '../tools/n8n/pack';

const ROOT = join(__dirname, '..');

async function main(): Promise<void> {
	const unpacked = mkdtempSync(join(tmpdir(), 'package-'));
	try {
		execFileSync('tar', ['-xzf', packPackage(), '-C', unpacked, '--strip-components=1']);
		const findings = [
			await scan('The sources', ROOT, SOURCE_FILE_PATTERNS),
			await scan('The packed package', unpacked, ['**/*.js', 'package.json']),
		];
		if (findings.some((count) => count > 0)) process.exitCode = 1;
	} finally {
		rmSync(unpacked, { recursive: true });
	}
}

/** Checks the files of a folder with n8n's rules, comments that switch rules off ignored; returns the number of findings. */
async function scan(what: string, folder: string, patterns: string[]): Promise<number> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	const findings = results.reduce(
		(sum, { errorCount, warningCount }) => sum + errorCount + warningCount,
		0,
	);
	const formatter = await eslint.loadFormatter('stylish');
	console.log(`${what}: ${results.length} files, ${findings} findings`);
	console.log(await formatter.format(results));
	return findings;
}

void main();
