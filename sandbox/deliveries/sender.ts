import type { DeliveryRequest } from './requests';

/** How a POST ended: with a status, or without one and for a reason. */
export interface AttemptResult {
	status: number | null;
	error: string | null;
	durationMs: number;
}

/** So much of an answer is read to keep the connection; of a longer one the connection is closed. */
const ANSWER_LIMIT_BYTES = 64 * 1024;

/** Posts to a subscriber. Never throws: whatever goes wrong is a result without a status. */
export async function postRequest(
	request: DeliveryRequest,
	signal: AbortSignal,
): Promise<AttemptResult> {
	const startedAt = performance.now();
	const resultOf = (outcome: Omit<AttemptResult, 'durationMs'>): AttemptResult => ({
		...outcome,
		durationMs: Math.round(performance.now() - startedAt),
	});
	try {
		const response = await fetch(request.url, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'User-Agent': 'partner-payments-sandbox',
				...request.signature,
			},
			body: request.body,
			// A redirect is no 2xx: following it would turn the POST into a GET.
			redirect: 'manual',
			signal,
		});
		await drain(response);
		return resultOf({ status: response.status, error: null });
	} catch (error) {
		return resultOf({ status: null, error: reason(error) });
	}
}

/** The status has said everything: a body that breaks off changes nothing. */
async function drain({ body }: Response): Promise<void> {
	const reader = body?.getReader();
	if (reader === undefined) return;
	try {
		let length = 0;
		while (length <= ANSWER_LIMIT_BYTES) {
			const { done, value } = await reader.read();
			if (done) return;
			length += value.length;
		}
		await reader.cancel();
	} catch {
		return;
	}
}

function reason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
