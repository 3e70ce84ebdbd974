/**
 * Mutation testing of what must not be wrong: money, dates, the classification of answers, retries,
 * the rate limiter, signatures, events and paying once. Run by `npm run test:mutation`.
 */
export default {
	mutate: [
		'nodes/PartnerPayments/shared/{money,dates}.ts',
		'nodes/PartnerPayments/service/http/{adaptiveThrottle,classify,errors,rateLimiter,redact,retryPolicy,sendWithRetries}.ts',
		'nodes/PartnerPayments/ledger/requestLock.ts',
		'nodes/PartnerPayments/trigger/{deduplicator,eventParsing,signature}.ts',
	],
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
	reporters: ['clear-text', 'progress', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, skipFull: false },
	jsonReporter: { fileName: 'coverage/mutation.json' },
	thresholds: { high: 98, low: 95, break: 95 },
};
