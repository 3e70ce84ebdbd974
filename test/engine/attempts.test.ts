import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import {
	byId,
	type Changes,
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
	const BROKEN: Answer = { status: 500, body: { message: 'Oops' } };
	const TRUNCATED: Answer = { body: { id: 'f1' }, transfer: 'truncated' };
	const UNREADABLE: Answer[] = [
		{ body: '' },
		{ body: {} },
		{ body: '['.repeat(60_000) + ']'.repeat(60_000), type: 'application/json' },
		{ body: '<html><title>Hello</title></html>', type: 'text/html' },
	];

	const invitation = { workspaceId, payeeEmail: 'ana@example.com' };
	const subscription = { workspaceId, url: 'https://h.example.com', events: ['payablePaid'] };

	/** What one item becomes, without the text that says how it ended. */
	const failedItem = (answer: Answer, error: RegExp, hint: RegExp, inDoubt: boolean) => ({
		error: expect.stringMatching(error),
		details: {
			hint: expect.stringMatching(hint),
			unconfirmed: inDoubt,
			...(typeof answer === 'object' &&
				answer.transfer === undefined && { status: answer.status ?? 200 }),
		},
	});

	const outputFor = async (operation: string, parameters: INodeParameters, answer: Answer) => {
		service.useScript(() => answer);
		const changes: Changes = { onError: 'continueRegularOutput' };

		return jsonOf((await service.execute(operation, parameters, changes)).items);
	};

	test.each<[operation: string, parameters: INodeParameters, answers: Answer[]]>([
		['payable.create', payable(), [BROKEN, 'cut', TRUNCATED, ...UNREADABLE]],
		['funding.create', funding(), [BROKEN, 'cut', TRUNCATED, ...UNREADABLE]],
		['partner.invite', invitation, [BROKEN]],
		['webhookSubscription.create', subscription, [BROKEN]],
		['deposit.simulate', { workspaceId, amount: '1' }, [BROKEN]],
		// A refusal of its repetition would say nothing of the first one.
		['funding.linkDeposit', { fundingId: 'f1', depositId: 'd1' }, [BROKEN, 'cut']],
	])('leaves %s unconfirmed #creation-in-doubt', async (operation, parameters, answers) => {
		for (const answer of answers) {
			const doubt = /^Unconfirmed whether the request to .* \[item 0\]$/;

			expect(await outputFor(operation, parameters, answer)).toEqual([
				failedItem(answer, doubt, /POST \/.* with \{/, true),
			]);
			expect(service.requests).toHaveLength(1);
		}
	});

	test.each<[operation: string, parameters: INodeParameters, answer: Answer]>([
		['wallet.get', { workspaceId }, 'cut'],
		['workspace.get', { workspaceId }, BROKEN],
		['payable.approve', { payableId: 'p1' }, BROKEN],
		['funding.getInvoicePdf', { fundingId: 'f1' }, BROKEN],
	])('does not leave %s unconfirmed', async (operation, parameters, answer) => {
		expect(await outputFor(operation, parameters, answer)).toEqual([
			failedItem(answer, /^Could not .*, tried 5 times \[item 0\]$/, /^[A-Z].*\.$/, false),
		]);
		expect(service.requests).toHaveLength(5);
	});

	test.each(['wallet.get', 'workspace.get', 'deposit.getAll', 'workspace.getInviteLink'])(
		'that is empty is an error of %s',
		async (operation) => {
			service.useScript(() => ({ body: '' }));

			const { error } = await service.execute(operation, { workspaceId });

			expect(error?.message).toMatch(/the service answered without .* \(status 200\) \[item 0\]$/);
		},
	);
});

describe('a request that fails at first', () => {
	const TOO_MANY: Answer = { status: 429, body: { message: 'Slow down' } };
	const asking = (seconds: string): Answer => ({
		...TOO_MANY,
		headers: { 'Retry-After': seconds },
	});

	const BROKEN: Answer = { status: 503, body: { message: 'Oops' } };
	const SUCCESS: Answer = { body: { id: 'p1' } };

	test.each<[operation: string, parameters: INodeParameters, before: Answer[]]>([
		['payable.create', payable(), [TOO_MANY, asking('0'), asking('30'), TOO_MANY]],
		['funding.create', funding(), [asking(new Date(Date.now() + 60_000).toUTCString())]],
	])('%s is sent again #too-many-requests', async (operation, parameters, before) => {
		service.useScript((_, position) => before[position] ?? SUCCESS);

		const { items, error } = await service.execute(operation, parameters);

		const [first, ...others] = sent(service.requests);

		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
		expect(others).toEqual(before.map(() => first));
		expect(service.tokensIssued).toBe(1);
	});

	test('a download of an invoice is repeated', async () => {
		const pdf: Answer = { body: Buffer.from('%PDF-1.7'), type: 'application/pdf' };
		const answers: Answer[] = [{ body: { pdf_url: `${service.url}/f1.pdf` } }, 'cut', BROKEN, pdf];
		service.useScript((_, position) => answers[position] ?? 'cut');
		const parameters = { fundingId: 'f1', download: true };

		const { items, error } = await service.execute('funding.getInvoicePdf', parameters);

		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
		expect(service.requests).toHaveLength(4);
	});
});

test('an execution that is stopped sends nothing more', async () => {
	const controller = new AbortController();
	service.useScript((_, position) => {
		if (position === 2) {
			controller.abort();
		}

		return { status: 429, body: '' };
	});

	const { items } = await service.execute('payable.create', payable(), {
		signal: controller.signal,
	});

	expect(items).toEqual([]);
	expect(service.requests).toHaveLength(3);
});

describe('the limit of an account', () => {
	/** Rounded, since the real time of the test is a part of what has to pass. */
	const windowsSince = (before: number): number => Math.round((waitedMs() - before) / 1_000_000);

	/** Approves `count` payables with an account that has three slots per window; returns the run's hints. */
	const approve = async (count: number, changes: Changes): Promise<string[]> => {
		const { error, hints } = await service.execute(
			'payable.approve',
			{ payableId: 'p1' },
			{
				...changes,
				items: Array.from({ length: count }, () => ({})),
				credentials: { requestsPerMinute: 3, rateWindowSeconds: 1000, ...changes.credentials },
			},
		);

		expect(error).toBeUndefined();

		return hints;
	};

	test('is kept by all executions together, which say that they waited', async () => {
		service.useScript(() => ({ body: '' }));
		const credentials = { clientId: 'shared-client' };
		const before = waitedMs();

		const hints = await Promise.all([approve(2, { credentials }), approve(2, { credentials })]);

		expect(windowsSince(before)).toBeGreaterThanOrEqual(1);
		expect(hints.flat()).toContainEqual(expect.stringMatching(/^This run waited \d+ s/));
	});

	test('is not used up by a credential of the same client with another secret', async () => {
		service.useScript(() => ({ body: '' }));
		const clientId = 'client-of-two';
		const stranger = { clientId, clientSecret: 'another-secret', requestsPerMinute: 1 };
		const before = waitedMs();

		await approve(1, { credentials: stranger });
		await approve(3, { credentials: { clientId } });

		expect(windowsSince(before)).toBe(0);
	});
});

describe('an answer that comes to no end', () => {
	/** How long each request may take, with what ends it. */
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

	/** Answers without an end, and lets a deadline of the request come. */
	const endlessUntil = (deadline: number) => (): Answer => {
		setImmediate(() => {
			deadlines.find(({ afterMs }) => afterMs === deadline)?.controller.abort();
		});
		return 'endless';
	};

	test('to a funding that comes bit by bit counts', async () => {
		service.useScript(() => ({ body: { id: 'f1' }, transfer: 'dripping' }));

		const { items } = await service.execute('funding.create', funding());

		expect(jsonOf(items)).toMatchObject([{ id: 'f1' }]);
		expect(service.requests).toHaveLength(1);
	});

	test('to a funding is given up, which is unconfirmed then and is not sent again', async () => {
		service.useScript(endlessUntil(150_000));

		const { error } = await service.execute('funding.create', funding());

		expect(error?.message).toMatch(/^Unconfirmed whether .*: no answer came in time \[item 0\]$/);
		expect(service.requests).toHaveLength(1);
		expect(deadlines.map(({ afterMs }) => afterMs)).toEqual([150_000, 30_000]);
	});

	test('to a request for a token is given up, so that no run waits for it forever', async () => {
		service.answerToken = endlessUntil(30_000);

		const { error } = await service.execute('payable.approve', { payableId: 'p1' });

		expect(error?.message).toMatch(/^No access token: .* cannot be reached/);
		expect(service.requests).toEqual([]);
		expect(deadlines.map(({ afterMs }) => afterMs)).toEqual([150_000, 30_000]);
	});
});
