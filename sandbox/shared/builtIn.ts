import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): string => readFileSync(path, 'utf8');
const root = join(__dirname, '..', '..');

/**
 * What the sandbox reads beside its code. The build of the package replaces this module by one that
 * holds the same texts.
 */
export const builtIn = {
	/** How a person starts it. */
	command: 'npm run sandbox --',
	contract: read(join(root, 'contract', 'openapi.yaml')),
	style: [
		read(require.resolve('@picocss/pico/css/pico.classless.min.css')),
		read(join(root, 'sandbox', 'ui', 'style.css')),
		read(join(root, 'sandbox', 'ui', 'console.css')),
	].join('\n'),
	script: read(join(root, 'sandbox', 'ui', 'live.js')),
};
