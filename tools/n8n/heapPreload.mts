/**
 * Reports how much lives on n8n's heap. Node.js loads this file into n8n's process before n8n
 * (`--import`); heap.ts asks it.
 */
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

// Worker threads of n8n load this file as well.
if (isMainThread) {
	const server = createServer((_request, response) => {
		globalThis.gc?.();
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ usedBytes: process.memoryUsage().heapUsed }));
	});
	server.listen(Number(process.env['HEAP_PORT']), '127.0.0.1');
	server.unref();
}
