const { projects } = require('./jest.config');

/** The unit suite alone: Stryker works with one project, and tests that read no product code only cost time. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	testPathIgnorePatterns: [
		'/node_modules/',
		'/unit/docs.test.ts',
		'/unit/metadata.test.ts',
		'/unit/package.test.ts',
	],
};
