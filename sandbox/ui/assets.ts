import type { FastifyInstance } from 'fastify';
import { builtIn } from '../shared/builtIn';

const assets = {
	'style.css': { type: 'text/css', content: builtIn.style },
	'live.js': { type: 'text/javascript', content: builtIn.script },
};

/** Serves what the pages load, under `/assets`. */
export function serveAssets(app: FastifyInstance): void {
	for (const [name, { type, content }] of Object.entries(assets)) {
		app.get(`/assets/${name}`, async (_, reply) => {
			await reply
				.header('content-type', `${type}; charset=utf-8`)
				.header('cache-control', 'no-cache')
				.send(content);
		});
	}
}
