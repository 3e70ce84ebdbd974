import { join, resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(__dirname, '../..');

/** The Node.js that runs n8n: the project's own, whichever runs this file. */
export const NODE = join(ROOT, 'node_modules/node/bin/node');
