/** The folders under test/unit, and the modules that their tests have to protect. */
const AREAS = {
	shared: ['shared/{dates,money}.ts'],
	http: [
		'service/http/{adaptiveThrottle,classify,errors,networkFailure,rateLimiter}.ts',
		'service/http/{redact,retryPolicy,sendWithRetries,serviceMessage}.ts',
	],
	ledger: ['ledger/requestLock.ts'],
	trigger: ['trigger/{deduplicator,encryption,eventParsing,signature}.ts'],
};

/** The area to test, as scripts/mutation.ts sets it for each; `npx stryker run` alone tests all. */
const area = process.env.MUTATION_AREA;

/**
 * Mutation testing of what must not be wrong: money, dates, the classification of answers, retries,
 * the rate limiter, redaction, signatures, events and paying once. docs/mutation-testing.md tells more.
 */
export default {
	mutate: (area === undefined ? Object.values(AREAS).flat() : AREAS[area]).map(
		(module) => `nodes/PartnerPayments/${module}`,
	),
	ignorePatterns: [
		'/*',
		'!/credentials',
		'!/jest*.js',
		'!/nodes',
		'!/test',
		'/test/*',
		'!/test/unit',
	],
	tempDirName: 'test/.mutants',
	cleanTempDir: 'always',
	testRunner: 'jest',
	jest: { configFile: 'jest.mutation.config.js' },
	coverageAnalysis: 'perTest',
	concurrency: 1,
	// A mutant may wait for ever; another may only be slow on a busy machine.
	timeoutMS: 10_000,
	reporters: ['progress', 'json'],
	jsonReporter: { fileName: `coverage/mutation-${area ?? 'all'}.json` },
	// scripts/mutation.ts looks at each file by itself.
	thresholds: { high: 98, low: 95, break: null },
};
