import { sendAuthenticated } from '../../../nodes/PartnerPayments/api/auth/authenticatedRequest';
import type { Semantics } from '../../../nodes/PartnerPayments/api/http/message';
import { sessionIn } from '../support';

const stop = new AbortController();
const deadline = new AbortController();

beforeEach(() => {
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** A service whose answer never ends, as n8n's HTTP client sees it: only a signal ends the request. */
const neverAnswered = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_, reject) => {
		signal.addEventListener('abort', () => {
			reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		});
	});

/** Sends a request in an execution of n8n, which asks its context for the signal that ends it. */
function send(semantics: Semantics) {
	const n8n = {
		getExecutionCancelSignal: () => stop.signal,
		helpers: {
			async httpRequestWithAuthentication(this: { getExecutionCancelSignal: () => AbortSignal }) {
				return await neverAnswered(this.getExecutionCancelSignal());
			},
		},
	};
	const request = { method: 'POST', path: '/x', task: 'do it', semantics } as const;
	return sendAuthenticated(sessionIn(n8n), request);
}

test('an execution that is stopped gives up what changes nothing, and nothing else', async () => {
	const funding = send('nonIdempotent');
	const list = send('safe');
	stop.abort();
	expect(await list).toMatchObject({ failure: { neverSent: false } });
	expect(await Promise.race([funding, Promise.resolve('under way')])).toBe('under way');
	deadline.abort();
	expect(await funding).toMatchObject({ failure: { neverSent: false } });
});
