import { createRequire } from 'node:module';

/**
 * The modules to mutate, and the unit tests that have to notice. A mutant of a constant is tried against
 * all of these tests, so an area has few that belong together.
 */
const AREAS = {
	amounts: { modules: 'shared/{dates,money}.ts', tests: 'shared/' },
	messages: {
		modules: 'api/http/{networkFailure,redact,serviceMessage}.ts',
		tests: 'http/(networkFailure|redact|serviceMessage)',
	},
	retries: {
		modules: 'api/http/{outcome,errors,retryableRequest}.ts',
		tests: 'http/(outcome|errors|retryableRequest)',
	},
	pacing: {
		modules: 'api/http/rateLimiter.ts',
		tests: 'http/rateLimiter',
	},
	ledger: {
		modules: 'ledger/{findLedger,usedTable,payment,protocol/*,table/subWorkflow}.ts',
		// The orders take minutes, and load their own copy of the code.
		tests: 'ledger/(?!protocolOrders)',
	},
	trigger: {
		modules: 'trigger/{deduplicator,eventParsing,signature}.ts',
		tests: 'trigger/',
	},
};

const area = process.env.MUTATION_AREA;
if (!(area in AREAS)) {
	throw new Error(`MUTATION_AREA is one of ${Object.keys(AREAS).join(', ')}`);
}

const { modules, tests } = AREAS[area];

const { projects } = createRequire(import.meta.url)('../jest.config.js');
const { testMatch, rootDir, ...unit } = projects.find(({ displayName }) => displayName === 'unit');

/**
 * Mutation testing of what must not be wrong: money, dates, the classification of answers, retries,
 * the rate limiter, redaction, signatures, events and paying once. scripts/mutation.ts runs it for each
 * area; docs/contributing/mutation-testing.md tells more.
 */
export default {
	mutate: [`nodes/PartnerPayments/${modules}`],
	ignorePatterns: [
		'/*',
		'!/credentials',
		'!/jest.config.js',
		'!/nodes',
		'!/test',
		'/test/*',
		'!/test/support',
		'!/test/unit',
	],
	tempDirName: 'test/.mutants',
	cleanTempDir: 'always',
	testRunner: 'jest',
	jest: {
		// The area says which tests run: Jest does not find those that import a file called .node.ts.
		enableFindRelatedTests: false,
		// Replaces parts of the copy of jest.config.js beside the mutated code.
		config: {
			...unit,
			projects: [],
			testEnvironment: 'node',
			testRegex: `/unit/${tests}.*\\.test\\.ts$`,
			testSequencer: '@jest/test-sequencer',
			testTimeout: 5_000,
		},
	},
	coverageAnalysis: 'perTest',
	concurrency: 1,
	// Ends a mutant that waits forever, and not one that is only slow on a busy machine.
	timeoutMS: 10_000,
	reporters: ['progress', 'clear-text', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
	jsonReporter: { fileName: `coverage/mutation-${area}.json` },
	// scripts/mutation.ts looks at each file by itself.
	thresholds: { high: 98, low: 95, break: null },
};
