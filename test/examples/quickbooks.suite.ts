import { addVendor } from '../n8n/support/payouts';
import { answerWithSecret, deliver, payVendor } from '../n8n/support/trigger';
import { outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import type { ServiceRequest } from '../../tools/services';
import { services, useEmptySandbox, useExamples, usePublished } from './support/instance';
import { applyTo, type Bill, quickBooks, type QuickBooks } from './support/quickbooks';
import { settingsOf } from './support/settings';
import { ANN, expectQuoted, HOSTILE, pressButton, SLACK_CREDENTIAL } from './support/slack';

export function testQuickBooks(): void {
	const EXAMPLE = 'quickbooks-bills-to-payouts.json';
	const COMPANY = '4620816365';
	const DAILY = 'Every day at nine';
	const SLACK_NODES = [
		'Ask in Slack',
		'Remind in Slack',
		'Tell that nothing is paid',
		'Tell the result in Slack',
		'Tell what is not booked',
	];
	const QUICKBOOKS_NODES = [
		'Get open bills',
		'Get vendors',
		'Get each bill again',
		'Get vendors again',
		'Find the bill',
		'Get its payments',
		'Get its vendor',
		'Book the payment',
	];

	/** A second vendor whom the service has verified. */
	const PHOTOS = 'photos@example.com';

	const fixture = useExamples();
	useEmptySandbox(fixture);
	const publish = usePublished(fixture);

	/** The workflow that a test has published, and the books that it works with. */
	let id = '';
	let books: QuickBooks;

	beforeEach(async () => {
		const { sandbox } = fixture();
		await sandbox.control.setSettings({ paused: false });
		await sandbox.control.clearFaults();
		await addVendor(sandbox, PHOTOS);
		books = quickBooks(COMPANY);
		services().serve('quickbooks.api.intuit.com', books.service);
		books.vendors = [
			{ Id: '1', DisplayName: 'Ana', PrimaryEmailAddr: { Address: sandbox.verifiedVendorEmail } },
			{ Id: '2', DisplayName: 'Photos Ltd', PrimaryEmailAddr: { Address: ' Photos@Example.com' } },
			{ Id: '3', DisplayName: `No address ${HOSTILE}` },
		];
		await publishFor();
	});

	/** Publishes the example with these settings, and options of the nodes that ask, and of the trigger. */
	async function publishFor(values: object = {}, asking: object = {}, event: object = {}) {
		const { n8n } = fixture();
		const slack = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
		const accounting = await n8n.createCredential('QuickBooks', 'quickBooksOAuth2Api', {
			clientId: 'made-up',
			clientSecret: 'made-up',
			environment: 'production',
			oauthTokenData: { access_token: 'made-up-token', token_type: 'Bearer' },
		});
		const workflow = await publish(EXAMPLE, {
			credentials: Object.fromEntries([
				...SLACK_NODES.map((name) => [name, slack] as const),
				...QUICKBOOKS_NODES.map((name) => [name, accounting] as const),
			]),
			options: {
				'Ask in Slack': asking,
				'Remind in Slack': asking,
				'When a payable is paid': event,
			},
			parameters: settingsOf(EXAMPLE, {
				company_id: COMPANY,
				bank_account_id: '35',
				approvers: `U0OTHER, ${ANN.id}`,
				...values,
			}),
		});
		({ id } = workflow);
	}

	const dayIn = (days: number): string =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

	/** Enters a bill in the books. */
	const addBill = (number: string, vendor: string, amount: number, more: object = {}): Bill => {
		const bill = {
			Id: String(books.bills.length + 100),
			DocNumber: number,
			VendorRef: { value: vendor },
			CurrencyRef: { value: 'USD' },
			DueDate: dayIn(3),
			TotalAmt: amount,
			Balance: amount,
			LinkedTxn: [],
			...more,
		};
		books.bills.push(bill);

		return bill;
	};

	const messages = (): ServiceRequest[] =>
		services().requests.filter(({ path }) => path === '/api/chat.postMessage');
	const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);
	const isQuestion = (message: ServiceRequest): boolean => textOf(message).includes('"button"');

	/** Starts the daily run; `question` waits for the one that it asks. */
	const start = () => {
		const { n8n } = fixture();
		const seen = messages().length;
		const since = (): ServiceRequest[] => messages().slice(seen);
		const ended = n8n.runManually(id, DAILY);

		return {
			question: async () => await poll('the question', () => since().find(isQuestion)),
			/** What else Slack was told, once the run has ended. */
			end: async (): Promise<string> => {
				const { status } = await ended;

				expect(status).toBe('success');

				return since()
					.filter((message) => !isQuestion(message))
					.map(textOf)
					.join('\n');
			},
		};
	};

	/** A daily run that asks nothing; returns what Slack was told. */
	const run = async (): Promise<string> => {
		const asked = messages().filter(isQuestion).length;
		const told = await start().end();

		expect(messages().filter(isQuestion)).toHaveLength(asked);

		return told;
	};

	/** A daily run whose question Ann answers, after what else happens meanwhile. */
	const answer = async (label: string, meanwhile = () => {}) => {
		const { question, end } = start();
		const asked = await question();
		meanwhile();
		await pressButton(fixture().n8n.url, asked, label);

		return { asked: textOf(asked), told: await end() };
	};

	/** Waits until the service's events have all been delivered, and what they started has ended. */
	const settle = async (): Promise<void> => {
		const { n8n, sandbox } = fixture();
		await poll('the deliveries', async () => {
			const { waiting, sending } = await sandbox.control.deliveryCounts();

			return waiting + sending === 0 || undefined;
		});
		await n8n.executions.allFinished(id);
	};

	/** Waits until so many payments are booked, and expects that they are those of the service, to the cent. */
	const expectBooked = async (count: number): Promise<void> => {
		await settle();

		const { control } = fixture().sandbox;
		const paid = (await control.payables()).filter(({ status }) => status === 'paid');
		const booked = books.payments.map((payment) => {
			const vendor = books.vendors.find(({ Id: own }) => own === payment.VendorRef.value);

			return {
				id: payment.PrivateNote.split(' ').at(-1),
				amount: Math.round(payment.TotalAmt * 100),
				payee_email: vendor?.PrimaryEmailAddr?.Address.trim().toLowerCase(),
			};
		});

		expect(booked).toHaveLength(count);
		expect(booked).toEqual(
			expect.arrayContaining(
				paid.map(({ id: payable, amount, payee_email }) => ({ id: payable, amount, payee_email })),
			),
		);
		expect(paid).toHaveLength(count);
	};

	const balanceOf = async (email: string): Promise<number> =>
		(await fixture().sandbox.control.vendor(email)).balance;

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
		expect(told).toContain('Paid, or as soon as the vendor is verified: 2 ($200.57)');
		expect([await balanceOf(email), await balanceOf(PHOTOS)]).toEqual([12_050, 8_007]);
		await expectBooked(2);
		expect([video.Balance, photos.Balance]).toEqual([0, 0]);
		expect(books.payments).toMatchObject([
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
		const ended = [n8n.runManually(id, DAILY), n8n.runManually(id, DAILY)];
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
			Object.assign(books.vendors[1] ?? {}, { PrimaryEmailAddr: { Address: 'new@example.com' } });
			addBill('C-5', '1', 94, { Balance: 0 });
		});

		expect(asked).toContain('Pay 6 bills');
		expect(told).toContain('the open balance has changed to $45.00');
		expect(told).toContain('the bill was closed, or paid in another way');
		expect(told).toContain('its number, its vendor, or the address of the vendor has changed');
		expect(told).toContain('More than one bill of the vendor has this number');
		expect(told).toContain('Paid, or as soon as the vendor is verified: 1 ($33.00)');
		expect(await balanceOf(email)).toBe(3_300);
		expect(await control.payables()).toHaveLength(1);
		await expectBooked(1);
		expect([moved.Balance, twice.Balance]).toEqual([83, 94]);
	});

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

	test(`examples/${EXAMPLE} pays nothing while QuickBooks cannot be read`, async () => {
		const { control } = fixture().sandbox;
		addBill('D-1', '1', 50);
		books.trouble.reading = 'down';

		const unread = await run();

		expect(unread).toContain('Nothing was paid: ');
		expect(unread).toContain('QuickBooks cannot be read');

		books.trouble.reading = undefined;
		const { told } = await answer('Pay', () => {
			books.trouble.reading = 'down';
		});

		expect(told).toContain('Not paid by this run: 1 ($50.00)');
		expect(await control.payables()).toEqual([]);
		expect(books.payments).toEqual([]);
	});

	test.each(['reading', 'booking'] as const)(
		`examples/${EXAMPLE} books later what it could not book while QuickBooks was down for %s, and pays it once`,
		async (what) => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await control.setSettings({ paused: true });
			const bill = addBill('B-1', '1', 50);
			await answer('Pay');
			books.trouble[what] = 'down';
			const before = messages().length;
			await control.setSettings({ paused: false });

			const told = await poll('a message', () => messages()[before]);
			await settle();

			expect(textOf(told)).toContain('Paid, but not booked in QuickBooks');
			expect(textOf(told)).toContain(`$50.00 \`B-1 ${email}`);
			expect(books.payments).toEqual([]);

			books.trouble[what] = undefined;
			const later = await run();

			expect(later).toContain('Paid before, nothing paid now: 1 ($50.00)');
			expect(bill.Balance).toBe(0);
			expect(await control.fundings()).toHaveLength(1);
			await expectBooked(1);
		},
	);

	test(`examples/${EXAMPLE} books once when the answer of QuickBooks is lost`, async () => {
		const bill = addBill('L-1', '1', 50);
		books.trouble.booking = 'cut_after';

		await answer('Pay');
		await settle();

		expect(textOf(messages().at(-1) as ServiceRequest)).toContain('did not confirm it');
		await expectBooked(1);
		expect(bill.Balance).toBe(0);

		books.trouble.booking = undefined;

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
		expect(books.payments).toEqual([]);
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
		books.bills = books.bills.filter(({ DocNumber: number }) => number !== 'T-3');
		await payVendor(fixture(), 300);
		await control.setSettings({ paused: false });
		await settle();

		const texts = messages().slice(before).map(textOf).join('\n');
		expect(texts).toMatch(/T-2[^`]* More than one bill in QuickBooks has this number/);
		expect(texts).toMatch(/T-3[^`]* No bill in QuickBooks has this number/);
		expect(texts).toMatch(/without an invoice number[^`]* The ledger does not know this payable/);
		expect(books.payments).toEqual([]);
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
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
		};
		await publishFor({ approvers: 'U0OTHER' }, { limitWaitTime });
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
		const execution = await n8n.executions.newestOf(id, 1);

		expect(outputItems(execution, 'Not signed: nothing is booked')).toHaveLength(1);
		expect(books.payments).toEqual([]);
	});

	test(`examples/${EXAMPLE} says which settings are missing`, async () => {
		await publishFor({ approvers: '', bank_account_id: ' ' });
		addBill('M-1', '1', 50);

		expect(await run()).toContain('Nothing was paid: `Enter bank_account_id and approvers in');
	});
}
