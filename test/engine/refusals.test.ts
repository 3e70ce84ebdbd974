import {
	AMOUNT_OF_ITEM,
	byId,
	executeOperation,
	payable,
	payableNamedByAmount,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('a refusal of the service', () => {
	test.each<[shape: string, body: unknown, quoted: string]>([
		['{message}', { message: 'Payee unknown' }, '"Payee unknown"'],
		['{error: text}', { error: 'Payee unknown' }, '"Payee unknown"'],
		['{error_description}', { error: 'x', error_description: 'Payee unknown' }, '"Payee unknown"'],
		['{error: {message}}', { error: { code: 'x', message: 'Payee unknown' } }, '"Payee unknown"'],
		['{errors: [text]}', { errors: ['Payee unknown', 'Closed'] }, '"Payee unknown; Closed"'],
		[
			'{errors: [{field, message}]}',
			{ errors: [{ field: 'payee', message: 'unknown' }] },
			'"payee: unknown"',
		],
		['problem+json', { title: 'Invalid', detail: 'Payee unknown' }, '"Payee unknown"'],
		['text', 'Payee unknown', '"Payee unknown"'],
		['HTML', '<html><title>Payee unknown</title></html>', '"Payee unknown"'],
		['nothing', '', 'without a reason'],
	])('as %s is quoted #refusal-quoted', async (_, body, quoted) => {
		service.useScript(() => ({ status: 422, body }));
		const { error } = await executeOperation(service, 'payable.create', payable());
		expect(error?.message).toBe(
			`Could not create the payable: the service answered ${quoted} (status 422) [item 0]`,
		);
		expect(error?.description).toBe(
			'Check the values of this item. The request was POST /payable.',
		);
		expect(service.requests).toHaveLength(1);
	});

	test.each([400, 403, 404, 409])('with status %p gives its hint', async (status) => {
		service.useScript(() => ({ status, body: { message: 'No' } }));
		const { error } = await executeOperation(service, 'wallet.get', { workspaceId });
		expect(error?.message).toBe(
			`Could not get the wallet: the service answered "No" (status ${status}) [item 0]`,
		);
		expect(error?.description).toMatch(/^[A-Z].*\. The request was GET \/workspace\//);
	});

	test('for too many requests is reported when repeating does not help', async () => {
		service.useScript(() => ({ status: 429, body: { message: 'No' } }));
		const { error } = await executeOperation(service, 'payable.create', payable());
		expect(error?.message).toMatch(
			/^Could not create the payable: the service answered "No" \(status 429\), tried \d+ times \[item 0\]$/,
		);
		expect(error?.description).toMatch(/^Check that the Requests per Minute .* POST \/payable\.$/);
		expect(service.requests.length).toBeGreaterThan(10);
	});

	test('in the middle of an execution ends it, and names what was done', async () => {
		const refused = 4;
		service.useScript(({ body }) => {
			const { amount } = body as { amount: number };
			return amount === refused
				? { status: 409, body: { message: 'No' } }
				: { body: { id: `p${amount}` } };
		});
		const items = Array.from({ length: 200 }, (_, index) => ({ amount: index + 1 }));
		const { error } = await executeOperation(
			service,
			'payable.create',
			payable({ amount: '={{ $json.amount }}', amountUnit: 'minor' }),
			{
				items,
			},
		);
		expect(error?.message).toMatch(/\[item 3\]$/);
		expect(error?.description).toMatch(/Done all the same: item \d+ \(p\d+\)/);
		const named = error?.description.match(/\(p\d+\)/g) ?? [];
		expect(service.requests).toHaveLength(named.length + 1);
		expect(named.length).toBeLessThan(50);
	});

	test('of one item does not affect the others when the node continues', async () => {
		service.useScript((request, position) =>
			(request.body as { amount: number }).amount === 200
				? { status: 409, body: { message: 'No' } }
				: payableNamedByAmount(request, position),
		);
		const { items } = await executeOperation(service, 'payable.create', AMOUNT_OF_ITEM, {
			items: [{ amount: '1' }, { amount: '2' }, { amount: '3' }],
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{ id: 'p100' },
			{
				error: expect.stringMatching(/"No" \(status 409\) \[item 1\]$/),
				details: {
					hint: expect.not.stringContaining('Done all the same'),
					in_doubt: false,
					status: 409,
				},
			},
			{ id: 'p300' },
		]);
	});

	test('of a batch belongs to all its items', async () => {
		service.useScript(() => ({ status: 422, body: { message: 'No' } }));
		const { items } = await executeOperation(
			service,
			'partner.invite',
			{ workspaceId, payeeEmail: 'ana@example.com' },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^Could not invite 2 partners: .*\[item 0\]$/),
			expect.stringMatching(/^Could not invite 2 partners: .*\[item 1\]$/),
		]);
	});
});
