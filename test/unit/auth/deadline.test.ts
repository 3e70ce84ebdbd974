import type { IHttpRequestOptions } from 'n8n-workflow';

import { sendAuthenticated } from '../../../nodes/PartnerPayments/api/auth/authenticatedRequest';
import type { Idempotency } from '../../../nodes/PartnerPayments/api/http/message';
import { rejectionOf, sessionIn } from '../support';

let stop: AbortController;
let deadline: AbortController;

beforeEach(() => {
	stop = new AbortController();
	deadline = new AbortController();
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
function send(idempotency: Idempotency) {
	const n8n = {
		getExecutionCancelSignal: () => stop.signal,
		helpers: {
			async httpRequestWithAuthentication(this: { getExecutionCancelSignal: () => AbortSignal }) {
				return await neverAnswered(this.getExecutionCancelSignal());
			},
		},
	};

	const request = { method: 'POST', path: '/x', task: 'do it', idempotency } as const;

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

describe('a renewal of the token that comes to no end', () => {
	/** Sends a funding whose token is refused; `renewing` resolves once n8n is asked to renew it. */
	const sendRefused = () => {
		let begin = (): void => undefined;
		const renewing = new Promise<void>((resolve) => (begin = resolve));
		const sent: unknown[] = [];
		const n8n = {
			getNode: () => ({ credentials: { partnerPaymentsApi: { id: String(Math.random()) } } }),
			getExecutionCancelSignal: () => stop.signal,
			helpers: {
				async httpRequestWithAuthentication(_: string, { method }: IHttpRequestOptions) {
					sent.push(method);
					if (method === 'POST') {
						return await Promise.resolve({ statusCode: 401, body: '{}', headers: {} });
					}

					begin();

					return await new Promise(() => undefined);
				},
			},
		};

		const request = {
			method: 'POST',
			path: '/funding',
			task: 'do it',
			idempotency: 'nonIdempotent',
		} as const;

		return { result: sendAuthenticated(sessionIn(n8n), request), renewing, sent };
	};

	test('leaves the request refused, and it is not sent again', async () => {
		const { result, renewing, sent } = sendRefused();

		await renewing;
		deadline.abort();

		expect(await result).toMatchObject({ status: 401 });
		expect(sent).toEqual(['POST', 'GET']);
	});

	test('ends with the execution, which sends nothing more', async () => {
		const { result, renewing, sent } = sendRefused();

		await renewing;
		stop.abort();

		const error = await rejectionOf(result);

		expect(error).toMatchObject({ outcome: 'notSent' });
		expect(sent).toEqual(['POST', 'GET']);
	});
});
