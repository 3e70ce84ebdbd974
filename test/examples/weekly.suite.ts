import { type Execution, outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { payoutParameters, type PayoutRequest } from '../../tools/payouts/payout';
import { readLedger } from '../../tools/payouts/ledgerStore';
import { addLedger, importExample } from '../n8n/support/example';
import { addVendor, PayoutWorkflow } from '../n8n/support/payouts';
import { useEmptySandbox, useExamples } from './support/instance';
import { type ReceivedMail, useMailServer } from './support/mail';
import { linkOf, openLink, sendForm } from './support/mailForm';
import { settingsOf } from './support/settings';

export function testWeeklyRun(): void {
	const FILE = 'weekly-payment-run.json';
	const APPROVER = 'approver@example.com';
	const ADDRESSES = { approver: APPROVER, mail_from: 'n8n@example.com' };
	const PHOTOS = 'photos@example.com';
	const YES = { 'Your answer': 'Pay', 'Your name': 'Ann Lee' };
	const NO = { ...YES, 'Your answer': 'Do not pay' };
	const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

	const fixture = useExamples();
	const mailServer = useMailServer();
	useEmptySandbox(fixture);

	let ledger: { ledgerTable?: string };
	let prepare: (...payouts: PayoutRequest[]) => Promise<void>;
	let payElsewhere: (...payouts: PayoutRequest[]) => Promise<unknown[]>;
	let resolve: (reference: string, outcome: string) => Promise<void>;

	beforeEach(async () => {
		const { n8n, sandbox, createClient } = fixture();
		await addVendor(sandbox, PHOTOS);
		ledger = await addLedger(n8n);
		const credential = await createClient(ledger);
		const create = async (change: Record<string, unknown>) =>
			await PayoutWorkflow.create(n8n, credential, payoutParameters(sandbox.workspaceId, change));
		const preparing = await create({ fundingMethod: 'none' });
		const paying = await create({});
		const resolving = await create({ operation: 'resolve', outcome: '={{ $json.outcome }}' });

		prepare = async (...payouts) => {
			const prepared = await preparing.pay(payouts);

			expect(prepared.map(({ status }) => status)).toEqual(payouts.map(() => 'prepared'));
		};
		payElsewhere = async (...payouts) => (await paying.pay(payouts)).map(({ status }) => status);
		resolve = async (reference, outcome) => {
			expect(await resolving.pay([{ reference, outcome }])).toMatchObject([{ is_resolved: true }]);
		};

		mailServer().mails.length = 0;
		mailServer().refuse(false);
	});

	const ana = (): string => fixture().sandbox.verifiedVendorEmail;
	const toAna = (reference: string, amount: number) => ({ reference, amount, payee: ana() });
	const toPhotos = (reference: string, amount: number) => ({ reference, amount, payee: PHOTOS });

	const balancesOf = async (...emails: string[]): Promise<number[]> => {
		const { control } = fixture().sandbox;
		const vendors = await Promise.all(emails.map(async (email) => await control.vendor(email)));

		return vendors.map(({ balance }) => balance);
	};
	const received = async () => await balancesOf(ana(), PHOTOS);

	/** The next mail that no one has looked at yet. */
	const nextMail = async (): Promise<ReceivedMail> =>
		await poll('a mail', () => mailServer().mails.shift());

	/** Imports the example; returns what starts a run of it by hand. */
	async function importRun(settings: Record<string, unknown> = {}) {
		const { n8n } = fixture();
		const smtp = await n8n.createCredential('Mail', 'smtp', mailServer().credentialData);
		const { id } = await importExample(fixture(), FILE, {
			ledger,
			credentials: { 'Ask by email': smtp, 'Remind by email': smtp, 'Mail the summary': smtp },
			parameters: settingsOf(FILE, { ...ADDRESSES, ...settings }),
		});

		return async () => await n8n.runManually(id, 'Every Tuesday at nine');
	}

	/** Starts a run; returns its question, its form, and what answers it and waits for the end. */
	async function ask(settings: Record<string, unknown> = {}) {
		const run = await importRun(settings);
		const ended = run();
		const question = await nextMail();
		const link = linkOf(question);
		const page = await openLink(link);

		const answer = async (answers: Record<string, string> = YES) => {
			await sendForm(link, answers);

			return await end(ended);
		};

		return { question, link, page, answer, ended };
	}

	/** Waits for the end of a run; returns it with the text of its summary. */
	async function end(ended: Promise<Execution>) {
		const execution = await ended;
		const summary = await nextMail();

		expect(execution.status).toBe('success');
		expect(summary.recipients).toEqual([APPROVER]);
		expectSum(summary.text ?? '');

		return { execution, summary, told: summary.text ?? '' };
	}

	/** Starts a run that asks nothing. */
	async function runToEnd(settings: Record<string, unknown> = {}) {
		const run = await importRun(settings);

		return await end(run());
	}

	/** Expects that the outcomes of a summary add up to all rows, in number and in dollars. */
	function expectSum(text: string): void {
		const counted = [...text.matchAll(/^([A-Z][^:\n]+): (\d+) \(\$([\d.,]+)\)$/gm)];
		const [all, ...parts] = counted.map(([, , count, dollars = '']) => ({
			count: Number(count),
			cents: Number(dollars.replace(/[.,]/g, '')),
		}));
		if (all === undefined) {
			expect(text).toContain('Nothing is prepared');
			return;
		}

		expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(all.count);
		expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(all.cents);
	}

	const NOTHING = 'Nothing is prepared, so nothing was asked.';

	test(`examples/${FILE} pays what is prepared after one yes by email, and once`, async () => {
		const { control } = fixture().sandbox;
		await prepare(toAna('INV-1', 25_000), toPhotos('P-1', 12_050), toAna('INV-2', 10_000));

		const { question, page, link, answer } = await ask();

		expect(question.recipients).toEqual([APPROVER]);
		expect(question.subject).toBe('Pay vendors: 3 ($470.50)?');
		expect(question.html).toMatch(
			/Prepared payouts: 3 \(\$470\.50\)\. The wallet holds \$[\d.,]+\.\n/,
		);
		expect(question.html).toContain(`${ana()}: 2 ($350.00)\n${PHOTOS}: 1 ($120.50)`);
		expect(page).toContain(`<td>${ana()}</td><td>2</td><td>$350.00</td>`);
		expect(page).toContain('<td>Total</td><td>3</td><td>$470.50</td>');
		expect(page).toContain(`<td>${PHOTOS}</td><td>P-1</td><td>$120.50</td>`);

		// As a mail scanner does.
		await openLink(link);
		await openLink(link);

		expect(await received()).toEqual([0, 0]);

		const { told, summary } = await answer();

		expect(told).toContain('"Pay" was the answer of Ann Lee (by email to approver@example.com).');
		expect(told).toContain('Rows: 3 ($470.50)\n\nPaid (a new vendor gets it once verified): 3');
		expect(told).toContain(`• ${ana()}: Paid (a new vendor gets it once verified) 2 ($350.00)`);
		expect(summary.html).toContain(`${PHOTOS}</td>`);
		expect(await received()).toEqual([35_000, 12_050]);
		expect(await control.fundings()).toHaveLength(1);
		const { rows } = await readLedger(fixture().n8n, String(ledger.ledgerTable));
		expect(rows.map((row) => [row['state'], row['approved_by']])).toEqual(
			Array(3).fill(['funded', `Ann Lee (by email to ${APPROVER})`]),
		);

		const again = await runToEnd();

		expect(again.told).toBe(NOTHING);
		expect(await received()).toEqual([35_000, 12_050]);
	});

	test(`examples/${FILE} pays once what two runs ask about, both answered with yes at once`, async () => {
		await prepare(toAna('INV-1', 25_000), toPhotos('P-1', 12_050));
		const [one, other] = [await ask(), await ask()];

		await Promise.all([sendForm(one.link, YES), sendForm(other.link, YES)]);
		const executions = await Promise.all([one.ended, other.ended]);
		const mails = [await nextMail(), await nextMail()];

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		for (const { text = '' } of mails) {
			expectSum(text);
		}
		expect(mails.map(({ subject }) => subject).sort()).toEqual([
			'Weekly payment run: paid 0 ($0.00)',
			'Weekly payment run: paid 2 ($370.50)',
		]);
		expect(await received()).toEqual([25_000, 12_050]);
	});

	test(`examples/${FILE} pays nothing again that another run was told to pay before`, async () => {
		await prepare(toAna('INV-1', 25_000), toPhotos('P-1', 12_050));
		const [one, other] = [await ask(), await ask()];
		await one.answer();

		const { told } = await other.answer();

		expect(told).toContain('Paid before, nothing paid now: 2 ($370.50)');
		expect(await received()).toEqual([25_000, 12_050]);
	});

	test(`examples/${FILE} pays nothing after a no`, async () => {
		await prepare(toAna('INV-1', 25_000));
		const first = await ask();

		const { told } = await first.answer(NO);

		expect(told).toContain('The answer of "Ann Lee" was not "Pay", so nothing was paid.');
		expect(told).toContain('Prepared, nothing paid yet: 1 ($250.00)');

		const second = await ask();
		const nameless = await second.answer({ 'Your answer': 'Pay' });

		expect(nameless.told).toContain('nothing was paid');
		expect(await received()).toEqual([0, 0]);
	});

	test(`examples/${FILE} pays nothing that the wallet cannot pay as a whole`, async () => {
		const { control, workspaceId } = fixture().sandbox;
		const settings = { maximum_amount: '9000000', maximum_total: '9000000' };
		const { accounts } = await control.ledger();
		const wallet = accounts.find(({ account }) => account === `workspace:${workspaceId}`);
		await prepare(toAna('INV-1', wallet?.balance ?? 0), toPhotos('P-1', 1));

		const { question, answer } = await ask(settings);
		const { told } = await answer();

		expect(question.html).toContain('which is $0.01 too little: top it up before you answer');
		expect(told).toContain('Not paid by this run: 2');
		expect(told).toContain('The wallet holds ');
		expect(await received()).toEqual([0, 0]);

		await control.deposit(workspaceId, 1);
		const next = await ask(settings);
		await next.answer();

		expect(await received()).toEqual([wallet?.balance, 1]);
	});

	test(`examples/${FILE} pays only what is as it was shown, and tells of the rest`, async () => {
		await prepare(
			toAna('INV-1', 10_000),
			toAna('INV-2', 20_000),
			toAna('INV-3', 30_000),
			toAna('INV-4', 40_000),
			toPhotos('P-1', 5_000),
		);
		const { answer } = await ask();
		await resolve('INV-2', 'void');
		await resolve('INV-3', 'notPaid');
		await prepare(toAna('INV-3', 31_000), toPhotos('P-2', 6_000));
		await resolve('INV-4', 'notPaid');

		expect(await payElsewhere(toPhotos('P-1', 5_000))).toEqual(['funded']);

		const { told } = await answer();

		expect(await received()).toEqual([10_000, 5_000]);
		expect(told).toContain('Paid (a new vendor gets it once verified): 1 ($100.00)');
		expect(told).toContain('Paid before, nothing paid now: 1 ($50.00)');
		expect(told).toContain('Not paid by this run: 3 ($900.00)');
		expect(told).toContain('is void, so it is never paid');
		expect(told).toMatch(/has changed since .*\$300\.00 to ana@example\.com \(not_paid\)/);
		expect(told).toMatch(/has changed since .*\$310\.00 to ana@example\.com \(prepared\)/);
		expect(told).toMatch(/has changed since .*\$400\.00 to ana@example\.com \(not_paid\)/);
		expect(told).toContain(`• $310.00 "${ana()} INV-3"`);
		expect(told).toContain(`• $60.00 "${PHOTOS} P-2"`);
	});

	test(`examples/${FILE} tells what is unconfirmed, and pays it only after a person has found out`, async () => {
		const { control } = fixture().sandbox;
		await prepare(toAna('INV-1', 10_000), toPhotos('P-1', 5_000));
		const { answer } = await ask();
		await control.addFault({ kind: 'cut_before', ...CREATE_FUNDING });

		const { told } = await answer();

		expect(told).toContain('Unconfirmed, may have been paid: 2 ($150.00)');

		const again = await runToEnd();

		expect(again.told).toContain('Nothing can be paid, so nothing was asked.');
		expect(again.told).toContain('Unconfirmed, may have been paid: 2 ($150.00)');

		await resolve('INV-1', 'notPaid');
		await resolve('P-1', 'paid');
		const next = await ask();
		await next.answer();

		expect(next.question.subject).toBe('Pay vendors: 1 ($100.00)?');
		expect(await received()).toEqual([10_000, 0]);
		expect((await runToEnd()).told).toBe(NOTHING);
	});

	test(`examples/${FILE} never asks again about a duplicate that was resolved as Not Paid`, async () => {
		await prepare(toAna('INV-1', 10_000), toPhotos('P-1', 5_000));

		expect(await payElsewhere(toAna('A-7', 10_000))).toEqual(['funded']);

		const declined = await ask();
		await declined.answer(NO);
		await resolve('INV-1', 'notPaid');
		const next = await ask();
		await next.answer();

		expect(declined.page).toContain('INV-1');
		expect(next.page).not.toContain('INV-1');
		expect(await received()).toEqual([10_000, 5_000]);
		expect((await runToEnd()).told).toBe(NOTHING);
	});

	test(`examples/${FILE} pays nothing twice when the answer of the service was lost`, async () => {
		const { control } = fixture().sandbox;
		await prepare(toAna('INV-1', 10_000), toPhotos('P-1', 5_000));
		const { answer } = await ask();
		await control.addFault({ kind: 'cut_after', ...CREATE_FUNDING });

		const { told } = await answer();
		const again = await runToEnd();

		expect(told).toContain('Unconfirmed, may have been paid: 2 ($150.00)');
		expect(again.told).toContain('Unconfirmed, may have been paid: 2 ($150.00)');
		expect(await control.fundings()).toHaveLength(1);
		expect(await received()).toEqual([10_000, 5_000]);
	});

	test(`examples/${FILE} pays a possible duplicate only if the person checks it`, async () => {
		await prepare(toAna('INV-1', 10_000), toPhotos('P-1', 5_000));

		expect(await payElsewhere(toAna('A-7', 10_000))).toEqual(['funded']);

		const first = await ask();
		const unchecked = await first.answer();

		expect(first.question.subject).toBe('Pay vendors: 1 ($50.00)?');
		expect(first.page).toMatch(/Row 1: \$100\.00 .* Possible duplicate of A-7 /);
		expect(unchecked.told).toContain('Held, nothing paid: 1 ($100.00)');
		expect(unchecked.told).toContain('The next run asks about what is held.');
		expect(unchecked.told).not.toContain('is not A-7');
		expect(await received()).toEqual([10_000, 5_000]);

		const second = await ask();
		const checked = await second.answer({ ...YES, 'Pay these, too': '["Row 1: "]' });

		expect(second.question.subject).toBe('Pay vendors: 0 ($0.00)?');
		expect(checked.told).toContain('Paid (a new vendor gets it once verified): 1 ($100.00)');
		expect(await received()).toEqual([20_000, 5_000]);
	});

	test(`examples/${FILE} holds again what was paid under another number while the person decided`, async () => {
		await prepare(toAna('INV-1', 10_000));
		const { answer } = await ask();

		expect(await payElsewhere(toAna('A-7', 10_000))).toEqual(['funded']);

		const { told } = await answer();

		expect(told).toContain('Held, nothing paid: 1 ($100.00)');
		expect(await received()).toEqual([10_000, 0]);

		const next = await ask();
		await next.answer(NO);

		expect(next.page).toContain('Possible duplicate of A-7');
	});

	test(`examples/${FILE} asks nothing above a limit`, async () => {
		await prepare(toAna('INV-1', 100_001), toPhotos('P-1', 5_000));

		const { told } = await runToEnd();

		expect(told).toContain('Nothing can be paid, so nothing was asked.');
		expect(told).toMatch(/above .*Limit: Maximum Amount/);
		expect(told).toContain('Not paid by this run: 2 ($1,050.01)');
		expect(await received()).toEqual([0, 0]);
	});

	test(`examples/${FILE} shows the words of others as words`, async () => {
		const reference = `INV-1 <b>x</b> 'a' "b" & https://evil.example/x`;
		await prepare(toAna(reference, 10_000));

		const { page, question, answer } = await ask();
		const { told, summary } = await answer({ ...YES, 'Your name': 'Ann\n<b>Lee</b>' });

		expect(page).toContain(
			'<td>INV-1 &lt;b&gt;x&lt;/b&gt; \'a\' "b" &amp; https://evil.example/x</td>',
		);
		expect(`${String(question.html)} ${told} ${String(summary.html)}`).not.toMatch(/<b>|evil\./);
		expect(told).toContain('Ann b Lee /b (by email');
		expect(await received()).toEqual([10_000, 0]);
	});

	test(`examples/${FILE} fails if it cannot ask, and pays nothing`, async () => {
		await prepare(toAna('INV-1', 10_000));
		const run = await importRun();
		mailServer().refuse(true);

		const { status } = await run();

		expect(status).toBe('error');
		expect(await received()).toEqual([0, 0]);
	});

	test(`examples/${FILE} fails if it cannot tell what was paid, and pays nothing twice`, async () => {
		await prepare(toAna('INV-1', 10_000));
		const { link, ended } = await ask();
		mailServer().refuse(true);
		await sendForm(link, YES);

		const execution = await ended;

		expect(execution.status).toBe('error');
		expect(outputItems(execution, 'Pay from balance')).toMatchObject([
			{ json: { status: 'funded' } },
		]);

		mailServer().refuse(false);
		const again = await runToEnd();

		expect(again.told).toBe(NOTHING);
		expect(await received()).toEqual([10_000, 0]);
	});

	// n8n looks for questions without an answer once a minute.
	test(`examples/${FILE} reminds once, and pays nothing after the deadline`, async () => {
		await prepare(toAna('INV-1', 10_000));
		const { link, ended } = await ask({ hours_to_answer: 0.001, hours_after_reminder: 0.01 });
		const reminder = await nextMail();
		const isWaiting = await openLink(linkOf(reminder));

		const old = await openLink(link);
		const { told } = await end(ended);
		const late = await openLink(linkOf(reminder));

		expect(reminder.subject).toBe('Reminder: Pay vendors: 1 ($100.00)?');
		expect(reminder.recipients).toEqual([APPROVER]);
		expect(isWaiting).toContain('Your answer');
		for (const page of [old, late]) {
			expect(page).toContain('No action required');
			expect(page).not.toContain('Your answer');
		}
		expect(told).toContain('No answer came in time, so nothing was paid.');
		expect(told).toContain('Prepared, nothing paid yet: 1 ($100.00)');
		expect(await received()).toEqual([0, 0]);
	});
}
