import { sleep } from 'n8n-workflow';

const RETRY_PAUSES_MS = [50, 200, 800];

/**
 * Repeats a statement of n8n's database that fails, such as the first insert of two processes at once;
 * throws its last error.
 */
export async function withRetries<Result>(statement: () => Promise<Result>): Promise<Result> {
	for (const pauseMs of RETRY_PAUSES_MS) {
		try {
			return await statement();
		} catch {
			await sleep(pauseMs);
		}
	}
	return await statement();
}
