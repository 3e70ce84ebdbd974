const swc = {
	jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
	module: { type: 'commonjs' },
};

const suite = (name, more = {}) => ({
	displayName: name,
	rootDir: __dirname,
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.ts'],
	testEnvironment: 'node',
	transform: { '^.+\\.m?ts$': ['@swc/jest', swc] },
	...more,
});

module.exports = {
	testTimeout: 120_000,
	projects: [
		suite('unit'),
		suite('sandbox'),
		suite('engine'),
		suite('n8n', { globalSetup: '<rootDir>/test/n8n/install.ts' }),
	],
};
