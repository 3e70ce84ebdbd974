import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The usual paths of Chromium or Chrome; the variable `CHROMIUM` names another. */
const EXECUTABLES = [
	process.env['CHROMIUM'],
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * Starts the Chromium of this machine, without a window.
 *
 * @throws when there is none, with what to install
 */
export async function launchBrowser(): Promise<Browser> {
	const executablePath = EXECUTABLES.find((path) => path !== undefined && existsSync(path));
	if (executablePath === undefined) {
		throw new Error(
			'The browser tests need Chromium: install it (on Debian "apt install chromium"), or set CHROMIUM to the path of a Chromium or Chrome.',
		);
	}

	return await chromium.launch({ executablePath, args: FLAGS });
}
