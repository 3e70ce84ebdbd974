import { codeOf, runCode } from './codeNodes';

const EXAMPLE = 'weekly-payment-run';
const SETTINGS = {
	approver: 'ann@example.com',
	mail_from: 'n8n@example.com',
	maximum_amount: '1000',
	maximum_total: '5000',
};

/** A payout as the ledger has it. */
const payoutOf = (number: number, more: object = {}) => ({
	status: 'prepared',
	unique_reference: `INV-${number}`,
	payee: `v${number}@example.com`,
	amount_usd: '10.00',
	amount_cents: 1000,
	payable_id: `p${number}`,
	created_at: `2026-01-0${number}T09:00:00.000Z`,
	...more,
});

const numbered = async (input: object[], settings: object = SETTINGS) =>
	await runCode(codeOf(EXAMPLE, 'Number the payouts'), { input, settings });

/** The question about payouts, of which the node's preview says this. */
async function ask(payouts: object[], previews: object[], balance?: number) {
	const rows = await numbered(payouts);
	const nodes = { 'Number the payouts': rows, 'Get the wallet': [{ balance }] };
	const [question] = await runCode(codeOf(EXAMPLE, 'Write the question'), {
		input: previews,
		nodes,
	});

	return question ?? {};
}

const PAY = { status: 'would_pay' };

test.each(['', 'ann@example.com, ben@example.com', 'Ann <ann@example.com>', 'ann'])(
	'a run asks one person alone, not "%s"',
	async (approver) => {
		const run = numbered([payoutOf(1)], { ...SETTINGS, approver });

		await expect(run).rejects.toThrow('"approver"');
	},
);

test('a run asks no one without an address that mails are from', async () => {
	const run = numbered([payoutOf(1)], { ...SETTINGS, mail_from: '' });

	await expect(run).rejects.toThrow('"mail_from"');
});

test.each([
	[undefined, 'What the wallet holds is not known.'],
	[1999, 'The wallet holds $19.99, which is $0.01 too little: top it up'],
	[2000, 'The wallet holds $20.00.'],
])('the question says of a wallet with %j: %s', async (balance, said) => {
	const { text } = await ask([payoutOf(1), payoutOf(2)], [PAY, PAY], balance);

	expect(text).toContain(said);
});

test('the question tells ten vendors, the one with the highest sum first', async () => {
	const payouts = Array.from({ length: 12 }, (_, index) =>
		payoutOf(1, {
			payee: `v${index}@example.com`,
			amount_cents: 100 + index,
			payable_id: `p${index}`,
		}),
	);

	const { text } = await ask(
		payouts,
		payouts.map(() => PAY),
	);

	expect(text).toContain('\nv11@example.com: 1 ($1.11)\nv10@example.com: 1 ($1.10)\n');
	expect(text).toContain('and 2 more vendors');
});

test('the form has no dollar sign that n8n could read, and no tag of others', async () => {
	const payout = payoutOf(1, { unique_reference: "INV $& $' $` {{ 1 }} <b>" });

	const { form } = await ask([payout], [PAY]);

	const [{ html }] = JSON.parse(String(form)) as [{ html: string }];
	expect(html).not.toMatch(/\$|<b>/);
	expect(html).toContain('INV &#36;&#38; &#36;&#39; &#36;` {{ 1 }} &#60;b&#62;');
});

test('the form asks about each held payout, and lets none pass whose reason cannot be read as a whole', async () => {
	const line = 'INV-1 10.00 v1@example.com is not A-1 10.00 v1@example.com';
	const held = { status: 'held', reason: 'Possible duplicate of A-1', different_invoice: line };
	const long = { ...held, reason: 'Possible duplicate of A-1; '.repeat(200) };

	const { form, rows } = await ask([payoutOf(1), payoutOf(2)], [held, long]);

	expect(form).toContain('Row 1: $10.00 v1@example.com INV-1: Possible duplicate of A-1');
	expect(rows).toMatchObject([{ different_invoice: line }, { different_invoice: '' }]);
});

test('nothing is asked about what was paid, or can not be paid', async () => {
	const previews = [
		{ status: 'duplicate', first_status: 'funded' },
		{ status: 'refused', reason: 'It is void' },
		{ error: 'The node failed' },
	];

	const question = await ask([payoutOf(1), payoutOf(2), payoutOf(3)], previews);

	expect(question).toMatchObject({ can_ask: false, rows: [{ row: 2 }, { row: 3 }] });
	expect(question['text']).toContain('Not possible: 2 ($20.00)');
});
