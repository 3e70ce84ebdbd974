const { projects } = require('./jest.config');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/**
 * The unit tests of one area (see stryker.config.mjs). Only the tests of a module's own folder count,
 * since a mutant of a constant is tried against all of them. Tests that read no product code are left
 * out in any case.
 */
module.exports = {
	...unit,
	roots: [`${unit.roots[0]}/${process.env.MUTATION_AREA ?? ''}`],
	testPathIgnorePatterns: [
		'/node_modules/',
		'/unit/docs.test.ts',
		'/unit/metadata.test.ts',
		'/unit/package.test.ts',
	],
};
