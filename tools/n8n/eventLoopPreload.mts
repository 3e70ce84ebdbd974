/**
 * Reports how long n8n's event loop was blocked, and how much lives on its heap. Node.js loads this file into n8n's process before n8n
 * (`--import`); eventLoop.ts asks it.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

import type { EventLoopReport } from './eventLoop';

/** A timer of so many milliseconds is watched. What it is late by is how long the loop was blocked. */
const RESOLUTION_MS = 5;
/** After a reset the histogram needs a round of the timer before it records again. */
const RESET_MS = 4 * RESOLUTION_MS;

// Worker threads of n8n load this file as well.
if (isMainThread) {
	const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	histogram.enable();
	const server = createServer((_request, response) => {
		const longestBlockMs = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);
		globalThis.gc?.();
		const usedHeapBytes = process.memoryUsage().heapUsed;
		histogram.reset();
		const report: EventLoopReport = { longestBlockMs, usedHeapBytes };
		response.setHeader('content-type', 'application/json');
		setTimeout(() => response.end(JSON.stringify(report)), RESET_MS);
	});
	server.listen(Number(process.env['EVENT_LOOP_PORT']), '127.0.0.1');
	server.unref();
}
