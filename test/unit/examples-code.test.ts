import { EXAMPLES, readExample } from '../../tools/examples';
import { codeNodes, codeOf, EXECUTION_ID, partOf, runCode, textWith } from './codeNodes';

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

/** What tells a held invoice apart, as the node says it. */
const LINE = 'INV-2 9.00 ana@example.com is not INV-1 9.00 ana@example.com';
/** Two of them, which no hint repeats. */
const LINES = `${LINE}\nINV-2 9.00 ana@example.com is not INV-3 9.00 ana@example.com`;
const DECIDES = 'The person responsible for this workflow decides: ';

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
			{ status: 'held', reason: 'The vendor is new', hint: 'Ask Ann.' },
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
			{
				row_number: 4,
				STATUS: 'Held',
				Note: expect.stringMatching(/^The vendor is new\. .*Ask Ann\./),
			},
		]);
		expect(written[0]).not.toHaveProperty('STATUS');
	});

	test.each([
		['one line', LINE, `Add "${LINE}".`],
		['several lines', LINES, 'Add each line.'],
	])('say of a possible duplicate with %s how it is told apart, once', async (_, line, hint) => {
		const rows = await keep([NAMES, ANA]);
		const held = { status: 'held', reason: 'Possible duplicate', hint, different_invoice: line };
		const nodes = { 'Keep approved rows': rows, 'Pay vendors': [held] };

		const [written] = await runCode(codeOf('google-sheet-to-payouts', 'Set status'), {
			input: [{ values: [NAMES, ANA] }],
			nodes,
		});

		const note = String(written?.['Note']);
		expect(note).toContain(DECIDES + hint);
		expect(note.split(line)).toHaveLength(2);
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
			{ unique_reference: 'INV-2', status: 'held', reason: 'The vendor is new', hint: 'Ask.' },
			{ error: 'No ledger', details: { hint: 'Make one.' } },
		];
		const $input = { all: () => jsons.map((json) => ({ json })) };

		const text = textWith(parameterOf(example, 'Stop for a person', 'errorMessage'), { $input });

		expect(text).toContain('Do not pay them in another way: ');
		expect(text).toContain(
			'INV-1 (unconfirmed): No answer. Look.\nINV-2 (held): The vendor is new. Ask.',
		);
		expect(text).toMatch(/\(failed\): No ledger\. Make one\.$/);
	},
);

test.each([
	['invoice-with-deposit', 'Stop for a person', 'errorMessage'],
	['stripe-charges-to-commissions', 'Stop for a person', 'errorMessage'],
	['onboard-vendor-then-pay', 'Stop for a person', 'errorMessage'],
])('%s gives for a possible duplicate its hint and its line', (example, name, parameter) => {
	const $json = {
		unique_reference: 'INV-2',
		status: 'held',
		reason: 'Possible duplicate',
		hint: 'Compare both. Add each line.',
		different_invoice: LINE,
	};
	const $input = { all: () => [{ json: $json }] };
	const $ = () => ({ first: () => ({ json: { number: 'INV-2' } }) });

	const told = textWith(parameterOf(example, name, parameter), { $json, $input, $ });

	expect(told).toContain('Possible duplicate');
	expect(told).toContain('Compare both. Add each line.');
	expect(told).toContain(LINE);
});

test.each([
	['held', { reason: 'Possible duplicate', different_invoice: LINE }, 'posts it again'],
	['failed', { error: 'Possible duplicate' }, 'pay-a-vendor'],
])(
	'agent-prepares-person-pays sends no one to an option that is an expression for what is %s',
	(status, more, said) => {
		const hint = `Enter "${LINE}" as the option "Different Invoice".`;
		const $ = () => ({ first: () => ({ json: { number: 'INV-2' } }) });
		const text = parameterOf('agent-prepares-person-pays', 'Tell the result in Slack', 'text');

		const told = textWith(text, { $json: { status, hint, ...more }, $ });

		expect(told).toContain('Possible duplicate');
		expect(told).toContain(said);
		expect(told.includes(LINE)).toBe(status === 'failed');
	},
);

describe('the payout that an agent has prepared', () => {
	const find = async (payouts: object[], steps: object[]) => {
		const [found] = await runCode(
			codeOf('agent-prepares-person-pays', 'Find payout of this invoice'),
			{
				input: [{}],
				nodes: {
					'Set invoice': [{ number: 'INV-1', text: 'Videos' }],
					'Read invoice': [{ output: 'Done', intermediateSteps: steps }],
					'Get waiting payouts': payouts,
				},
			},
		);

		return found;
	};

	const payout = (execution: string, unique_reference = 'INV-1', amount_cents = 900) => ({
		execution,
		unique_reference,
		payee: 'ana@example.com',
		amount_cents,
	});

	test.each([
		['of this run', [payout('e1'), payout(EXECUTION_ID)], payout(EXECUTION_ID)],
		['of an earlier run, if it is the only one', [payout('e1')], payout('e1')],
		[
			'of an earlier run that prepared it, and then held it',
			[payout('e1'), payout('e1', 'INV-1', 900)],
			payout('e1'),
		],
		[
			'of no run, if several vendors have its number',
			[payout('e1'), payout('e2', 'INV-1', 800)],
			{},
		],
		['of no other invoice', [payout(EXECUTION_ID, 'INV-2')], {}],
	])('is the one %s', async (_, payouts, wanted) => {
		expect(await find(payouts, [])).toMatchObject({ payout: wanted });
	});

	test.each([
		['an error', [{ error: 'Above the limit [item 0]. Stop here.' }], 'Above the limit'],
		['a reason', [{ status: 'held', reason: 'It is new' }], 'It is new'],
		['a duplicate', [{ status: 'duplicate', first_status: 'funded' }], /before.*funded/],
		['nothing', [], /nothing/],
	])('comes with what its tool has answered last: %s', async (_, answer, said) => {
		const steps = [{ error: 'First' }, answer].map((one) => ({
			observation: JSON.stringify(one),
		}));

		const found = await find([], steps);

		expect(found?.['tool']).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
	});

	test.each([
		['no answer', [], /not called/],
		['words', [{ observation: 'It <broke> @here' }], /It broke {1,2}here/],
	])('comes with %s of its tool in harmless words', async (_, steps, said) => {
		const found = await find([], steps);

		expect(found?.['tool']).toMatch(said);
	});
});

describe('the last page of a form', () => {
	const pageOf = (name: string, json: object, invoice = 'A-1'): string => {
		const form = { "Vendor's email": 'Ana <ana@example.com>', 'Invoice number': ` ${invoice} ` };
		const $ = () => ({ item: { json: form } });
		const text = parameterOf('form-to-payout', name, 'completionMessage');

		return textWith(text, { $json: json, $ });
	};

	test('gives for a possible duplicate its hint, and the line that tells it apart', () => {
		const hint = 'Compare both.';
		const held = { reason: 'Possible duplicate', hint, different_invoice: LINE };

		const page = pageOf('Show: held', held);

		expect(page).toContain(DECIDES + hint);
		expect(page).toMatch(new RegExp(`^${LINE}$`, 'm'));
		expect(page).toContain('publish the workflow');
	});

	test('says for a refused invoice that a line counts in the published workflow only', () => {
		const hint = 'Enter the line as the option "Different Invoice".';

		const page = pageOf('Show: not paid', { error: 'Refused', hint });
		const other = pageOf('Show: not paid', { error: 'Refused', hint: 'Correct it.' });

		expect(page).toContain('publish the workflow');
		expect(other).not.toContain('publish');
	});

	test('gives for what is held for another reason its hint, and no line', () => {
		const page = pageOf('Show: held', { reason: 'The amount is unusual', hint: 'Ask Ann.' });

		expect(page).toContain(`${DECIDES}Ask Ann.`);
		expect(page).not.toContain('Different Invoice');
	});

	test.each([
		['Show: paid', { amount_usd: '1.00', payable_id: 'p1' }],
		['Show: paid before', { first_status: 'funded' }],
		['Show: unconfirmed', { error: 'No answer for <x> [item 0]', hint: 'Look.' }],
		['Show: held', { reason: 'Is it <x>' }],
		['Show: not paid', { error: 'No <x> [item 0]', hint: 'Later.' }],
	])('"%s" shows the words of others as words', (name, json) => {
		const page = pageOf(name, json, 'A<b>1');

		expect(page).not.toMatch(/[<>]|\[item/);
		expect(page).toContain('Ana &#60;ana@example.com&#62;');
		expect(page).toContain('A&#60;b&#62;1');
	});
});

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
	[
		{
			is_resolved: true,
			status: 'not_paid',
			hint: '"INV-2" to ana@example.com, of <@U1>, may be paid. Ask `Ann`.',
		},
		/was not paid\. First read this: ` *INV-2 +to ana@example\.com, of +U1 *, may be paid\. Ask +Ann *\.` Only then run/,
	],
	[
		{ is_resolved: true, status: 'paid', hint: 'Others of its funding are open.' },
		'never sent again. `Others of its funding are open.`',
	],
	[{ is_resolved: false }, 'the ledger does not know this payable now. Do not pay it before'],
	[{ error: 'It has just changed [item 0]' }, '`It has just changed`. Do not pay it before'],
])('what became of an answer is told in Slack: %j', ($json, said) => {
	const text = parameterOf('unconfirmed-payouts', 'Tell what was resolved', 'text');
	const data = { 'Your name': 'Ann *Lee*' };
	const asked = { first: () => ({ json: { unique_reference: 'INV-1', data } }) };

	const told = textWith(text, { $json, $: () => asked });

	expect(told).toEqual(
		typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
	);
	expect(told).toContain('`Ann  Lee ` is the name in the form.');
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
	[
		{ status: 'held', reason: 'The vendor is new', hint: 'Ask Ann.' },
		`Held. The vendor is new. ${DECIDES}Ask Ann.`,
	],
	[
		{ status: 'held', reason: 'It may be one', hint: `Add "${LINE}".`, different_invoice: LINE },
		`Held. It may be one. ${DECIDES}Add "${LINE}".`,
	],
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

	const settings = { approvers: 'U1', body: {} };

	await expect(runCode(code, { settings })).rejects.toThrow('no payouts');
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
