import { codeOf, runCode } from './codeNodes';

const EXAMPLE = 'invoices-by-mail';
const ANA = { name: 'Ana', email: 'Ana@example.com', mail_from: 'a@ana.example, b@ana.example' };
const BEN = { name: 'Ben', email: 'ben@example.com', mail_from: 'bills@agency.example' };
const CAT = { name: 'Cat', email: 'cat@example.com', mail_from: 'bills@agency.example' };
const VENDORS = [ANA, BEN, CAT];

/** What becomes of a text that the PDF has, and of the fields that a model reads in it. */
async function check(text: string, output: object, from = 'a@ana.example') {
	const [mail = {}] = await runCode(codeOf(EXAMPLE, 'Check the mail'), {
		input: [{ text }],
		settings: { from, subject: 'Invoice', problem: '' },
	});
	const [row = {}] = await runCode(codeOf(EXAMPLE, 'Check the fields'), {
		input: [{ output }],
		nodes: { 'Check the mail': [mail] },
		settings: { vendors: VENDORS },
	});

	return row;
}

const fieldsOf = (amount: string, invoice_number = 'INV-7') => ({ amount, invoice_number });

test.each([
	['$250.00', '250.00', '250.00'],
	['USD 1,250', '1,250.00', '1250.00'],
	['US$1,250.50', 'US$1,250.50', '1250.50'],
	['1250.50 USD', '$1250.5', '1250.50'],
	['(total $250.00)', '$250', '250.00'],
])('an amount written "%s" and read as "%s" is %s dollars', async (written, read, amount) => {
	const row = await check(`Invoice INV-7 Due ${written} in USD`, fieldsOf(read));

	expect(row).toMatchObject({ email: 'ana@example.com', amount, reference: 'INV-7', problem: '' });
});

test.each([
	['another amount', '$2,250.00', '250.00'],
	['a longer amount', '$250.005', '250.00'],
	['a credit', '-$250.00', '250.00'],
	['a credit in brackets', '($250.00)', '250.00'],
	['a number without decimals or a sign', 'USD, in all 250', '250'],
	['a decimal comma', '$250,00', '250,00'],
	['no amount', '$250.00', ''],
	['zero', '$0.00', '0.00'],
])('%s is not paid', async (_, written, read) => {
	const row = await check(`Invoice INV-7 Due ${written}`, fieldsOf(read));

	expect(row).toMatchObject({ reference: '', problem: expect.stringContaining('The model read') });
});

test.each(['€', 'EUR 250.00', 'CA$250.00', 'GBP'])(
	'an invoice with %s is not paid',
	async (sign) => {
		const row = await check(`Invoice INV-7 ${sign} Due $250.00`, fieldsOf('250.00'));

		expect(row).toMatchObject({ reference: '', problem: expect.stringContaining('currency') });
	},
);

test('an invoice that does not name US dollars is not paid', async () => {
	const row = await check('Invoice INV-7 Due 250.00', fieldsOf('250.00'));

	expect(row).toMatchObject({ reference: '', problem: expect.stringContaining('US dollars') });
});

test.each([
	['INV-70', 'INV-7'],
	['INV-7-2', 'INV-7'],
	['XINV-7', 'INV-7'],
	['A/INV-7', 'INV-7'],
	['INVX7', 'INV.7'],
])('a PDF with the number %s does not have %s', async (written, read) => {
	const row = await check(`Invoice ${written} Due $250.00`, fieldsOf('250.00', read));

	expect(row).toMatchObject({ reference: '', problem: expect.stringContaining('not in the PDF') });
});

test.each(['No.INV-7', 'Invoice#INV-7.', 'Invoice:INV-7,', 'INV-7'])(
	'a PDF with %s has the number INV-7',
	async (written) => {
		const row = await check(`${written} Due $250.00`, fieldsOf('250.00'));

		expect(row).toMatchObject({ reference: 'INV-7', problem: '' });
	},
);

test.each([
	['b@ana.example', '', 'ana@example.com'],
	['b@ana.example', 'A@ana.example', 'ana@example.com'],
	['bills@agency.example', 'cat@example.com', 'cat@example.com'],
])('of mails from %s with the address "%s", %s is paid', async (from, vendor_email, payee) => {
	const fields = { ...fieldsOf('250.00'), vendor_email };

	const row = await check('Invoice INV-7 Due $250.00', fields, from);

	expect(row).toMatchObject({ email: payee, problem: '' });
});

test.each([
	['a@ana.example', 'ben@example.com', 'names ben@example.com'],
	['bills@agency.example', '', 'does not say which one'],
])('of mails from %s with the address "%s", no one is paid', async (from, vendor_email, why) => {
	const fields = { ...fieldsOf('250.00'), vendor_email };

	const row = await check('Invoice INV-7 Due $250.00', fields, from);

	expect(row).toMatchObject({ reference: '', problem: expect.stringContaining(why) });
});

test('the other amounts and addresses of a text are told', async () => {
	const text =
		'Invoice INV-7 to mallory@evil.example, from a@ana.example: $250.00, $900.00, $900.00';

	const row = await check(text, fieldsOf('250.00'));

	expect(row).toMatchObject({
		other_amounts: [90_000],
		other_addresses: ['mallory@evil.example'],
	});
});

test.each([
	['no sender', { value: [] }],
	['two senders', { value: [{ address: 'a@ana.example' }, { address: 'b@ana.example' }] }],
	['another sender', { value: [{ address: 'a@ana.example.evil.example' }] }],
])('a mail with %s is not read', async (_, from) => {
	const items = await runCode(codeOf(EXAMPLE, 'Take out the PDFs'), {
		input: [{ from, subject: 'Invoice' }],
		settings: { vendors: VENDORS },
	});

	expect(items).toMatchObject([{ problem: expect.stringContaining('mail_from') }]);
});

test.each(['', undefined, 'ana@', 'Email address of the vendor', 'a@ana.example, b@ana.example'])(
	'a mail of a vendor whose address in the settings is %j is not read, and names the vendor',
	async (email) => {
		const items = await runCode(codeOf(EXAMPLE, 'Take out the PDFs'), {
			input: [{ from: { value: [{ address: 'a@ana.example' }] }, subject: 'Invoice' }],
			settings: { vendors: [BEN, { ...ANA, email }] },
		});

		expect(items).toMatchObject([{ problem: expect.stringContaining('the vendor Ana has no') }]);
	},
);

test('what is held after the answer is asked about again when the mail is read again', async () => {
	const line = 'INV-7 250.00 ana@example.com is not INV-6 250.00 ana@example.com';
	const row = { row: 1, email: 'ana@example.com', invoice: 'INV-7', amount: '250.00', problem: '' };
	const held = {
		status: 'held',
		reason: 'Possible duplicate of "INV-6"',
		hint: `Enter "${line}" as the option "Different Invoice".`,
		different_invoice: line,
	};

	const [item] = await runCode(codeOf(EXAMPLE, 'Write the report'), {
		input: [held],
		nodes: {
			'Check the mail': [{ from: 'a@ana.example', subject: 'Invoice' }],
			'Check the fields': [row],
			'Write the question': [{ can_ask: true, total: '$250.00' }],
			'Pay from balance': [held],
		},
		settings: { approvers: 'U1' },
	});

	expect(item?.['text']).toContain('mark the mail as unread');
	expect(item?.['text']).not.toContain('Different Invoice');
});
