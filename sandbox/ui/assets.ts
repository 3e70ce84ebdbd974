import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const assets = {
	'style.css': { type: 'text/css', file: join(__dirname, 'style.css') },
	'htmx.js': { type: 'text/javascript', file: require.resolve('htmx.org/dist/htmx.min.js') },
};

/** Serves what the pages load, under `/assets`. */
export function serveAssets(app: FastifyInstance): void {
	for (const [name, { type, file }] of Object.entries(assets)) {
		const content = readFileSync(file);
		app.get(`/assets/${name}`, async (_, reply) => {
			await reply
				.header('content-type', `${type}; charset=utf-8`)
				.header('cache-control', 'no-cache')
				.send(content);
		});
	}
}
