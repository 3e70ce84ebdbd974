const { join } = require('node:path');
const { register } = require('tsx/cjs/api');

// Stryker loads this file as it is, and from beside the copy of the project that it mutates.
const unregister = register();
const { default: Environment, unloadEngine } = require(
	join(process.cwd(), 'test/support/environment.ts'),
);
unregister();

/**
 * The environment of a test file in mutation testing. The built node runs outside of what Jest makes anew
 * for each file, where Stryker does not switch its mutants: so this does.
 */
module.exports = class extends Environment {
	async setup() {
		await super.setup();

		// What Stryker and the mutated code share: which mutant is active, and which ones have run.
		globalThis.__stryker__ ??= this.global.__stryker__ ?? {};
		this.mutation = globalThis.__stryker__;

		const next = process.env.__STRYKER_ACTIVE_MUTANT__;
		this.mutation.activeMutant = next;
		if (next !== this.mutation.triedMutant) {
			this.mutation.triedMutant = next;
			this.mutation.isKilled = false;
			// A mutant may be in what runs once, when the code is loaded.
			unloadEngine();
		}
	}

	handleTestEvent(event) {
		super.handleTestEvent(event);
		if (this.mutation.triedMutant === undefined) {
			return;
		}

		if (event.name === 'test_done' && event.test.errors.length > 0) {
			this.mutation.isKilled = true;
		}

		// A test has noticed the mutant: then no other one needs to run.
		if (event.name === 'test_start' && this.mutation.isKilled) {
			event.test.mode = 'skip';
		}
	}
};
