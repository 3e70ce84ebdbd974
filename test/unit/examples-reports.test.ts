import { codeOf, rowOf, runCode } from './codeNodes';

describe('the report of a file', () => {
	const reportOn = async (rows: object[], input: object[]): Promise<string> => {
		const code = codeOf('monthly-batch-from-spreadsheet', 'Write the report');
		const [item] = await runCode(code, { input, nodes: { 'Read the rows': rows } });

		return String(item?.['text']);
	};

	test('counts each row once, and its lines add up to the file', async () => {
		const rows = [
			rowOf(2),
			rowOf(3, { amount: '20.50' }),
			rowOf(4, { amount: 'twelve' }),
			rowOf(6, { amount: 5 }),
			rowOf(7),
			rowOf(8, { amount: 0.1 + 0.2 }),
			rowOf(9, { problem: 'More than one row.', reference: '' }),
			rowOf(10, { problem: 'More than one row.', reference: '' }),
		];
		const text = await reportOn(rows, [
			{ status: 'funded', amount_cents: 1000 },
			{ status: 'duplicate', amount_cents: 2050 },
			{ status: 'failed', error: 'Not a plain number [item 2]' },
			{ status: 'held', amount_cents: 500, reason: 'The vendor is new' },
			{ status: 'unconfirmed', amount_cents: 1000, error: 'No answer', hint: 'Look it up.' },
			{ status: 'not_sent', error: 'The run has ended' },
			{ status: 'failed', error: 'Empty' },
			{ status: 'failed', error: 'Empty' },
		]);

		expect(text.split('\n').slice(0, 8)).toEqual([
			'Rows: 8 ($65.50, without 2 that cannot be read)',
			'',
			'Paid (a new vendor gets it once verified): 1 ($10.00)',
			'Paid before, nothing paid now: 1 ($20.50)',
			'Held, nothing paid: 1 ($5.00)',
			'Unconfirmed, may have been paid: 1 ($10.00)',
			'Not paid by this run: 4 ($20.00, without 2 that cannot be read)',
			'',
		]);
		expect(text).toContain('The vendor is new\n• Row 6: v6@example.com, invoice INV-6, 5');
		expect(text).not.toContain('Empty');
	});

	test.each([
		['held', { reason: 'Possible duplicate' }],
		['failed', { error: 'Possible duplicate' }],
	])('says for a %s row that a line counts in the published workflow only', async (status, why) => {
		const hint = 'If it is another invoice, enter "a is not b" as the option "Different Invoice".';

		const text = await reportOn([rowOf(2)], [{ status, hint, ...why }]);
		const without = await reportOn([rowOf(2)], [{ status, hint: 'Ask Ann.', ...why }]);

		expect(text).toContain('publish the workflow');
		expect(without).not.toContain('publish');
	});

	test('says a message once, with the rows of the file in place of items', async () => {
		const rows = [rowOf(3), rowOf(5), rowOf(9)];
		const error = 'The amount is above the limit in item 1 [item 2]';

		const text = await reportOn(
			rows,
			rows.map(() => ({ status: 'failed', error })),
		);

		expect(text.split('above the limit in row 5.')).toHaveLength(2);
		expect(text).toMatch(/• Row 3: .+\n• Row 5: .+\n• Row 9: /);
	});

	test('says once of all rows that were not sent what to do, and the cause before', async () => {
		const rows = [rowOf(2), rowOf(3), rowOf(4), rowOf(5), rowOf(6)];
		const above = { status: 'failed', error: 'It is above the limit', hint: 'Correct it.' };
		const results = rows.map(({ reference }, index) =>
			index === 4
				? above
				: {
						status: 'not_sent',
						error: 'Nothing was sent: item 4 is above a limit',
						hint: `Run it again later with the same unique reference, "${reference}". It is paid once.`,
					},
		);

		const text = await reportOn(rows, results);

		const [, cause = '', others = ''] = text.split(/(?=\nIt is above|\nNothing was sent)/);
		expect(cause).toMatch(/above the limit\. Correct it\.\n• Row 6: /);
		expect(others).toMatch(/row 6 is above a limit\. .+\n• Row 2: .+\n• Row 3: .+\n• Row 4: /);
		expect(text.match(/Nothing was sent/g)).toHaveLength(1);
	});

	test('keeps a hint of a limit for rows that were not sent', async () => {
		const hint = 'Ask the person responsible to raise the limit.';

		const text = await reportOn([rowOf(2)], [{ status: 'not_sent', error: 'Too much', hint }]);

		expect(text).toContain(hint);
	});

	test('changes no number of a message that is not that of an item', async () => {
		const rows = Array.from({ length: 15 }, (_, index) => rowOf(index + 2));
		const error =
			'items 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 5 more are above a limit, as is "Item 3" in item 12 [item 12]';

		const text = await reportOn(
			rows,
			rows.map(() => ({ status: 'failed', error })),
		);

		expect(text).toContain(
			'rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 5 more are above a limit, as is &#34;Item 3&#34; in row 14.\n',
		);
	});

	const line = 'INV-3 10.00 v3@example.com is not INV-2 10.00 v3@example.com';
	const duplicate = {
		status: 'held',
		amount_cents: 1000,
		reason: 'Possible duplicate of "INV-2"',
		hint: 'Compare both.',
		different_invoice: line,
	};

	test('gives for a possible duplicate its hint, and the line that tells it apart', async () => {
		const text = await reportOn([rowOf(3)], [duplicate]);

		expect(text).toContain(
			`• Row 3: v3@example.com, invoice INV-3, 10.00\nIf it is another invoice, enter: ${line}`,
		);
		expect(text).toContain('The person responsible for this workflow decides: Compare both.');
	});

	test('gives for what is held for another reason its hint, and no line', async () => {
		const reason = 'The amount is unusual';
		const other = { status: 'held', amount_cents: 1000, reason, hint: 'Ask Ann.' };

		const text = await reportOn([rowOf(3)], [other]);

		expect(text).toContain('The person responsible for this workflow decides: Ask Ann.');
		expect(text).not.toContain('another invoice');
	});

	test('shows the words of others as words', async () => {
		const email = 'Ana <ana@example.com>';
		const error = `"${email}" is no address`;

		const text = await reportOn([rowOf(2, { email })], [{ status: 'failed', error }]);

		expect(text).toContain('&#34;Ana &#60;ana@example.com&#62;&#34; is no address');
		expect(text).toContain('• Row 2: Ana &#60;ana@example.com&#62;, ');
	});

	test('says of rows without a result whom to ask, and not to send them again', async () => {
		const text = await reportOn([rowOf(2), rowOf(3)], [{ status: 'funded' }]);

		expect(text).toMatch(/^No result from the node.*: 1 \(\$10\.00\)$/m);
		expect(text).toContain('Ask the person responsible for this workflow');
		expect(text).not.toMatch(/send it again/i);
	});

	test('says of a refused file that nothing was paid', async () => {
		const text = await reportOn([], [{ error: 'Row 3 has a stray quotation mark [line 77]' }]);

		expect(text).toBe('Nothing was paid: Row 3 has a stray quotation mark.');
	});
});

describe('the report of a template that asks', () => {
	/** The templates, with where their rows come from, and what they have after an answer. */
	const ASKING = [
		['ask-above-1000', 'Read the rows', 'Keep what was approved'],
		['hold-possible-duplicates', 'Read the rows', 'Keep what was approved'],
		['approve-in-chat-then-pay', 'Read the payouts', 'Keep what was approved'],
		['quickbooks-bills-to-payouts', 'Check the bills', 'Compare with what was approved'],
	] as const;

	const LINE = 'INV-2 10.00 v2@example.com is not INV-1 10.00 v2@example.com';
	const HINT = `If it is another invoice, enter "${LINE}" as the option "Different Invoice".`;
	const possible = { reason: 'Possible duplicate of "INV-1"', hint: HINT };

	/** What it tells before the answer, and after it. */
	const textsOf = async (result: object) =>
		await Promise.all(
			ASKING.flatMap(([example, read, approved]) =>
				[{ [read]: [rowOf(2)] }, { [read]: [rowOf(2)], [approved]: [rowOf(2)] }].map(
					async (nodes) => {
						const code = codeOf(example, 'Write the report');
						const [item] = await runCode(code, { input: [result], nodes });

						return String(item?.['text']);
					},
				),
			),
		);

	test('sends no one to an option that is an expression for what it asks about', async () => {
		const texts = await textsOf({ status: 'held', ...possible, different_invoice: LINE });

		expect(texts).toHaveLength(2 * ASKING.length);
		for (const text of texts) {
			expect(text).toContain('asks about what is held');
			expect(text).not.toContain(LINE);
			expect(text).not.toContain('Different Invoice');
		}
	});

	test('says after the answer that it must be sent again to be asked about', async () => {
		const texts = await textsOf({ status: 'held', ...possible, different_invoice: LINE });

		expect(texts.map((text) => /(?:again|next run) asks about/.test(text))).toEqual(
			ASKING.flatMap(() => [false, true]),
		);
	});

	test('says what to do where no yes pays, since the other one may be paid already', async () => {
		const hint = 'Ask the operator of the service.';

		const texts = await textsOf({ status: 'held', reason: possible.reason, hint });

		for (const text of texts) {
			expect(text).toContain(hint);
			expect(text).not.toContain('asks about what is held');
		}
	});

	test('has a line for what is refused entered elsewhere, where no expression is lost', async () => {
		const texts = await textsOf({ status: 'failed', error: possible.reason, hint: HINT });

		for (const text of texts) {
			expect(text).toContain('pay-a-vendor');
			expect(text).not.toContain('publish the workflow');
		}
	});
});

describe('what is unconfirmed, in a report', () => {
	const reportOn = async (results: object[]): Promise<string> => {
		const code = codeOf('approve-in-chat-then-pay', 'Write the report');
		const rows = results.map((_, index) => rowOf(index + 2));
		const nodes = { 'Read the payouts': rows };
		const [item] = await runCode(code, { input: results, nodes });

		return String(item?.['text']);
	};

	const unconfirmed = (id: string) => ({
		status: 'unconfirmed',
		amount_cents: 1000,
		error: 'Unconfirmed, so it is not paid again: no answer is known',
		hint: `Search for [${id}] with payable pay_${id}.`,
	});

	test('is not to be paid in another way, which it says once for all rows', async () => {
		const text = await reportOn([unconfirmed('INV-2'), unconfirmed('INV-3')]);

		expect(text.match(/Do not pay in another way/g)).toHaveLength(1);
		expect(text.match(/no answer is known/g)).toHaveLength(1);
		expect(text).toMatch(/• Row 2: .+\n• Row 3: /);
	});

	test('is not spoken of where there is none', async () => {
		const text = await reportOn([{ status: 'funded', amount_cents: 1000 }]);

		expect(text).not.toContain('Do not pay');
	});

	test.each([
		['awaiting_deposit', 'Waits for its deposit'],
		['prepared', 'Prepared, nothing paid yet'],
		['held', 'Prepared, nothing paid yet'],
		['not_paid', 'Prepared, nothing paid yet'],
		['funded', 'Paid before'],
		['paid', 'Paid before'],
	])('a payout that is there as %s is reported as %s', async (first, label) => {
		const text = await reportOn([{ status: 'duplicate', first_status: first, amount_cents: 1000 }]);

		expect(text).toContain(`\n${label}`);
	});
});

describe('the line that tells invoices apart', () => {
	const lineOf = async (line: string): Promise<string | undefined> => {
		const code = codeOf('monthly-batch-from-spreadsheet', 'Write the report');
		const nodes = { 'Read the rows': [rowOf(2)] };
		const input = [{ status: 'held', reason: 'It may be one', different_invoice: line }];
		const [item] = await runCode(code, { input, nodes });

		return /^If it is another invoice, enter: (.+)$/m.exec(String(item?.['text']))?.[1];
	};

	test('can be copied', async () => {
		const line = 'INV-2 1000.50 ana.b@example.com is not INV #1 1000.50 ana.b@example.com';

		expect(await lineOf(line)).toBe(line);
	});
});

describe('words of others in Slack', () => {
	const quoted = async (error: string, hint = ''): Promise<string[]> => {
		const code = codeOf('approve-in-chat-then-pay', 'Write the report');
		const nodes = { 'Read the payouts': [rowOf(2)] };
		const input = [{ status: 'failed', error, hint }];
		const [item] = await runCode(code, { input, nodes });

		return String(item?.['text']).match(/`[^`]*`/g) ?? [];
	};

	test('keep a long message and its hint whole', async () => {
		const [message, hint] = await quoted('m'.repeat(700), 'h'.repeat(700));

		expect(message).toBe(`\`${'m'.repeat(700)}.\``);
		expect(hint).toBe(`\`${'h'.repeat(700)}\``);
	});

	test('keep two reasons apart', async () => {
		const [message] = await quoted('The vendor is new; the amount is high');

		expect(message).toBe('`The vendor is new; the amount is high.`');
	});

	test.each([
		'1. Look. 2. Found: resolve it as Paid',
		'INV #7, INV:7, INV-7/2026 and INV_7',
		'(ana@example.com), ben.b+c@mail.example.com, carl@example.com: paid',
	])('keep numbers and addresses: %s', async (text) => {
		const [message] = await quoted(text);

		expect(message).toBe(`\`${text}.\``);
	});

	test.each([
		['a link', 'https://evil.example/a and evil.example', /:\/|\.[a-z]/],
		['a link with an address in it', 'http://x@evil.example/path', /@|\.[a-z]/],
		['an address to mail to', '<mailto:ana@example.com|Pay>', /[<>|]|:a/],
		['a mention', '<@U1> @here ＠here <!channel>', /[<>@＠!]/],
		['a channel', '#pay <#C1>', /#/],
		['an emoji', ':tada: x:tada:y :8ball:', /:\w+:/],
		['formatting', '*x* ~y~ `z` > a\nb', /[*~>\n]/],
	])('let no %s through', async (_, text, read) => {
		const [message = ''] = await quoted(text);

		expect(message).not.toMatch(read);
	});
});
