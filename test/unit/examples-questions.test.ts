import { readExample } from '../../tools/examples';
import { codeOf, rowOf, runCode } from './codeNodes';

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

	test('keep the line that lets a possible duplicate pass, which the form shows with its reason', async () => {
		const input = [results[0], results[1], duplicateOf(7), results[3]].flatMap((one) => one ?? []);
		const nodes = { 'Describe what is held': await ask(input) };
		const data = { 'Pay these': ['Row 7: x', 'Row 70: x'], 'Your name': 'Ann' };

		const agreed = await runCode(codeOf('hold-possible-duplicates', 'Keep what was agreed'), {
			input: [{ data }],
			nodes,
		});

		expect(agreed).toMatchObject([
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
		expect(String(question?.['form']).includes('Find out')).toBe(isWarned);
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
		['approve-in-chat-then-pay', 'Describe the payouts', 'Read the payouts', 240],
		['ask-above-1000', 'Describe what is held', 'Read the rows', 2_000],
	])(
		'lose the line of a duplicate whose reason %s would cut',
		async (example, name, from, size) => {
			const input = [duplicateOf(2), duplicateOf(3, `Possible duplicate of "${'1'.repeat(size)}"`)];
			const nodes = { [from]: [rowOf(2), rowOf(3)] };

			const [question] = await runCode(codeOf(example, name), { input, nodes });

			expect(linesOf(question)).toEqual(['INV-2 is not INV-1', '']);
		},
	);
});
