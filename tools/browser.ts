import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';

import { ROOT } from './n8n/paths';

/** The usual paths of Chromium or Chrome. */
const INSTALLED = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Pages come from this machine only. Then no test depends on another one, and no certificate is verified:
 * for that, the packed Chromium would need a library that a bare Debian does not have.
 */
const LOCAL_ONLY = [
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
	'--no-proxy-server',
];

const FLAGS = [
	...LOCAL_ONLY,
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** A Chromium for Linux without any installed library, packed, from `npm ci`. */
const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium');

/** Below the package, so that another version of it is unpacked again. */
const UNPACKED = join(PACKAGE, 'unpacked');

/** Its libraries and its fonts; the other archive is for graphics. */
const ARCHIVES = ['al2023.tar.br', 'fonts.tar.br'];

/** In place of the package's own, which expects everything in /tmp. */
const FONTS_CONF = `<fontconfig>
	<dir>/usr/share/fonts</dir>
	<dir prefix="relative">fonts</dir>
	<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Starts, without a window, the Chromium or Chrome that the variable `CHROMIUM` names, else this machine's
 * own, else the one that `npm ci` has brought.
 *
 * @throws when none of them runs here, with what to install
 */
export async function launchBrowser(): Promise<Browser> {
	const installed = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path));
	if (installed !== undefined) {
		return await chromium.launch({ executablePath: installed, args: FLAGS });
	}

	return await launchPackedBrowser();
}

/**
 * Starts the Chromium that `npm ci` has brought, without a window.
 *
 * @throws where it does not run, with what to install
 */
export async function launchPackedBrowser(): Promise<Browser> {
	if (process.platform !== 'linux' || process.arch !== 'x64') {
		throw new Error(
			'The browser tests need Chromium or Chrome: install it, or set CHROMIUM to the path of one.',
		);
	}

	if (!existsSync(UNPACKED)) {
		unpack();
	}

	const env = {
		...process.env,
		LD_LIBRARY_PATH: join(UNPACKED, 'lib'),
		FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
	};

	return await chromium.launch({ executablePath: join(UNPACKED, 'chromium'), args: FLAGS, env });
}

/** Unpacks the package's Chromium, which takes a few seconds; another process may do the same meanwhile. */
function unpack(): void {
	const folder = mkdtempSync(`${UNPACKED}-`);
	for (const archive of ARCHIVES) {
		execFileSync('tar', ['--extract', '--directory', folder], { input: read(archive) });
	}

	writeFileSync(join(folder, 'fonts.conf'), FONTS_CONF);
	writeFileSync(join(folder, 'chromium'), read('chromium.br'), { mode: 0o755 });

	try {
		renameSync(folder, UNPACKED);
	} catch (error) {
		rmSync(folder, { recursive: true });
		if (!existsSync(UNPACKED)) {
			throw error;
		}
	}
}

const read = (name: string): Buffer =>
	brotliDecompressSync(readFileSync(join(PACKAGE, 'bin', name)));
