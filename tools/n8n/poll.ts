import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 50;
const TIMEOUT_MS = 120_000;

/** Asks again and again until there is an answer; an error ends the waiting at once. */
export async function poll<Answer>(
	what: string,
	ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
	const deadline = Date.now() + TIMEOUT_MS;
	while (Date.now() < deadline) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		await delay(INTERVAL_MS);
	}
	throw new Error(`Waited ${TIMEOUT_MS / 1000} s for ${what}, in vain`);
}
