import { sendAuthenticated } from '../../../nodes/PartnerPayments/api/auth/authenticatedRequest';
import type { N8nFunctions } from '../../../nodes/PartnerPayments/api/auth/credentials';
import type { Semantics } from '../../../nodes/PartnerPayments/api/http/message';

/** Time that only a test lets pass. */
const deadlines: Array<{ afterMs: number; controller: AbortController }> = [];

beforeEach(() => {
	deadlines.length = 0;
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((afterMs) => {
		const controller = new AbortController();
		deadlines.push({ afterMs, controller });
		return controller.signal;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** A service whose answer never ends, as n8n's HTTP client sees it: only a signal ends the request. */
const neverAnswered = async (signal: unknown): Promise<never> =>
	await new Promise((_, reject) => {
		if (!(signal instanceof AbortSignal)) return;
		signal.addEventListener('abort', () => {
			reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		});
	});

const stop = new AbortController();

/** Sends a request in a context of n8n, which asks that context for the signal that ends it. */
function send(semantics: Semantics, context: object) {
	const n8n = {
		...context,
		helpers: {
			async httpRequestWithAuthentication(this: { getExecutionCancelSignal: () => unknown }) {
				return await neverAnswered(this.getExecutionCancelSignal());
			},
		},
	} as unknown as N8nFunctions;
	const session = { n8n, credentialType: 'test', credentials: {}, root: 'https://api.example.com' };
	return sendAuthenticated(session, { method: 'POST', path: '/x', task: 'do it', semantics });
}

const IN_EXECUTION = { getExecutionCancelSignal: () => stop.signal };

test('an execution that is stopped gives up what changes nothing, and nothing else', async () => {
	const funding = send('nonIdempotent', IN_EXECUTION);
	const list = send('safe', IN_EXECUTION);
	stop.abort();
	expect(await list).toMatchObject({ failure: { neverSent: false } });
	expect(await Promise.race([funding, Promise.resolve('under way')])).toBe('under way');
	for (const { controller } of deadlines) controller.abort();
	await funding;
});
