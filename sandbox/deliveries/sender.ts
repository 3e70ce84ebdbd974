import { headersOf, type DeliveryRequest } from './requests';

/** What each delivery calls itself, whatever the settings say; the control API takes nothing from it. */
export const DELIVERY_AGENT = 'partner-payments-sandbox';

/** How a POST ended: with a status, or without one and for a reason. */
export interface AttemptResult {
	status: number | null;
	error: string | null;
	durationMs: number;
	/** The body of the answer, cut off when it is long; null when it has none. */
	answer: string | null;
}

const LONGEST_ANSWER = 2_000;

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
			headers: ownHeaders(request),
			body: request.body,
			// A redirect is no 2xx: following it would turn the POST into a GET.
			redirect: 'manual',
			signal,
		});

		// Read, so that the connection can be used again. One that breaks off changes nothing.
		const answer = await response.text().catch(() => '');
		return resultOf({
			status: response.status,
			error: null,
			answer: answer === '' ? null : answer.slice(0, LONGEST_ANSWER),
		});
	} catch (error) {
		return resultOf({ status: null, error: reason(error), answer: null });
	}
}

/** One value for each name, whichever header the settings have the signature in. */
function ownHeaders(request: DeliveryRequest): Headers {
	const headers = new Headers();
	for (const [name, value] of Object.entries(headersOf(request))) {
		headers.set(name, value);
	}

	headers.set('User-Agent', DELIVERY_AGENT);
	return headers;
}

function reason(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	const { cause } = error;
	if (!(cause instanceof Error)) {
		return error.message;
	}

	return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
