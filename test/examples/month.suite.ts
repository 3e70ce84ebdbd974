import { DateTime } from 'luxon';

import { importExample } from '../n8n/support/example';
import { addVendors, usePayouts } from '../n8n/support/payouts';
import { useExamples } from './support/instance';
import { attachment, type ReceivedMail, useMailServer } from './support/mail';
import { settingsOf } from './support/settings';

/** How many payouts three months have; MONTH_ENTRIES=10000 takes minutes. */
const ENTRIES = Number(process.env['MONTH_ENTRIES'] ?? 300);
/** How many vendors a month has: few, since each mail takes the mail server 0.15 s. */
const VENDORS = 2 + Math.ceil(ENTRIES / 1200);

/** The ledger of these tests: the credential says where it is without any changes. */
const OWN_LEDGER = {};

export function testMonth(): void {
	const FILE = 'monthly-statement.json';
	const BOOKKEEPER = 'accounting@example.com';
	const ADDRESSES = { mail_from: 'n8n@example.com', bookkeeper: BOOKKEEPER };
	const fixture = useExamples();
	const mailServer = useMailServer();
	const { createWorkflow } = usePayouts(fixture);

	async function pay(change: Record<string, unknown>, payee: string, ...amounts: number[]) {
		const workflow = await createWorkflow(change);
		const items = amounts.map((amount) => ({
			payee,
			amount,
			reference: `@${payee.split('@', 1).join()} ${amount}`,
		}));

		return (await workflow.pay(items)).map(({ status }) => status);
	}

	/** What a vendor has in the service's own ledger. */
	const received = async (email: string): Promise<number> =>
		(await fixture().sandbox.control.vendor(email)).balance;

	/** Starts the example by hand with other settings; returns the run, and its mails. */
	async function run(settings: Record<string, unknown>) {
		const { n8n } = fixture();
		const { mails, credentialData } = mailServer();
		const smtp = await n8n.createCredential('Mail', 'smtp', credentialData);
		const { id } = await importExample(fixture(), FILE, {
			ledger: OWN_LEDGER,
			credentials: { 'Mail the statement': smtp, 'Mail the reconciliation': smtp },
			parameters: settingsOf(FILE, { ...ADDRESSES, ...settings }),
		});

		mails.length = 0;
		const execution = await n8n.runManually(id, 'When clicking ‘Execute workflow’');

		return { execution, mails: [...mails] };
	}

	/** Lets a run end well; returns its mails, the reconciliation first. */
	async function report(settings: Record<string, unknown> = {}): Promise<ReceivedMail[]> {
		const { execution, mails } = await run(settings);
		const { status, startedAt, stoppedAt } = execution;
		const seconds = (Date.parse(stoppedAt ?? '') - Date.parse(startedAt)) / 1000;
		console.log(`${mails.length} mails in ${seconds} s`);

		expect(status).toBe('success');
		expect(seconds).toBeLessThanOrEqual(10);

		return mails;
	}

	const toCents = (dollars = ''): number => Number(dollars.replace(/[.,]/g, ''));
	const dollarsOf = (cents = 0): string =>
		(cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
	const fileOf = (mail?: ReceivedMail): string =>
		mail ? attachment(mail, 'text/csv').toString() : '';
	/** What a mail's file adds up to, in cents. */
	const totalOf = (mail?: ReceivedMail): number =>
		[...fileOf(mail).matchAll(/"([\d.]+)"$/gm)].reduce((sum, [, last]) => sum + toCents(last), 0);

	/** The dollars of a page's rows that name somebody, in cents. */
	const pageTotalOf = (mail?: ReceivedMail): number => {
		const page = typeof mail?.html === 'string' ? mail.html : '';
		const rows = page.matchAll(/>[^<]*@[^<]*<\/td><td[^>]*>\d+<\/td><td[^>]*>\$([\d.,]+)</g);

		return [...rows].reduce((sum, [, dollars]) => sum + toCents(dollars), 0);
	};

	/** Expects statements for these vendors; returns the reconciliation, and what they were paid. */
	async function reconcile(first_day: string, last_day: string, payees: string[]) {
		const mails = await report({ first_day, last_day, mail_vendors: true });
		const [reconciliation, ...statements] = mails;

		expect(statements.flatMap(({ recipients }) => recipients).sort()).toEqual([...payees].sort());

		let paid = 0;
		for (const mail of statements) {
			const total = await received(mail.recipients[0] ?? '');

			expect(mail.text).toContain(`: ${dollarsOf(total)}. The attached file`);
			expect(totalOf(mail)).toBe(total);

			paid += total;
		}

		return { reconciliation, paid };
	}

	test(`examples/${FILE} adds up to the service's own ledger, to the cent`, async () => {
		const { control, workspaceId } = fixture().sandbox;
		const [ann = '', bob = '', eve = ''] = await addVendors(fixture().sandbox, 3);

		// As floating-point dollars, 0.10 and 0.20 do not add up.
		expect(await pay({}, ann, 10, 20, 199_990)).toEqual(['funded', 'funded', 'funded']);
		expect(await pay({ options: { approvedBy: '@Ann Lee' } }, bob, 7)).toEqual(['funded']);
		expect(await pay({ fundingMethod: 'invoice' }, bob, 5_000)).toEqual(['awaiting_deposit']);
		expect(await pay({ options: { holdAbove: '3.00' } }, bob, 301)).toEqual(['held']);

		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

		expect(await pay({}, eve, 33)).toEqual(['unconfirmed']);

		const { accounts, entries } = await control.ledger();
		const wallet = accounts.find(({ account }) => account === `workspace:${workspaceId}`);
		const spent = entries.filter(
			({ kind, account }) => kind === 'funding' && account === wallet?.account,
		);

		// The days on either side, since this day may be another one in the workflow's time zone.
		const firstDay = DateTime.now().minus({ days: 1 }).toISODate();
		const lastDay = DateTime.now().plus({ days: 1 }).toISODate();
		const { reconciliation, paid } = await reconcile(firstDay, lastDay, [ann, bob]);
		const lines = reconciliation?.text?.matchAll(/^([A-Z][a-z ]+): (\d+), \$([\d.,]+)$/gm) ?? [];
		const found = [...lines].map(([, status, count, sum]) => [status, Number(count), toCents(sum)]);

		expect(found).toEqual([
			['Paid', 4, paid],
			['Awaiting deposit', 1, 5_000],
			['Unconfirmed', 1, await received(eve)],
			['Held', 1, 301],
			['Void', 0, 0],
			['In progress', 0, 0],
			['Not sent', 0, 0],
		]);
		expect(spent.reduce((sum, { amount }) => sum - amount, 0)).toBe(paid + 33);
		expect(reconciliation?.text).toContain(`The wallet holds ${dollarsOf(wallet?.balance)} now.`);
		expect(totalOf(reconciliation)).toBe(paid + 33 + 5_000 + 301);
		expect(pageTotalOf(reconciliation)).toBe(paid);
		expect(fileOf(reconciliation)).not.toContain('"@');
		expect(fileOf(reconciliation)).toContain(',approved_by,dollars\n');
		expect(fileOf(reconciliation)).toContain(`,"'@Ann Lee","0.07"\n`);

		const mails = await report({ first_day: firstDay, last_day: lastDay });
		const toBookkeeper = mails.map(({ recipients }) => recipients);

		expect(toBookkeeper).toEqual([[BOOKKEEPER], [BOOKKEEPER], [BOOKKEEPER]]);
	});

	test(`examples/${FILE} reports the last month, where no other time is set`, async () => {
		const mails = await report();

		const [, first = '', last] =
			/(\d{4}-\d\d-01) to (\d{4}-\d\d-\d\d)$/.exec(mails[0]?.subject ?? '') ?? [];
		expect(mails).toMatchObject([{ text: expect.stringContaining('Paid: 0, $0.00') }]);
		expect(last).toBe(DateTime.fromISO(first).endOf('month').toISODate());
	});

	test.each([
		['last_day is before first_day', { first_day: '2026-05-02', last_day: '2026-05-01' }],
		['bookkeeper is empty', { bookkeeper: '' }],
		['mail_from is empty', { mail_from: '' }],
	])(`examples/${FILE} fails, and mails nothing, if %s`, async (_, settings) => {
		const { execution, mails } = await run(settings);

		expect(execution.status).toBe('error');
		expect(mails).toEqual([]);
	});

	test(
		`examples/${FILE} adds up three months, and one of them, in ten seconds`,
		async () => {
			const { n8n, sandbox, ledgerTable } = fixture();
			const [table] = n8n.database.rows('SELECT id FROM data_table WHERE name = ?', ledgerTable);
			const count = Math.ceil(ENTRIES / 3 / VENDORS);
			const months: string[][] = [];
			for (const ago of [4, 3, 2]) {
				const payees = await addVendors(sandbox, VENDORS, `month-${ago}`);
				const amounts = Array.from({ length: count }, (_, index) => 1 + 37 * index);
				for (const payee of payees) {
					await pay({}, payee, ...amounts);
				}

				months.push(payees);
				// As if they had been sent from the 1st to the 28th, at an hour that has this day in most time zones.
				n8n.database.change(
					`UPDATE "data_table_user_${String(table?.['id'])}" SET createdAt =
					strftime('%F %R:%f', 'now', 'start of month', '-${ago} months', (id % 28) || ' days',
					'12 hours')
					WHERE payee LIKE 'vendor-month-${ago}-%'`,
				);
			}

			for (const less of [0, 1]) {
				const start = DateTime.utc().startOf('month').minus({ months: 4 });
				const firstDay = start.plus({ months: less }).toISODate();
				const lastDay = start
					.plus({ months: 2 - less })
					.set({ day: 28 })
					.toISODate();
				const payees = months.slice(less, 3 - less).flat();

				const { reconciliation, paid } = await reconcile(firstDay, lastDay, payees);

				expect(reconciliation?.text).toContain(
					`Paid: ${payees.length * count}, ${dollarsOf(paid)}\n`,
				);
				expect(totalOf(reconciliation)).toBe(paid);
			}
		},
		60 * 60_000,
	);
}
