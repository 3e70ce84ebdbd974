import pWaitFor from 'p-wait-for';

/** A run that waits twice for an answer takes two minutes: n8n looks once a minute for waits that are over. */
export const TWO_WAITS = { timeoutMs: 180_000 };

/**
 * Asks repeatedly until there is an answer.
 *
 * @param what what is waited for, for the message of the timeout
 * @param ask returns undefined as long as there is no answer
 * @throws at once what `ask` throws, and an error after the timeout
 */
export async function poll<Answer>(
	what: string,
	ask: () => Answer | undefined | Promise<Answer | undefined>,
	{ intervalMs = 100, timeoutMs = 120_000 } = {},
): Promise<Answer> {
	return await pWaitFor<Answer>(
		async () => {
			const answer = await ask();
			return answer !== undefined && pWaitFor.resolveWith(answer);
		},
		{
			interval: intervalMs,
			timeout: { milliseconds: timeoutMs, message: `Waited ${timeoutMs / 1000} s for ${what}` },
		},
	);
}
