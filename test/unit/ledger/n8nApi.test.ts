import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { N8nApi, ScopeError } from '../../../nodes/PartnerPayments/ledger/table/n8nApi';

/** The error of a request that gets this answer, or fails with this. */
async function errorFor(answer: { status: number; body: unknown } | Error): Promise<unknown> {
	const api = new N8nApi(async () => {
		if (answer instanceof Error) {
			throw answer;
		}
		return await Promise.resolve(answer);
	}, 'n8n.example:5678');

	const request = { method: 'PATCH', path: '/data-tables/1/rows/update' } as const;
	const [result] = await Promise.allSettled([api.call(request), jest.runAllTimersAsync()]);
	return result.status === 'rejected' ? result.reason : undefined;
}

const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), {
	code: 'ECONNREFUSED',
});

describe('a request to the ledger of another n8n', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});

	afterEach(() => {
		jest.useRealTimers();
	});

	test.each([
		['a page that forbids it', { status: 403, body: '<html><title>Forbidden</title></html>' }],
		['an empty refusal', { status: 403, body: '' }],
		['a refusal in JSON of its own', { status: 403, body: { error: 'blocked by policy' } }],
		['a demand to sign in', { status: 407, body: '' }],
		['a demand to sign in that looks like one for a key', { status: 401, body: '<html></html>' }],
		['a page that it does not know', { status: 404, body: '<html></html>' }],
		['a gateway without a server', { status: 502, body: 'Bad Gateway' }],
		['a page that says all is well', { status: 200, body: '<html></html>' }],
		['no connection', refusedConnection],
	])('names the proxy when one answers: %s', async (_, answer) => {
		const error = await errorFor(answer);

		expect(error).toBeInstanceOf(LedgerError);
		expect(error).not.toBeInstanceOf(ScopeError);
		expect(error).toMatchObject({ hint: expect.stringContaining('NO_PROXY') as string });
	});

	test('names the scope when n8n itself forbids it', async () => {
		const error = await errorFor({ status: 403, body: { message: 'Forbidden' } });

		expect(error).toBeInstanceOf(ScopeError);
	});
});
