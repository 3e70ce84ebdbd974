import './home';

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Clock } from '../../nodes/PartnerPayments/api/http/clock';

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
