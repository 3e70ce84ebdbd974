const { projects } = require('./jest.config');

const { testMatch: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit');

/** The unit tests of one area of mutation testing; stryker.config.mjs names them. */
module.exports = {
	...unit,
	testEnvironment: 'node',
	testRegex: `/unit/${process.env.MUTATION_TESTS}.*\\.test\\.ts$`,
};
