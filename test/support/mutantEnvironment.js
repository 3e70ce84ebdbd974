const { register } = require('tsx/cjs/api');

const unregister = register();
const { default: Environment, unloadEngine } = require('./environment.ts');
unregister();

let activeMutant;
let isKilled = false;

/**
 * The environment of a test file in mutation testing. The built node runs outside of what Jest makes anew
 * for each file, where Stryker does not switch its mutants: so this does. Stryker loads this file as it is.
 */
module.exports = class extends Environment {
	/** Whether a test has noticed the active mutant: then nothing else needs to run. */
	static isMutantKilled = () => isKilled;

	async setup() {
		await super.setup();

		// What Stryker and the mutated code share: which mutant is active, and which ones have run.
		globalThis.__stryker__ ??= this.global.__stryker__ ?? {};

		const next = process.env.__STRYKER_ACTIVE_MUTANT__;
		globalThis.__stryker__.activeMutant = next;
		if (next !== activeMutant) {
			activeMutant = next;
			isKilled = false;
			// A mutant may be in what runs once, when the code is loaded.
			unloadEngine();
		}
	}

	handleTestEvent(event) {
		super.handleTestEvent(event);
		if (activeMutant === undefined) {
			return;
		}

		if (event.name === 'test_done' && event.test.errors.length > 0) {
			isKilled = true;
		}

		if (event.name === 'test_start' && isKilled) {
			event.test.mode = 'skip';
		}
	}
};
