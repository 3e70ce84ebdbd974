import { outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import type { ServiceRequest } from '../../tools/services';
import { answerWithSecret, deliver, payVendor } from '../n8n/support/trigger';
import { useExamples } from './support/instance';
import { applyTo } from './support/quickbooks';
import { dayIn, EXAMPLE, textOf, useQuickBooks } from './support/quickbooksTrial';

export function testQuickBooksBooking(): void {
	const fixture = useExamples();
	const {
		workflowId,
		books,
		publishFor,
		addBill,
		messages,
		run,
		answer,
		settle,
		expectBooked,
		balanceOf,
	} = useQuickBooks(fixture);

	test(`examples/${EXAMPLE} pays the rest of a bill, and tells of what is open under its number later`, async () => {
		const { verifiedVendorEmail: email } = fixture().sandbox;
		const bill = addBill('P-1', '1', 100);
		applyTo(bill, 40, 'by-hand');

		const { told } = await answer('Pay');

		expect(told).toContain('1 ($60.00)');
		await expectBooked(1);
		expect(bill.Balance).toBe(0);

		// A person voids the payment of $40.00, so that as much is owed again.
		bill.Balance = 40;
		const other = await run();

		expect(other).toContain('Not paid by this run: 1 ($40.00)');
		expect(other).toContain('P-1');

		bill.Balance = 60;
		const same = await run();

		expect(same).toContain('Paid before, nothing paid now: 1 ($60.00)');
		expect(same).toContain('It is booked, and the bill is open again');
		expect(await balanceOf(email)).toBe(6_000);
		await expectBooked(1);
	});

	test.each(['reading', 'booking'] as const)(
		`examples/${EXAMPLE} books later what it could not book while QuickBooks was down for %s, and pays it once`,
		async (what) => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await control.setSettings({ paused: true });
			const bill = addBill('B-1', '1', 50);
			await answer('Pay');
			books().trouble[what] = 'down';
			const before = messages().length;
			await control.setSettings({ paused: false });

			const told = await poll('a message', () => messages()[before]);
			await settle();

			expect(textOf(told)).toContain('Paid: look at these bills in QuickBooks');
			expect(textOf(told)).toContain(`$50.00 \`B-1 ${email}`);
			expect(books().payments).toEqual([]);

			books().trouble[what] = undefined;
			const later = await run();

			expect(later).toContain('Paid before, nothing paid now: 1 ($50.00)');
			expect(bill.Balance).toBe(0);
			expect(await control.fundings()).toHaveLength(1);
			await expectBooked(1);
		},
	);

	test(`examples/${EXAMPLE} books in the daily run what was paid before, without an event, and once`, async () => {
		const { control } = fixture().sandbox;
		await control.setSettings({ paused: true });
		const bill = addBill('E-1', '1', 50);
		await answer('Pay');

		const told = await run();

		expect(told).toContain('Paid before, nothing paid now: 1 ($50.00)');
		expect(bill.Balance).toBe(0);
		expect(books().payments).toHaveLength(1);

		await control.setSettings({ paused: false });
		await expectBooked(1);
	});

	test(`examples/${EXAMPLE} tells why QuickBooks has not booked a payment, and books it later`, async () => {
		const bill = addBill('R-1', '1', 50);
		const [checking, savings] = books().accounts;
		if (checking === undefined || savings === undefined) {
			throw new Error('There are no accounts');
		}

		await answer('Pay', () => {
			books().accounts = [savings];
		});
		await settle();

		const told = textOf(messages().at(-1) as ServiceRequest);
		expect(told).toContain('Accounts element id 35 not found (400)');
		expect(told).toContain('tries again while the bill is open');

		books().accounts = [checking];
		await run();

		expect(bill.Balance).toBe(0);
		await expectBooked(1);
	});

	test(`examples/${EXAMPLE} books once when the answer of QuickBooks is lost`, async () => {
		const bill = addBill('L-1', '1', 50);
		books().trouble.booking = 'cut_after';

		await answer('Pay');
		await settle();

		expect(textOf(messages().at(-1) as ServiceRequest)).toContain('did not confirm it');
		await expectBooked(1);
		expect(bill.Balance).toBe(0);

		books().trouble.booking = undefined;

		expect(await run()).toBe('');
		await expectBooked(1);
	});

	test(`examples/${EXAMPLE} books an unconfirmed payment only when the service says that it is paid`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await control.setSettings({ paused: true });
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const bill = addBill('U-1', '1', 50);

		const { told } = await answer('Pay');
		const again = await run();

		expect(told).toContain('Unconfirmed, may have been paid: 1 ($50.00)');
		expect(again).toContain('1 ($50.00)');
		expect(books().payments).toEqual([]);
		expect(bill.Balance).toBe(50);

		await control.setSettings({ paused: false });
		await expectBooked(1);
		expect(await balanceOf(email)).toBe(5_000);
	});

	test(`examples/${EXAMPLE} books an event once, however often it comes`, async () => {
		const { control } = fixture().sandbox;
		addBill('E-1', '1', 50);
		await answer('Pay');
		await expectBooked(1);
		const event = (await control.events()).find(({ event_type: type }) => type === 'payable.paid');
		if (event === undefined) {
			throw new Error('Nothing was paid');
		}

		const told = messages().length;
		const { event_type, workspace_id: workspaceId, data } = event;
		await control.redeliver({ event: event.id });
		await control.emitEvents([
			{ event_type, workspaceId, data },
			{ event_type, workspaceId, data },
		]);
		await expectBooked(1);

		expect(messages()).toHaveLength(told);
	});

	test(`examples/${EXAMPLE} neither pays nor books while several bills fit, or none`, async () => {
		const { control } = fixture().sandbox;
		addBill('T-1', '1', 50);
		addBill('T-1', '1', 60, { DueDate: dayIn(60) });
		addBill('T-2', '1', 70);

		addBill('T-3', '2', 80);

		await control.setSettings({ paused: true });
		const { asked, told } = await answer('Pay');

		expect(asked).toContain('Pay 2 bills of QuickBooks: $150.00');
		expect(told).toContain('More than one bill of the vendor has this number');

		const before = messages().length;
		addBill('T-2', '1', 70);
		books().bills = books().bills.filter(({ DocNumber: number }) => number !== 'T-3');
		await payVendor(fixture(), 300);
		await control.setSettings({ paused: false });
		await settle();

		const texts = messages().slice(before).map(textOf).join('\n');
		expect(texts).toMatch(/T-2[^`]* More than one bill in QuickBooks has this number/);
		expect(texts).toMatch(/T-3[^`]* No bill in QuickBooks has this number/);
		expect(texts).toMatch(/without an invoice number[^`]* The ledger does not know this payable/);
		expect(books().payments).toEqual([]);
	});

	test(`examples/${EXAMPLE} books nothing on an event without a signature`, async () => {
		const { n8n, sandbox } = fixture();
		const { control, workspaceId } = sandbox;
		await control.setSettings({ paused: true });
		addBill('S-1', '1', 50);
		await answer('Pay');
		const [payable] = await control.payables();
		await answerWithSecret(fixture());
		await publishFor({}, {}, { unsignedEvents: 'accept' });
		const { url = '' } = (await control.subscriptions()).at(-1) ?? {};
		const event = { event_type: 'payable.paid', workspace_id: workspaceId, data: { payable } };

		await deliver(url, { id: 'forged', ...event });
		const execution = await n8n.executions.newestOf(workflowId(), 1);

		expect(outputItems(execution, 'Not signed: nothing is booked')).toHaveLength(1);
		expect(books().payments).toEqual([]);
	});
}
