import { EXAMPLES, readExample } from '../../tools/examples';
import { CODE, codeNodes, rowOf, runCode } from './codeNodes';

/** How long a node takes at most for 10,000 rows, in milliseconds. */
const MOST_TIME = 3_000;

/** What 10,000 rows are in each Code node. */
const MANY = 10_000;
const manyRows = Array.from({ length: MANY }, (_, index) => rowOf(index + 2));
const manyResults = manyRows.map(({ reference }, id) => {
	if (id % 2 === 0) {
		return { id, status: 'held', amount_cents: 1000, reason: 'The vendor is new' };
	}

	return { id, status: 'failed', error: `Refused for ${id % 4 === 1 ? 'all' : reference}` };
});
const manyPayouts = manyRows.map(({ row, email }) => ({
	group: 'Paid',
	payee: email,
	sent: new Date(Date.UTC(2026, 0, 1 + (row % 365))).toISOString(),
	cents: 1000,
}));
const manyLines = manyRows.map(({ email, amount, invoice }) => `${email},${amount},${invoice}`);
const manyCells = manyRows.map(({ email, amount, invoice }) => [
	email,
	amount,
	invoice,
	'Approved',
]);
const values = [['Email', 'Amount', 'Invoice', 'Status'], ...manyCells];
const manyCharges = manyRows.map(() => ({
	status: 'succeeded',
	captured: true,
	currency: 'usd',
	amount_captured: 100,
	metadata: { affiliate: ' ana' },
}));
const manyVendors = manyRows.map(({ row, email }) => ({
	Id: String(row),
	DisplayName: `Vendor ${row}`,
	PrimaryEmailAddr: { Address: email },
}));
const manyBills = manyRows.map(({ row, invoice }) => ({
	Id: `bill-${row}`,
	DocNumber: invoice,
	VendorRef: { value: String(row) },
	CurrencyRef: { value: 'USD' },
	DueDate: '2026-01-01',
	Balance: 10,
}));
const manyPaid = manyRows.map(({ row, email, reference }) => ({
	status: 'duplicate',
	first_status: 'paid',
	payable_id: `payable-${row}`,
	unique_reference: reference,
	payee: email,
	amount_usd: '10.00',
}));
const billAnswers = manyBills.map((bill) => ({ QueryResponse: { Bill: [bill] } }));
const question = { rows: manyRows };

/** What a person has answered before a node, as n8n hands it over. */
const ANSWERS: Record<string, object> = {
	'Keep what was approved': { approved: true, responder: { id: 'U1', name: 'ann' } },
};

/** What comes into a node, where it is not the result of a payout for each row. */
const INPUTS: Record<string, object[]> = {
	'Check the bills': [{ QueryResponse: { Account: [{ Id: '35', Name: 'Checking' }] } }],
	'Compare with what was approved': [{ QueryResponse: { Vendor: manyVendors } }],
	'Keep what is paid': manyPaid,
	'Choose the bill': [{ QueryResponse: { Vendor: manyVendors } }],
};

/** A run of this template has one invoice. */
const OF_ONE_ROW = 'invoices-by-mail.json';
const ofManyRows = codeNodes().filter(({ example }) => example !== OF_ONE_ROW);

test.each(ofManyRows)('"$name" of $example is done with 10,000 rows in time', async (node) => {
	const { name, code } = node;
	const input =
		INPUTS[name] ??
		(code.includes('$input.all()') && !code.includes('readFile') ? manyResults : undefined);
	const first = { values, data: ANSWERS[name], subject: 'A month', text: 'What it has' };
	const nodes = {
		'Read the rows': manyRows,
		'Read the payouts': manyRows,
		'Keep approved rows': manyRows,
		'Pay vendors': manyResults,
		'Number the payouts': manyRows,
		'Get the wallet': [{ balance: 1 }],
		'Write the question': [{ rows: manyRows.map((row) => ({ ...row, kind: 'due' })) }],
		'Said yes?': [{ data: { 'Your answer': 'Pay', 'Your name': 'Ann' } }],
		'Keep what is as shown': manyRows,
		'Get the payouts again': manyResults,
		'Describe what is held': [question],
		'Set invoice': [{ number: 'INV-2', text: '' }],
		'Read invoice': [{ output: '', intermediateSteps: [] }],
		'Get waiting payouts': manyResults,
		'Find payout of this invoice': [{ payout: manyResults[0] }],
		'Look for a reason to hold': [{}],
		'Describe the payouts': [question],
		'Describe the bills': [question],
		'Get open bills': [{ QueryResponse: { Bill: manyBills } }],
		'Get vendors': [{ QueryResponse: { Vendor: manyVendors } }],
		'Check the bills': manyRows,
		'Keep what was approved': manyRows.map((row) => ({ ...row, bill_id: `bill-${row.row}` })),
		'Get each bill again': billAnswers,
		'Signed?': manyPaid,
		'Find the bill': billAnswers,
		'Get its payments': manyRows.map(() => ({ QueryResponse: {} })),
		'Does one bill fit?': manyPaid.map((paid) => ({ kind: 'book', paid })),
		'Name each status': [{ payouts: manyPayouts }],
		'Set period': [{ start: 0, end: 1, hold_start: 1 }],
		'Get charges': [{ data: manyCharges }],
		'Get refunds': [{ data: [] }],
		'When a deposit arrives': manyResults.map((_, id) => ({ id })),
		'Get waiting invoices': manyRows.map(({ row }) => ({ funding_id: `f-${row}`, amount: row })),
	};
	const file = Buffer.from(['email,amount,invoice', ...manyLines].join('\n'));
	const started = performance.now();

	const affiliates = { ANA: 'ana@example.com' };
	const settings = {
		affiliates,
		approver: 'ann@example.com',
		mail_from: 'n8n@example.com',
		mail_to: 'ann@example.com',
		bookkeeper: 'ann@example.com',
		first_day: '2026-05-01',
		last_day: '2026-05-31',
		commission_percent: 10,
		month: '2026-05',
		hold_days: 30,
		company_id: '1',
		bank_account_id: '35',
		approvers: 'U1',
		due_until: '2026-01-02',
		...(code.includes('settings.payouts') && { payouts: manyRows }),
		...(code.includes('body') && { body: { payouts: manyRows } }),
	};

	const items = await runCode(code, { input: input ?? [first], nodes, file, settings });

	const taken = performance.now() - started;
	expect(items.length).toBeGreaterThan(0);
	expect([1, MANY]).toContain(items.length);
	expect(taken).toBeLessThan(MOST_TIME);
});

/** Nodes that get one item, so that their expressions are evaluated once. */
const ONCE = /^(?:Ask in Slack|Stop for a person)$/;

test('no expression reads all items of a node for each item', () => {
	const quadratic = EXAMPLES.flatMap((example) =>
		readExample(example)
			.nodes.filter(
				(node) =>
					node.type !== CODE &&
					!('executeOnce' in node) &&
					JSON.stringify(node.parameters).includes('.all()'),
			)
			.filter(({ name }) => !ONCE.test(name))
			.map(({ name }) => `${example}: ${name}`),
	);

	expect(quadratic).toEqual([]);
});
