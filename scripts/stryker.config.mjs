import { createRequire } from 'node:module';

/**
 * The modules to mutate, and the tests that have to notice. A mutant of a constant is tried against
 * all of these tests, so an area has few that belong together. Stryker runs a test again by its name,
 * so a name has no time and nothing random in it.
 */
const AREAS = {
	amounts: { modules: 'shared/{dates,money}.ts', tests: 'unit/shared/' },
	messages: {
		modules: 'api/http/{networkFailure,redact,serviceMessage}.ts',
		tests: 'unit/http/(networkFailure|redact|serviceMessage)',
	},
	retries: {
		modules: 'api/http/{outcome,errors,retryableRequest}.ts',
		tests: 'unit/http/(outcome|errors|retryableRequest)',
	},
	pacing: {
		modules: 'api/http/rateLimiter.ts',
		tests: 'unit/http/rateLimiter',
	},
	claims: {
		modules:
			'ledger/protocol/{claimStarter,fundingClaim,ownRows,ledgerProtocol,paymentReader,paymentRows}.ts',
		tests: 'unit/ledger/(claims|paymentRows|projectLedger|runs)|engine/ledger',
	},
	rows: {
		modules: 'ledger/protocol/{classifyRows,rowStates,attention}.ts',
		tests: 'unit/ledger/(classifyRows|depositLink|payment|projectLedger|records|rowStates|runs)',
	},
	rules: {
		modules:
			'ledger/{payment,protocol/{ruleChecker,possibleDuplicates,sameInvoiceDate,invoiceRows,likeness,vendorHistory,vendorNumbers,vendorRhythm,newPayees}}.ts',
		tests:
			'unit/ledger/(conflicts|declinedDuplicates|duplicatesByNumber|newPayees|payment|possibleDuplicates|projectLedger|ruleChecker|sameInvoiceDate|vendorHistory|vendorRhythm)|engine/(declinedPayouts|hints|invoiceDates|ledger|limits|newPayees|oldInvoiceNumbers|payouts|possibleDuplicates|sentInVain|unusualAmounts|vendorHistory|waitingPayouts)',
	},
	records: {
		modules: 'ledger/protocol/records.ts',
		tests: 'unit/ledger/(paidEvents|records|sentAfterHeld)',
	},
	numbers: {
		modules:
			'{shared/{distinctNumbers,invoice*,mistypedNumbers,numberSeries,typedNumbers},ledger/protocol/invoiceOrder}.ts',
		tests:
			'unit/(ledger/invoiceOrder|shared/(distinctNumbers|invoice|mistypedNumbers|numberSeries))',
	},
	links: {
		modules: '{ledger/protocol/depositLink,resources/funding/sendLink}.ts',
		tests:
			'engine/(depositLinks|fundingOutcomes|fundings|invoices|resolutions)|unit/ledger/(depositLink|records)',
	},
	places: {
		modules: 'ledger/{findLedger,usedTable,table/subWorkflow}.ts',
		tests: 'unit/ledger/(findLedger|subWorkflow|usedTable)',
	},
	payouts: {
		modules:
			'resources/{payout/{fundingRun,pay,prepare,storeLeftovers,batches,payout},funding/sendFunding}.ts',
		tests: 'unit/payout/',
	},
	trigger: {
		modules: 'trigger/{deduplicator,eventParsing,signature}.ts',
		tests: 'unit/trigger/',
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
		'!/test/engine',
		'!/test/support',
		'!/test/unit',
		'!/tsconfig.json',
		'!/tsconfig.dev.json',
	],
	// The engine tests run the built node. What is mutated has other types.
	buildCommand: 'tsc --noCheck',
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
			roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
			testEnvironment: './test/support/mutantEnvironment.js',
			testRegex: `/test/(${tests}).*\\.test\\.ts$`,
			testSequencer: '@jest/test-sequencer',
			testRunner: './test/support/mutantRunner-jest-circus.js',
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
