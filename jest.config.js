const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const swc = {
	jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
	module: { type: 'commonjs' },
};

// Published as ES modules only, and transformed like the sources for the tests, which are CommonJS.
const esModules = 'flesch|get-port|github-slugger|marked|p-timeout|p-wait-for|syllable';

// The processes of the tests, and those that they start, write each start of an n8n into this file.
process.env.N8N_STARTS_FILE ??= join(mkdtempSync(join(tmpdir(), 'n8n-starts-')), 'starts');

const suite = (name, more = {}) => ({
	displayName: name,
	rootDir: __dirname,
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.ts'],
	testEnvironment: '<rootDir>/test/support/environment.ts',
	transform: { '\\.(m?ts|js)$': ['@swc/jest', swc] },
	transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`, '/dist/'],
	...more,
});

const install = { globalSetup: '<rootDir>/test/support/install.ts' };

const n8n = {
	globalSetup: '<rootDir>/test/n8n/support/shared.ts',
	globalTeardown: '<rootDir>/test/n8n/support/stopShared.ts',
};

/**
 * The suite n8n over a sandbox of another character. The table asks no service, and the editor's tests
 * connect users: n8n sends a form for that, which a strict service refuses.
 */
const ofCharacter = (character) =>
	suite(character, {
		...n8n,
		roots: ['<rootDir>/test/n8n'],
		testPathIgnorePatterns: ['/editor\\.test', '/ledger-(?:table|api|contract)\\.test'],
		globals: { sandboxCharacter: character },
	});

module.exports = {
	testTimeout: 240_000,
	maxWorkers: '100%',
	reporters: ['default', './test/support/startsReporter.mts'],
	testSequencer: './test/support/sequencer.js',
	projects: [
		suite('unit'),
		suite('sandbox'),
		suite('engine'),
		suite('n8n', n8n),
		...['strict', 'loose', 'hostile'].map(ofCharacter),
		suite('lifecycle', install),
		suite('browser'),
		suite('examples', install),
		suite('versions', { globalSetup: '<rootDir>/test/versions/support/install.ts' }),
		suite('faults', install),
		suite('queue', install),
		suite('bench', install),
	],
};
