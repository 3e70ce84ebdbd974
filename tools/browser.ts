import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where systems keep Chromium or Chrome; `CHROMIUM` names another place. */
const PLACES = [
	process.env['CHROMIUM'],
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const QUIET = [
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
 * @throws when there is none, with what to install
 */
export async function launchBrowser(): Promise<Browser> {
	const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
	if (executablePath === undefined) {
		throw new Error(
			'The browser tests need Chromium: install it (on Debian "apt install chromium"), or set CHROMIUM to the path of a Chromium or Chrome.',
		);
	}
	return await chromium.launch({ executablePath, args: QUIET });
}
