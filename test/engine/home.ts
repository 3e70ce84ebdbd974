import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
