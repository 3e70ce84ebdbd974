import { EXAMPLES, readExample } from '../../tools/examples';
import { codeNodes, codeOf, partOf, rowOf, runCode, textWith } from './codeNodes';

/** A part of a Code node's text that all templates share, with its name. */
const PART =
	/^\/\/ The same in all templates: examples\/code\/(?<name>\w+\.js)\n(?<text>[^]*?)\n(?=\/\/ (?:The same in all|This) template)/gm;

test.each(codeNodes())('"$name" of $example is made of what all templates share', ({ code }) => {
	const parts = [...code.matchAll(PART)].map(({ groups }) => groups ?? {});
	const [, own = ''] = code.split('// This template\n');

	for (const { name = '', text } of parts) {
		expect(text).toBe(partOf(name));
	}

	expect(own.split('\n').length).toBeLessThanOrEqual(25);
	expect(own).not.toContain('function ');
});

test('the templates that take a file read it with the same text', () => {
	const readers = codeNodes().filter(({ name }) => name === 'Read the rows');

	expect(readers.map(({ example }) => example)).toEqual([
		'ask-above-1000.json',
		'hold-possible-duplicates.json',
		'monthly-batch-from-spreadsheet.json',
	]);
	expect(new Set(readers.map(({ code }) => code)).size).toBe(1);
});

describe('the rows that wait for a person', () => {
	const rows = [rowOf(2), rowOf(4), rowOf(7), rowOf(70)];
	const results = [
		{ status: 'funded', amount_cents: 1000 },
		{ status: 'held', amount_cents: 1000, reason: 'The vendor is new' },
		{ status: 'held', amount_cents: 1000, reason: 'The vendor is new' },
		{ status: 'held', amount_cents: 1000, reason: 'The vendor is new' },
	];
	const ask = async (input: object[]) => {
		const code = codeOf('hold-possible-duplicates', 'Describe what is held');

		return await runCode(code, { input, nodes: { 'Read the rows': rows } });
	};

	test('are named by their rows, with why', async () => {
		const [question] = await ask(results);

		expect(question).toMatchObject({ count: 3, total: '$30.00' });
		expect(question?.['form']).toMatch(/Row 4: \$10\.00 v4@example\.com INV-4: The vendor is new/);
	});

	test('are named by the message with what is held first, and by the form all of them', async () => {
		const many = Array.from({ length: 14 }, (_, index) => rowOf(index + 2));
		const input = many.map((_, index) =>
			index < 12
				? { status: 'prepared', amount_cents: 1000 }
				: { status: 'held', amount_cents: 1000, reason: 'The vendor is new' },
		);
		const code = codeOf('approve-in-chat-then-pay', 'Describe the payouts');

		const [question] = await runCode(code, { input, nodes: { 'Read the payouts': many } });

		const lines = String(question?.['text']).split('\n');
		expect(lines).toHaveLength(11);
		expect(lines.slice(0, 3)).toEqual([
			expect.stringContaining('INV-14: The vendor is new'),
			expect.stringContaining('INV-15: The vendor is new'),
			expect.stringContaining('INV-2'),
		]);
		expect(lines.at(-1)).toContain('4 more');
		expect(lines.at(-1)).toContain('"Pay" also pays');
		expect(question).toMatchObject({ count: 14, total: '$140.00' });
		expect(question?.['rows']).toHaveLength(14);
	});

	test.each([
		['prepared', [2]],
		['held', [2]],
		['not_paid', [2]],
		['funded', []],
		['paid', []],
		['awaiting_deposit', []],
	])('of a batch that is there as %s are asked about: %j', async (first, asked) => {
		const input = [
			{ status: 'duplicate', first_status: first, amount_cents: 1000, payable_id: 'p1' },
			{ status: 'duplicate', first_status: first, amount_cents: 1000, payable_id: 'p1' },
		];
		const code = codeOf('approve-in-chat-then-pay', 'Describe the payouts');

		const questions = await runCode(code, {
			input,
			nodes: { 'Read the payouts': [rowOf(2), rowOf(3)] },
		});

		const rowsAsked = questions.flatMap(({ rows: some }) => some as Array<{ row: number }>);
		expect(rowsAsked.map(({ row }) => row)).toEqual(asked);
	});

	test('are not asked about when there are none', async () => {
		expect(await ask(results.slice(0, 1))).toEqual([]);
	});

	test('are paid with the name that the person enters', async () => {
		const code = codeOf('hold-possible-duplicates', 'Keep what was agreed');
		const nodes = { 'Describe what is held': await ask(results) };
		const data = { 'Pay these': ['Row 7: $10.00 x'], 'Your name': 'Ann Lee' };

		const agreed = await runCode(code, { input: [{ data }], nodes });

		expect(agreed).toMatchObject([{ row: 7, approved_by: 'Ann Lee' }]);
	});

	test.each([
		[{ id: 'U1', name: 'ann', email: 'ann@example.com' }, 'ann@example.com (Slack U1)'],
		[{ id: 'U1', name: 'ann', username: 'ann.lee' }, 'ann (Slack U1)'],
		[{ id: 'U1', username: 'ann.lee' }, 'ann.lee (Slack U1)'],
		[{ id: 'U1' }, '(Slack U1)'],
	])('are paid with who pressed the button in Slack: %j', async (responder, approver) => {
		const code = codeOf('approve-in-chat-then-pay', 'Keep what was approved');
		const nodes = { 'Describe the payouts': [{ rows }] };
		const input = [{ data: { approved: true, responder } }];

		const approved = await runCode(code, { input, nodes });

		expect(approved).toMatchObject(rows.map(({ row }) => ({ row, approved_by: approver })));
	});

	test.each([
		['a yes of a person', { approved: true, responder: { id: 'U1' } }, true],
		['a no of a person', { approved: false, responder: { id: 'U1' } }, false],
		['a yes of no one, as older versions of n8n hand it over', { approved: true }, false],
		['a yes of a person without an ID', { approved: true, responder: { id: '' } }, false],
		['no answer', undefined, false],
	])('are paid after %s: %#', async (_, data, isPaid) => {
		const { nodes } = readExample('approve-in-chat-then-pay.json');
		const text = JSON.stringify(nodes.find(({ name }) => name === 'Approved?')?.parameters);
		const [, expression = ''] = /"leftValue":"=\{\{(.+?)\}\}"/.exec(text) ?? [];
		const code = `const $json = $input.first().json; return [{ json: { isPaid: ${expression} } }];`;

		const [answered] = await runCode(code, { input: [{ data }] });

		expect(answered).toEqual({ isPaid });
	});

	test.each([
		['what a person checks', ['Row 7: $10.00 x'], [7]],
		['no row whose number begins alike', ['Row 7'], []],
		['nothing without an answer', undefined, []],
		['no row that was not asked about', ['Row 2: $10.00 x'], []],
	])('after an answer, the workflow pays %s', async (_, checked, paid) => {
		const code = codeOf('hold-possible-duplicates', 'Keep what was agreed');
		const nodes = { 'Describe what is held': await ask(results) };

		const agreed = await runCode(code, { input: [{ data: { 'Pay these': checked } }], nodes });

		expect(agreed.map(({ row }) => row)).toEqual(paid);
	});
});

describe('the values of a Google Sheet', () => {
	const NAMES = ['Email', ' amount', 'Invoice', 'Description', 'STATUS'];
	const ANA = ['Ana@example.com', 25, 'INV-1', 'Videos', 'Approved'];
	const BEN = ['ben@example.com', '#N/A', 1042, '', 'Approved'];
	const keep = async (values: unknown[][]) =>
		await runCode(codeOf('google-sheet-to-payouts', 'Keep approved rows'), { input: [{ values }] });

	test('are handed over as they are, if they are approved', async () => {
		const rows = await keep([NAMES, ANA, [], ['x@example.com', 1, 'A', '', 'approved'], BEN]);

		expect(rows).toMatchObject([
			{ row: 2, email: 'ana@example.com', amount: 25, reference: 'INV-1' },
			{ row: 5, amount: '#N/A', reference: 1042 },
		]);
	});

	const TWICE = [
		[...NAMES, 'Amount'],
		[...ANA, 999],
	];

	test('are refused with a column twice', async () => {
		await expect(keep(TWICE)).rejects.toThrow(/^Nothing was paid: .*"amount" twice/);
	});

	test('that have a column twice after the run do not say that nothing was paid', async () => {
		const nodes = {
			'Keep approved rows': await keep([NAMES, ANA]),
			'Pay vendors': [{ status: 'funded' }],
		};
		const code = codeOf('google-sheet-to-payouts', 'Set status');

		const written = runCode(code, { input: [{ values: TWICE }], nodes });

		await expect(written).rejects.toThrow(/^Vendors may have been paid, .*"amount" twice/);
	});

	test('are refused without a column for the status', async () => {
		await expect(keep([NAMES.slice(0, 4), ANA])).rejects.toThrow('no column status');
	});

	test('get the status of their payment, wherever the row is by then', async () => {
		const rows = await keep([NAMES, ANA, BEN]);
		const results = [
			{ status: 'held', reason: 'The vendor is new' },
			{ status: 'not_sent', error: 'The run has ended' },
		];
		const nodes = { 'Keep approved rows': rows, 'Pay vendors': results };
		const values = [NAMES, ['new@example.com', 1, 'N', '', 'Approved'], BEN, ANA];

		const written = await runCode(codeOf('google-sheet-to-payouts', 'Set status'), {
			input: [{ values }],
			nodes,
		});

		expect(written).toMatchObject([
			{ row_number: 3, Note: expect.stringContaining('The run has ended') },
			{ row_number: 4, STATUS: 'Held', Note: 'The vendor is new' },
		]);
		expect(written[0]).not.toHaveProperty('STATUS');
	});

	test.each([
		['funded', 'Paid'],
		['paid', 'Paid'],
		['awaiting_deposit', 'Waits for its deposit'],
		['prepared', 'Prepared'],
	])('say of a payout that is there as %s that it is %s', async (first, status) => {
		const rows = await keep([NAMES, ANA]);
		const results = [{ status: 'duplicate', first_status: first }];
		const nodes = { 'Keep approved rows': rows, 'Pay vendors': results };

		const [written] = await runCode(codeOf('google-sheet-to-payouts', 'Set status'), {
			input: [{ values: [NAMES, ANA] }],
			nodes,
		});

		expect(written).toMatchObject({ STATUS: status });
	});
});

/** A parameter of a node of an example. */
const parameterOf = (example: string, name: string, parameter: string): string => {
	const node = readExample(`${example}.json`).nodes.find((one) => one.name === name);

	return String(node?.parameters[parameter]);
};

test.each(['invoice-with-deposit', 'stripe-charges-to-commissions'])(
	'the error of %s says of each payout what happened and what to do',
	(example) => {
		const jsons = [
			{ unique_reference: 'INV-1', status: 'unconfirmed', error: 'No answer', hint: 'Look.' },
			{ unique_reference: 'INV-2', status: 'held', reason: 'The vendor is new' },
			{ error: 'No ledger', details: { hint: 'Make one.' } },
		];
		const $input = { all: () => jsons.map((json) => ({ json })) };

		const text = textWith(parameterOf(example, 'Stop for a person', 'errorMessage'), { $input });

		expect(text).toContain('Do not pay them in another way: ');
		expect(text).toContain(
			'INV-1 (unconfirmed): No answer. Look.; INV-2 (held): The vendor is new.',
		);
		expect(text).toMatch(/\(failed\): No ledger\. Make one\.$/);
	},
);

test.each([
	[{ error: 'A person resolved it', message: { hint: 'Ask the operator.' } }, 'Ask the operator.'],
	[{ error: 'It broke' }, ''],
])('the mail about a deposit that was not linked has the hint of %j', ($json, hint) => {
	const text = parameterOf('invoice-with-deposit', 'Mail: the link was refused', 'text');
	const found = { item: { json: { deposit_id: 'd1', funding_id: 'f1' } } };

	const mail = textWith(text, { $json, $: () => found });

	expect(mail).toBe(
		`The deposit d1 fits the invoice of funding f1. Linking it failed, or is not confirmed: ${$json.error}. Do not link it by hand yet. ${hint}`,
	);
});

test.each([
	[{ is_resolved: true, status: 'paid' }, 'is resolved: it was paid'],
	[{ is_resolved: true, status: 'not_paid' }, 'is resolved: it was not paid'],
	[{ is_resolved: false }, 'the ledger does not know this payable now. Do not pay it before'],
	[{ error: 'It has just changed [item 0]' }, '`It has just changed`. Do not pay it before'],
])('what became of an answer is told in Slack: %j', ($json, said) => {
	const text = parameterOf('unconfirmed-payouts', 'Tell what was resolved', 'text');
	const asked = { first: () => ({ json: { unique_reference: 'INV-1' } }) };

	const told = textWith(text, { $json, $: () => asked });

	expect(told).toContain(said);
});

test.each([
	[{ status: 'funded', payable_id: 'p1' }, 'Paid (payable p1)'],
	[{ status: 'duplicate', first_status: 'funded' }, 'Paid'],
	[{ status: 'duplicate', first_status: 'paid' }, 'Paid'],
	[
		{ status: 'duplicate', first_status: 'awaiting_deposit' },
		'Waits for its deposit, not paid yet',
	],
	[{ status: 'awaiting_deposit' }, 'Waits for its deposit, not paid yet'],
	[{ status: 'held', reason: 'The vendor is new' }, 'Held. The vendor is new'],
	[
		{ status: 'not_sent', error: 'No [item 0]', hint: 'Later.' },
		'Not paid by this run. No. Later.',
	],
])('a deal in HubSpot whose payout is %j gets the status "%s"', ($json, status) => {
	const node = readExample('hubspot-deal-to-payout.json').nodes.find(
		({ name }) => name === 'Write status to the deal',
	);
	const { customPropertiesUi } = node?.parameters['updateFields'] as {
		customPropertiesUi: { customPropertiesValues: Array<{ value: string }> };
	};
	const [property] = customPropertiesUi.customPropertiesValues;

	expect(textWith(property?.value ?? '', { $json })).toBe(status);
});

test('a request without payouts is refused', async () => {
	const code = codeOf('approve-in-chat-then-pay', 'Read the payouts');

	await expect(runCode(code, { settings: { body: {} } })).rejects.toThrow('no payouts');
});

test.each(EXAMPLES)(
	'%s hands numbers over as they are, so that a rounded one is refused',
	(example) => {
		const hidden = readExample(example).nodes.filter(({ parameters }) =>
			/String\(|\$\{/.test(JSON.stringify([parameters['uniqueReference'], parameters['amount']])),
		);

		expect(hidden.map(({ name }) => name)).toEqual([]);
	},
);
