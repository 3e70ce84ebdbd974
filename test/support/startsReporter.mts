import { existsSync, readFileSync } from 'node:fs';
import type { AggregatedResult, Reporter, TestContext } from '@jest/reporters';

/** Prints how many tests passed and how often they started an n8n, and fails above what their command allows. */
export default class StartsReporter implements Pick<Reporter, 'onRunComplete' | 'getLastError'> {
	private error: Error | undefined;

	onRunComplete(_contexts: Set<TestContext>, results: AggregatedResult): void {
		const file = process.env['N8N_STARTS_FILE'] ?? '';
		const starts = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
		const most = Number(process.env['N8N_STARTS_MAX'] ?? Infinity);
		console.log(`n8n was started ${starts} times; at most ${most} are allowed.`);
		console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed`);
		if (starts > most) {
			this.error = new Error(`n8n was started ${starts} times, not ${most}.`);
		}
	}

	getLastError(): Error | undefined {
		return this.error;
	}
}
