import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import {
	byId,
	type Changes,
	executeOperation,
	funding,
	jsonOf,
	payable,
	sent,
	startScriptedService,
	waitedMs,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('an unclear answer', () => {
	const HTML_502: Answer = {
		status: 502,
		body: '<html><title>Bad Gateway</title></html>',
		type: 'text/html',
	};
	const answers: [name: string, answer: Answer][] = [
		['a 500', { status: 500, body: { message: 'Oops' } }],
		['an HTML 502', HTML_502],
		['a cut connection', 'cut'],
	];
	const empty: [name: string, answer: Answer][] = [
		['an empty 200', { body: '' }],
		['a 200 with an empty object', { body: {} }],
		[
			'a 200 nested beyond reading',
			{ body: '['.repeat(60_000) + ']'.repeat(60_000), type: 'application/json' },
		],
		['a 200 of HTML', { body: '<html><title>Hello</title></html>', type: 'text/html' }],
	];
	const invitation = { workspaceId, payeeEmail: 'ana@example.com' };
	const subscription = { workspaceId, url: 'https://h.example.com', events: ['payablePaid'] };
	const nonIdempotent: [operation: string, parameters: INodeParameters, answers: typeof answers][] =
		[
			['payable.create', payable(), [...answers, ...empty]],
			['funding.create', funding(), [...answers, ...empty]],
			['partner.invite', invitation, answers],
			['webhookSubscription.create', subscription, answers],
			['deposit.simulate', { workspaceId, amount: '1' }, answers],
		];
	const inDoubt = nonIdempotent.flatMap(([operation, parameters, all]) =>
		all.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(inDoubt)(
		'$name leaves $operation in doubt',
		async ({ operation, parameters, answer }) => {
			service.useScript(() => answer);
			const { items, error } = await executeOperation(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^In doubt whether the request to .* \[item 0\]$/),
					details: {
						hint: expect.stringMatching(/POST \/.* with \{/),
						in_doubt: true,
						...(typeof answer === 'object' && { status: answer.status ?? 200 }),
					},
				},
			]);
			expect(service.requests).toHaveLength(1);
		},
	);

	const repeatable = [
		['wallet.get', { workspaceId }],
		['workspace.get', { workspaceId }],
		['payable.approve', { payableId: 'p1' }],
		['funding.linkDeposit', { fundingId: 'f1', depositId: 'd1' }],
		['funding.getInvoicePdf', { fundingId: 'f1' }],
	] as const;
	const certain = repeatable.flatMap(([operation, parameters]) =>
		answers.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(certain)(
		'$name does not leave $operation in doubt',
		async ({ operation, parameters, answer }) => {
			service.useScript(() => answer);
			const { items } = await executeOperation(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^Could not .*, tried 5 times \[item 0\]$/),
					details: {
						hint: expect.stringMatching(/^[A-Z].*\.$/),
						in_doubt: false,
						...(typeof answer === 'object' && { status: answer.status }),
					},
				},
			]);
			expect(service.requests).toHaveLength(5);
		},
	);

	test.each(['wallet.get', 'workspace.get', 'deposit.getAll', 'workspace.getInviteLink'])(
		'an empty 200 to %s is an error',
		async (operation) => {
			service.useScript(() => ({ body: '' }));
			const { error } = await executeOperation(service, operation, { workspaceId });
			expect(error?.message).toMatch(/the service answered without .* \(status 200\) \[item 0\]$/);
		},
	);

	test('a server that is not there leaves nothing in doubt', async () => {
		service.useScript(() => ({ body: {} }));
		const credentials = { apiBaseUrl: 'http://localhost:1' };
		const { items } = await executeOperation(service, 'funding.create', funding(), {
			credentials,
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{
				error: expect.stringMatching(/localhost:1 cannot be reached.*tried 5 times \[item 0\]$/),
				details: { hint: expect.any(String), in_doubt: false },
			},
		]);
	});
});

describe('a request that fails at first', () => {
	const TOO_MANY: Answer = { status: 429, body: { message: 'Slow down' } };
	const asking = (seconds: string): Answer => ({
		...TOO_MANY,
		headers: { 'Retry-After': seconds },
	});
	const BROKEN: Answer = { status: 503, body: { message: 'Oops' } };
	const SUCCESS: Answer = { body: { id: 'p1' } };
	const SET_BEFORE: Answer = { status: 409, body: { message: 'It is approved already' } };
	const approval = { payableId: 'p1' };

	test.each<[operation: string, parameters: INodeParameters, before: Answer[]]>([
		['payable.create', payable(), [TOO_MANY, asking('0'), asking('30'), TOO_MANY]],
		['funding.create', funding(), [asking(new Date(Date.now() + 60_000).toUTCString())]],
		['payable.approve', approval, [BROKEN, 'cut', TOO_MANY, 'cut', BROKEN]],
		['workspace.get', { workspaceId }, ['cut', 'cut', 'cut', 'cut']],
	])('%s is sent again', async (operation, parameters, before) => {
		service.useScript((_, position) => before[position] ?? SUCCESS);
		const { items, error } = await executeOperation(service, operation, parameters);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
		const [first, ...others] = sent(service.requests);
		expect(others).toEqual(before.map(() => first));
		expect(service.tokensIssued).toBe(1);
	});

	test.each<[before: Answer]>([['cut'], [BROKEN]])(
		'an approval that is refused after %j is done: the state is set already',
		async (before) => {
			service.useScript((_, position) => (position === 0 ? before : SET_BEFORE));
			const { items, error } = await executeOperation(service, 'payable.approve', approval);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
			expect(service.requests).toHaveLength(2);
		},
	);

	test('an approval that is refused at its first attempt is not done', async () => {
		service.useScript(() => SET_BEFORE);
		const { error } = await executeOperation(service, 'payable.approve', approval);
		expect(error?.message).toContain('"It is approved already" (status 409)');
		expect(service.requests).toHaveLength(1);
	});

	test('a service that blocks the account for hours is asked no more, and the error says for how long', async () => {
		service.useScript(() => asking('7200'));
		const { error } = await executeOperation(service, 'payable.create', payable());
		expect(error?.message).toMatch(/120 minutes \[item 0\]$/);
		expect(service.requests).toHaveLength(1);
	});

	test('a download of an invoice is repeated', async () => {
		const pdf: Answer = { body: Buffer.from('%PDF-1.7'), type: 'application/pdf' };
		const answers: Answer[] = [{ body: { pdf_url: `${service.url}/f1.pdf` } }, 'cut', BROKEN, pdf];
		service.useScript((_, position) => answers[position] ?? 'cut');
		const parameters = { fundingId: 'f1', download: true };
		const { items, error } = await executeOperation(service, 'funding.getInvoicePdf', parameters);
		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
		expect(service.requests).toHaveLength(4);
	});
});

test('an execution that is stopped sends nothing more', async () => {
	const controller = new AbortController();
	service.useScript((_, position) => {
		if (position === 2) controller.abort();
		return { status: 429, body: '' };
	});
	const { items } = await executeOperation(service, 'payable.create', payable(), {
		signal: controller.signal,
	});
	expect(items).toEqual([]);
	expect(service.requests).toHaveLength(3);
});

describe('the limit of an account', () => {
	/** How many windows the node has waited for approvals of an account with three slots in each. */
	const windowsWaited = async (count: number, changes: Changes): Promise<number> => {
		const before = waitedMs();
		const { error } = await executeOperation(
			service,
			'payable.approve',
			{ payableId: 'p1' },
			{
				...changes,
				items: Array.from({ length: count }, () => ({})),
				credentials: { requestsPerMinute: 3, rateWindowSeconds: 1000, ...changes.credentials },
			},
		);
		expect(error).toBeUndefined();
		return Math.floor((waitedMs() - before) / 1_000_000);
	};

	test('is kept', async () => {
		service.useScript(() => ({ body: '' }));
		expect(await windowsWaited(3, {})).toBe(0);
		expect(await windowsWaited(4, {})).toBeGreaterThanOrEqual(1);
		expect(await windowsWaited(9, {})).toBeGreaterThanOrEqual(2);
	});

	test('is kept by all executions together', async () => {
		service.useScript(() => ({ body: '' }));
		const credentials = { clientId: 'shared-client' };
		const before = waitedMs();
		await Promise.all([windowsWaited(2, { credentials }), windowsWaited(2, { credentials })]);
		expect(waitedMs() - before).toBeGreaterThanOrEqual(1_000_000);
	});

	test('is not used up by a credential of the same client with another secret', async () => {
		service.useScript(() => ({ body: '' }));
		const clientId = 'client-of-two';
		const stranger = { clientId, clientSecret: 'another-secret', requestsPerMinute: 1 };
		expect(await windowsWaited(1, { credentials: stranger })).toBe(0);
		expect(await windowsWaited(3, { credentials: { clientId } })).toBe(0);
	});
});

describe('an answer that comes to no end', () => {
	/** The time that a request may take, shortened. */
	beforeEach(() => {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test('a funding whose answer comes to no end is in doubt, and is not sent again', async () => {
		service.useScript(() => 'endless');
		const { error } = await executeOperation(service, 'funding.create', funding());
		expect(error?.message).toMatch(/^In doubt whether .*: no answer came in time \[item 0\]$/);
		expect(service.requests).toHaveLength(1);
	});

	test('an approval whose answer comes to no end is asked for again, and given up', async () => {
		service.useScript(() => 'endless');
		const { error } = await executeOperation(service, 'payable.approve', { payableId: 'p1' });
		expect(error?.message).toMatch(/no answer came in time, tried 5 times \[item 0\]$/);
	});

	test('a token whose answer comes to no end is given up', async () => {
		service.useScript(() => ({ body: {} }));
		service.tokenAnswer = 'endless';
		const { error } = await executeOperation(service, 'payable.approve', { payableId: 'p1' });
		expect(error?.message).toMatch(/^No access token: .* cannot be reached/);
		expect(service.requests).toEqual([]);
	});
});
