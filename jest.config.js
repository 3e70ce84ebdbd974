const swc = {
	jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
	module: { type: 'commonjs' },
};

// Published as ES modules only, and transformed like the sources for the tests, which are CommonJS.
const esModules = 'get-port|github-slugger|marked|p-timeout|p-wait-for';

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

module.exports = {
	testTimeout: 120_000,
	projects: [
		suite('unit'),
		suite('sandbox'),
		suite('engine'),
		suite('n8n', { globalSetup: '<rootDir>/test/n8n/support/install.ts' }),
		suite('versions', { globalSetup: '<rootDir>/test/versions/support/install.ts' }),
		suite('faults', { globalSetup: '<rootDir>/test/n8n/support/install.ts' }),
		suite('queue', { globalSetup: '<rootDir>/test/queue/support/setup.ts' }),
	],
};
