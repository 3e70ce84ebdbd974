import type { AggregatedResult, Reporter, TestContext } from '@jest/reporters';
import Table from 'cli-table3';

/** Prints one row for each test, with its result in each version; a row that lacks one fails. */
export default class TableReporter implements Pick<Reporter, 'onRunComplete' | 'getLastError'> {
	private error: Error | undefined;

	onRunComplete(_: Set<TestContext>, { testResults }: AggregatedResult): void {
		const rows = new Map<string, Map<string, string>>();
		const versions = new Set<string>();
		for (const { ancestorTitles, title, status } of testResults.flatMap(
			(file) => file.testResults,
		)) {
			const [version = '', ...groups] = ancestorTitles;
			const name = [...groups, title].join(': ');
			const row = rows.get(name) ?? new Map<string, string>();
			versions.add(version);
			rows.set(name, row.set(version, status));
		}
		const table = new Table({
			head: ['', ...versions],
			style: { head: [], border: [], compact: true },
		});
		for (const [name, row] of rows) {
			table.push([name, ...[...versions].map((version) => row.get(version) ?? 'missing')]);
		}
		console.log(table.toString());
		const incomplete = [...rows].filter(([, row]) => row.size < versions.size);
		if (versions.size < 2 || incomplete.length > 0) {
			this.error = new Error('Not every test ran in every version.');
		}
	}

	getLastError(): Error | undefined {
		return this.error;
	}
}
