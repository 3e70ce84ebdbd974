import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Ready } from '../../sandbox/client';
import { valuesToEnter } from '../../sandbox/values';

const GUIDE = join(__dirname, '../../docs/guide/first-payout.md');

let ready: Ready;
let output = '';

beforeAll(async () => {
	const sandbox = await startSandbox({ onOutput: (text) => (output += text) });
	await sandbox.stop();
	ready = sandbox;
});

test('a sandbox prints what to enter in n8n', () => {
	expect(output).toContain(valuesToEnter(ready));
	expect(output).toContain(ready.apiUrl);
});

test('the guide tells the same values', () => {
	const guide = readFileSync(GUIDE, 'utf8').replaceAll('`', '');
	const usual = { apiUrl: 'http://localhost:4010/api', authUrl: 'http://localhost:4011' };
	const values = valuesToEnter({ ...ready, ...usual })
		.split('\n')
		.map((line) => line.slice(17));
	expect(values).toContain(ready.workspaceId);
	expect(values.filter((value) => !guide.includes(value))).toEqual([]);
});
