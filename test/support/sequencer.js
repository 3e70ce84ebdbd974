const { default: Sequencer } = require('@jest/test-sequencer');

const suiteOf = ({ context }) => context.config.displayName.name;

/** Runs the suites without an n8n first, while the n8n of the others starts. */
module.exports = class extends Sequencer {
	sort(tests) {
		return super
			.sort(tests)
			.sort((a, b) => Number(suiteOf(a) === 'n8n') - Number(suiteOf(b) === 'n8n'));
	}
};
