import { poll } from '../../tools/n8n/poll';
import { services, useExamples } from './support/instance';
import { applyTo } from './support/quickbooks';
import { expectQuoted, pressButton, SHORT_WAIT } from './support/slack';
import {
	dayIn,
	EXAMPLE,
	isQuestion,
	PHOTOS,
	textOf,
	useQuickBooks,
} from './support/quickbooksTrial';

export function testQuickBooks(): void {
	const fixture = useExamples();
	const {
		workflowId,
		books,
		publishFor,
		addBill,
		messages,
		start,
		run,
		answer,
		expectBooked,
		balanceOf,
	} = useQuickBooks(fixture);

	test(`examples/${EXAMPLE} pays what is due after a yes, books it when it is paid, and names what it cannot pay`, async () => {
		const { verifiedVendorEmail: email, control } = fixture().sandbox;
		for (let index = 0; index < 1000; index += 1) {
			addBill(`LATER-${index}`, '1', 5, { DueDate: dayIn(30) });
		}
		const video = addBill("INV-7 O'Neil", '1', 120.5);
		const photos = addBill('1042', '2', 80.07, { DueDate: dayIn(-20) });
		addBill('', '1', 11);
		addBill('N-1', '3', 12);
		addBill('N-2', '1', 13, { CurrencyRef: { value: 'EUR' } });
		addBill('N-3', '1', 14.123);
		addBill('N-4', '1', 15, { DueDate: undefined });
		addBill('N  5', '1', 16);

		const { asked, told } = await answer('Pay');

		expect(asked).toContain('Pay 2 bills of QuickBooks: $200.57 in total?*');
		expect(told).toContain('Not paid by this run: 6');
		expect(told).toContain('A bill of Ana has no number');
		expect(told).toMatch(/No address[^`]* has no email address/);
		expect(told).toContain('The bill is in EUR');
		expect(told).toContain('cannot be read as an amount');
		expect(told).toContain('The bill has no due date');
		expect(told).toContain('two spaces in a row');
		expect(told).toContain('Paid (a new vendor gets it once verified): 2 ($200.57)');
		expect([await balanceOf(email), await balanceOf(PHOTOS)]).toEqual([12_050, 8_007]);
		await expectBooked(2);
		expect([video.Balance, photos.Balance]).toEqual([0, 0]);
		expect(books().payments).toMatchObject([
			{ PayType: 'Check', CheckPayment: { BankAccountRef: { value: '35' } } },
			{ TxnDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
		]);
		expectQuoted(messages().find((message) => textOf(message).includes('No address')));

		const again = await run();

		expect(again).toContain('Rows: 6 ($67.00, without 1 that cannot be read)');
		expect(again).toContain('Not paid by this run: 6');
		expect(await control.fundings()).toHaveLength(1);
		await expectBooked(2);
	});

	test(`examples/${EXAMPLE} pays and books once when two runs are approved at once`, async () => {
		const { n8n, sandbox } = fixture();
		addBill('INV-1', '1', 50);
		const ended = [
			n8n.runManually(workflowId(), 'Every day at nine'),
			n8n.runManually(workflowId(), 'Every day at nine'),
		];
		const questions = await poll('two questions', () => {
			const asked = messages().filter(isQuestion);

			return asked.length === 2 ? asked : undefined;
		});

		await Promise.all(questions.map(async (one) => await pressButton(n8n.url, one, 'Pay')));
		await Promise.all(ended);

		expect(await sandbox.control.fundings()).toHaveLength(1);
		expect(await balanceOf(sandbox.verifiedVendorEmail)).toBe(5_000);
		await expectBooked(1);
	});

	test(`examples/${EXAMPLE} does not pay a bill that has changed since the question, and says so`, async () => {
		const { verifiedVendorEmail: email, control } = fixture().sandbox;
		const changed = addBill('C-1', '1', 50);
		const closed = addBill('C-2', '1', 61);
		const renamed = addBill('C-3', '1', 72);
		const moved = addBill('C-4', '2', 83);
		const twice = addBill('C-5', '1', 94);
		addBill('C-6', '1', 33);

		const { asked, told } = await answer('Pay', () => {
			changed.Balance = 45;
			applyTo(closed, 61, 'by-hand');
			renamed.DocNumber = 'C-33';
			Object.assign(books().vendors[1] ?? {}, { PrimaryEmailAddr: { Address: 'new@example.com' } });
			addBill('C-5', '1', 94, { Balance: 0 });
		});

		expect(asked).toContain('Pay 6 bills');
		expect(told).toContain('the open balance has changed to $45.00');
		expect(told).toContain('the bill was closed, or paid in another way');
		expect(told).toContain('its number, its vendor, or the address of the vendor has changed');
		expect(told).toContain('More than one bill of the vendor has this number');
		expect(told).toContain('Paid (a new vendor gets it once verified): 1 ($33.00)');
		expect(await balanceOf(email)).toBe(3_300);
		expect(await control.payables()).toHaveLength(1);
		await expectBooked(1);
		expect([moved.Balance, twice.Balance]).toEqual([83, 94]);
	});

	test(`examples/${EXAMPLE} pays nothing while QuickBooks cannot be read`, async () => {
		const { control } = fixture().sandbox;
		addBill('D-1', '1', 50);
		books().trouble.reading = 'down';

		const unread = await run();

		expect(unread).toContain('Nothing was paid: ');
		expect(unread).toContain('QuickBooks cannot be read');

		books().trouble.reading = undefined;
		const { told } = await answer('Pay', () => {
			books().trouble.reading = 'down';
		});

		expect(told).toContain('Not paid by this run: 1 ($50.00)');
		expect(await control.payables()).toEqual([]);
		expect(books().payments).toEqual([]);
	});

	test(`examples/${EXAMPLE} pays nothing after a no`, async () => {
		const { control } = fixture().sandbox;
		addBill('A-1', '1', 50);

		const { told } = await answer('Do not pay');

		expect(told).toContain('A person has declined: no bill is paid now.*');
		expect(await control.payables()).toEqual([]);
	});

	test(`examples/${EXAMPLE} takes no yes of others, reminds once, and pays nothing without an answer`, async () => {
		const { n8n, sandbox } = fixture();
		await publishFor({ approvers: 'U0OTHER' }, SHORT_WAIT);
		addBill('R-1', '1', 50);

		const { question, end } = start();
		const asked = await question();

		expect(await pressButton(n8n.url, asked, 'Pay')).toBe(200);

		const told = await end();

		const questions = messages().filter(isQuestion).map(textOf);
		expect(services().requests.map(({ path }) => path)).toContain('/api/chat.postEphemeral');
		expect(questions).toHaveLength(2);
		expect(questions[1]).toContain('Reminder: *Pay 1 bills of QuickBooks: $50.00 in total?*');
		expect(told).toContain('No one has answered: no bill is paid now.*');
		expect(await sandbox.control.payables()).toEqual([]);
	});

	test.each([
		[{ company_id: '4620 8163 65' }, /company_id.*without spaces/],
		[{ company_id: '1' }, /read: message ApplicationAuthorizationFailed; errorCode 003100 \(403\)/],
		[{ bank_account_id: 'Checking' }, /35 \(Checking\), 36 \(Savings\)\./],
		[{ bank_account_id: '37' }, /bank_account_id/],
	])(
		`examples/${EXAMPLE} pays nothing with the setting %j, and says why`,
		async (settings, why) => {
			await publishFor(settings);
			addBill('M-2', '1', 50);

			const told = await run();

			expect(told).toMatch(why);
			expect(told).not.toContain('[object Object]');
			expect(await fixture().sandbox.control.payables()).toEqual([]);
		},
	);

	test.each([
		[{ company_id: '', bank_account_id: ' ' }, 'Enter company_id and bank_account_id in'],
		[{ approvers: '' }, 'Enter Slack IDs as approvers in'],
	])(`examples/${EXAMPLE} says which settings are missing: %j`, async (settings, what) => {
		await publishFor(settings);
		addBill('M-1', '1', 50);

		expect(await run()).toContain(`Nothing was paid: \`${what}`);
	});
}
