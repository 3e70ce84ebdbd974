import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Clock } from '../../nodes/PartnerPayments/api/http/clock';

const home = mkdtempSync(join(tmpdir(), 'partner-payments-engine-'));
process.once('exit', () => {
	rmSync(home, { recursive: true, force: true });
});

/** Set before n8n's modules are loaded, which read it once. */
Object.assign(process.env, {
	N8N_USER_FOLDER: home,
	N8N_ENCRYPTION_KEY: 'engine-tests',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_LOG_LEVEL: 'silent',
});

const DIST = join(__dirname, '../../dist');
if (!existsSync(join(DIST, 'nodes/PartnerPayments/PartnerPayments.node.js'))) {
	throw new Error(
		'The engine tests run the built node, and dist/ is missing: run "npm run build".',
	);
}

/** Loads a file of the built package. */
export const loadBuilt = (file: string): unknown => createRequire(__filename)(join(DIST, file));

/** The clock of the built node, which is replaced before the node is loaded by one that skips all waiting. */
const clock = loadBuilt('nodes/PartnerPayments/api/http/clock.js') as { systemClock: Clock };
let skipped = 0;
clock.systemClock = {
	now: () => performance.now() + skipped,
	wait: async (ms, signal) => {
		await new Promise(setImmediate);
		signal?.throwIfAborted();
		skipped += ms;
	},
};

/** Milliseconds that the node has waited, all in all. */
export const waitedMs = (): number => skipped;
