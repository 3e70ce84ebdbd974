/** What goes to a subscriber. */
export interface Parcel {
	url: string;
	body: string;
	/** Undefined sends none. */
	signature: string | undefined;
}

/** How a POST ended: with a status, or without one and for a reason. */
export interface Reply {
	status: number | null;
	error: string | null;
	durationMs: number;
}

/** So much of an answer is read to keep the connection; of a longer one the connection is closed. */
const ANSWER_LIMIT = 64 * 1024;

/** Posts to a subscriber. Never throws: whatever goes wrong is a reply without a status. */
export async function post(parcel: Parcel, signal: AbortSignal): Promise<Reply> {
	const begun = performance.now();
	const ended = (reply: Omit<Reply, 'durationMs'>): Reply => ({
		...reply,
		durationMs: Math.round(performance.now() - begun),
	});
	try {
		const response = await fetch(parcel.url, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'User-Agent': 'partner-payments-sandbox',
				...(parcel.signature === undefined ? {} : { 'X-Signature': parcel.signature }),
			},
			body: parcel.body,
			// A redirect is no 2xx: following it would turn the POST into a GET.
			redirect: 'manual',
			signal,
		});
		await readAway(response);
		return ended({ status: response.status, error: null });
	} catch (error) {
		return ended({ status: null, error: reason(error) });
	}
}

/** The status has said everything: a body that breaks off changes nothing. */
async function readAway({ body }: Response): Promise<void> {
	const reader = body?.getReader();
	if (reader === undefined) return;
	try {
		let length = 0;
		while (length <= ANSWER_LIMIT) {
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
