const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest files, which begin first; Jest knows how long each takes only from an earlier run. */
const LONGEST = [
	'fromRows.test.ts',
	'askedInSlack.test.ts',
	'byMail.test.ts',
	'fromRecords.test.ts',
];

/** Suites without an n8n come before the one that shares it, while that n8n starts. */
const LAST_SUITE = 'n8n';

function placeOf({ path, context }) {
	const rank = LONGEST.indexOf(basename(path));
	if (rank !== -1) {
		return rank;
	}

	return context.config.displayName.name === LAST_SUITE ? LONGEST.length + 1 : LONGEST.length;
}

module.exports = class extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
	}
};
