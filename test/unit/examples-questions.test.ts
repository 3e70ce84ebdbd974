import { EXAMPLES, readExample } from '../../tools/examples';
import { codeOf, rowOf, runCode } from './codeNodes';

/** The templates that ask in Slack whether to pay. */
const ASKING = EXAMPLES.map((name) => name.replace('.json', '')).filter((name) =>
	readExample(`${name}.json`).nodes.some(({ name: node }) => node === 'Remind in Slack'),
);

const parametersOf = (example: string, wanted: string) =>
	readExample(`${example}.json`).nodes.find(({ name }) => name === wanted)?.parameters ?? {};

/** What an If node of an example asks. */
function conditionOf(example: string, name: string): string {
	const text = JSON.stringify(parametersOf(example, name));
	const [, json = '""'] = /"leftValue":("=\{\{.+?\}\}")/.exec(text) ?? [];

	return String(JSON.parse(json)).slice('={{'.length, -'}}'.length);
}

/** The options of a question that waits so long for its answer. */
const waitOf = (resumeAmount: number, resumeUnit: string) => ({
	limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit } },
	appendAttribution: false,
});

/** What tells that nothing is paid, where it is another node than in the others. */
const TELLS: Record<string, string> = { 'invoices-by-mail': 'Write the report' };

test('the templates that pay after a yes in Slack ask alike', () => {
	expect(ASKING).toEqual([
		'agent-prepares-person-pays',
		'approve-in-chat-then-pay',
		'ask-above-1000',
		'hold-possible-duplicates',
		'invoices-by-mail',
		'quickbooks-bills-to-payouts',
	]);
});

test.each(
	ASKING.flatMap((name) => [[name, 'Ask in Slack'] as const, [name, 'Remind in Slack'] as const]),
)('in %s, "%s" takes an answer of approvers, for some hours or a day', (example, name) => {
	const { message, channelId, options, ...parameters } = parametersOf(example, name);
	const ofBills = parametersOf('quickbooks-bills-to-payouts', 'Ask in Slack');

	expect({ ...ofBills, ...parameters }).toEqual(ofBills);
	expect(Object.keys(parametersOf(example, name))).toHaveLength(Object.keys(ofBills).length);
	expect(parameters).toMatchObject({
		responseType: 'approval',
		captureResponder: true,
		approvers: "={{ $('Settings').first().json.approvers.split(/[\\s,]+/).filter(Boolean) }}",
	});
	expect([message, channelId]).not.toContain(undefined);
	expect([waitOf(4, 'hours'), waitOf(1, 'days')]).toContainEqual(options);
});

test.each(ASKING)(
	'%s asks the same again after no answer, and then says that it pays nothing',
	(example) => {
		const { connections } = readExample(`${example}.json`);
		const question = String(parametersOf(example, 'Ask in Slack')['message']).slice(1);
		const targets = (name: string) =>
			connections[name]?.['main']?.map((some) => some.map(({ node }) => node));

		expect(parametersOf(example, 'Remind in Slack')['message']).toBe(`=Reminder: ${question}`);
		expect(targets('Ask in Slack')).toEqual([['Answered?']]);
		expect(targets('Answered?')).toEqual([['Approved?'], ['Remind in Slack']]);
		expect(targets('Remind in Slack')).toEqual([['Approved?']]);
		expect(targets('Approved?')).toEqual([
			['Keep what was approved'],
			[TELLS[example] ?? 'Tell that nothing is paid'],
		]);
	},
);

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
		expect(question?.['text']).toContain('• $10.00 `v4@example.com INV-4: The vendor is new`');
	});

	test('are named by the message with what is held first, as many as it can show', async () => {
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

	describe.each(ASKING)('in %s', (example) => {
		const SETTINGS = { approvers: 'U0, U1' };

		test.each([
			['a yes of an approver', { approved: true, responder: { id: 'U1' } }, true],
			['a no of an approver', { approved: false, responder: { id: 'U1' } }, false],
			['a yes of another person', { approved: true, responder: { id: 'U' } }, false],
			['a yes of no one, as older versions of n8n hand it over', { approved: true }, false],
			['a yes of a person without an ID', { approved: true, responder: { id: '' } }, false],
			['no answer', undefined, false],
		])('are paid after %s: %#', async (_, data, isPaid) => {
			const code = `const $json = $input.first().json; return [{ json: { isPaid: ${conditionOf(example, 'Approved?')} } }];`;

			const [answered] = await runCode(code, { input: [{ data }], settings: SETTINGS });

			expect(answered).toEqual({ isPaid });
		});

		test('are not paid while no one may answer', async () => {
			const data = { approved: true, responder: { id: '' } };
			const code = `const $json = $input.first().json; return [{ json: { isPaid: ${conditionOf(example, 'Approved?')} } }];`;

			const [answered] = await runCode(code, { input: [{ data }], settings: { approvers: '' } });

			expect(answered).toEqual({ isPaid: false });
		});
	});

	const duplicateOf = (row: number, reason = 'Possible duplicate of "INV-1"') => ({
		status: 'held',
		amount_cents: 1000,
		reason,
		different_invoice: `INV-${row} is not INV-1`,
	});
	const linesOf = (question: Record<string, unknown> | undefined): string[] =>
		(question?.['rows'] as Array<{ different_invoice: string }>).map(
			({ different_invoice: line }) => line,
		);

	test('say at the row itself that a yes alone does not pay a possible duplicate', async () => {
		const blocked = { ...duplicateOf(2), different_invoice: undefined, hint: 'Find that out.' };
		const nodes = { 'Read the rows': [rowOf(2), rowOf(3)] };
		const input = [blocked, duplicateOf(3)];
		const code = codeOf('ask-above-1000', 'Describe what is held');

		const [question] = await runCode(code, { input, nodes });

		const lines = String(question?.['text']).split('\n');
		expect(lines.filter((line) => line.includes(blocked.hint))).toEqual([
			expect.stringContaining('INV-2'),
		]);
		expect(lines).toHaveLength(2);
	});

	test('keep the line that lets a possible duplicate pass, which the message shows with its reason', async () => {
		const input = [results[0], results[1], duplicateOf(7), results[3]].flatMap((one) => one ?? []);
		const nodes = { 'Describe what is held': await ask(input) };
		const data = { approved: true, responder: { id: 'U1' } };

		const approved = await runCode(codeOf('hold-possible-duplicates', 'Keep what was approved'), {
			input: [{ data }],
			nodes,
		});

		expect(approved).toMatchObject([
			{ row: 4, different_invoice: '' },
			{ row: 7, different_invoice: 'INV-7 is not INV-1' },
			{ row: 70, different_invoice: '' },
		]);
	});

	test.each([
		[
			'a duplicate without a line, which it does not pay',
			{ ...duplicateOf(2), different_invoice: undefined },
			true,
		],
		['a duplicate with a line, which passes by it', duplicateOf(2), false],
		['what is held for another reason', results[1], false],
	])('are told that a yes is not enough for %s: %#', async (_, held, isWarned) => {
		const code = codeOf('approve-in-chat-then-pay', 'Describe the payouts');
		const nodes = { 'Read the payouts': [rowOf(2)] };

		const [question] = await runCode(code, { input: [{ ...held, hint: 'Find out' }], nodes });

		expect(String(question?.['text']).includes('Find out')).toBe(isWarned);
	});

	test('lose the line of a duplicate that the message does not name, and name duplicates first', async () => {
		const many = Array.from({ length: 14 }, (_, index) => rowOf(index + 2));
		const input = many.map(({ row }, index) =>
			index === 0 ? { ...results[1] } : duplicateOf(row),
		);
		const code = codeOf('approve-in-chat-then-pay', 'Describe the payouts');

		const [question] = await runCode(code, { input, nodes: { 'Read the payouts': many } });

		expect(linesOf(question)).toEqual([
			'',
			...many.slice(1, 11).map(({ row }) => `INV-${row} is not INV-1`),
			'',
			'',
			'',
		]);
		expect(question?.['text']).not.toContain('INV-2:');
	});

	test.each([
		['approve-in-chat-then-pay', 'Describe the payouts', 'Read the payouts'],
		['ask-above-1000', 'Describe what is held', 'Read the rows'],
	])('lose the line of a duplicate whose reason %s would cut', async (example, name, from) => {
		const input = [
			duplicateOf(2, `Possible duplicate of "${'1'.repeat(1_000)}"`),
			duplicateOf(3, `Possible duplicate of "${'1'.repeat(1_100)}"`),
		];
		const nodes = { [from]: [rowOf(2), rowOf(3)] };

		const [question] = await runCode(codeOf(example, name), { input, nodes });

		expect(linesOf(question)).toEqual(['INV-2 is not INV-1', '']);
	});
});
