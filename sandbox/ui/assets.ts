import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const assets = {
	'style.css': {
		type: 'text/css',
		files: [
			require.resolve('@picocss/pico/css/pico.classless.min.css'),
			join(__dirname, 'style.css'),
		],
	},
	'htmx.js': {
		type: 'text/javascript',
		files: [require.resolve('htmx.org/dist/htmx.min.js')],
	},
};

/** Serves what the pages load, under `/assets`. Files of one asset are joined. */
export function serveAssets(app: FastifyInstance): void {
	for (const [name, { type, files }] of Object.entries(assets)) {
		const content = files.map((file) => readFileSync(file, 'utf8')).join('\n');
		app.get(`/assets/${name}`, async (_, reply) => {
			await reply
				.header('content-type', `${type}; charset=utf-8`)
				.header('cache-control', 'no-cache')
				.send(content);
		});
	}
}
