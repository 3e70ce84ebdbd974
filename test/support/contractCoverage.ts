import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

import type { Sandbox } from '../../sandbox/client';
import { ROOT } from '../../tools/n8n/paths';

/**
 * Adds what the sandbox was asked to the file that `CONTRACT_COVERAGE` names, and does nothing without
 * that. A test may clear the log of the sandbox, so this is for after each test.
 *
 * @param file the path of the test file
 */
export async function recordCoverage(
	{ control }: { control: Pick<Sandbox['control'], 'requests'> },
	file: string,
): Promise<void> {
	const records = process.env['CONTRACT_COVERAGE'];
	if (records === undefined) return;
	const asked = (await control.requests()).map(({ operationId }) => operationId);
	const operationIds = [...new Set(asked)].filter((id) => id !== null).sort();
	const record = { file: relative(ROOT, file), operationIds };
	// One write, which other test files that run at the same time do not break up.
	appendFileSync(records, `${JSON.stringify(record)}\n`);
}
