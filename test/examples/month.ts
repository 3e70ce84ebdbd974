import { DateTime } from 'luxon';

import { importExample } from '../n8n/support/example';
import { addVendors, usePayouts } from '../n8n/support/payouts';
import { useExamples } from './support/instance';
import { attachment, type ReceivedMail, useMailServer } from './support/mail';
import { settingsOf } from './support/settings';

export function testMonth(): void {
	const FILE = 'monthly-statement.json';
	const BOOKKEEPER = 'accounting@example.com';
	const fixture = useExamples();
	const mailServer = useMailServer();
	const { createTableWorkflow } = usePayouts(fixture);

	/** Starts the example by hand with other settings; returns its mails, the reconciliation first. */
	async function report(settings: Record<string, unknown> = {}): Promise<ReceivedMail[]> {
		const { n8n, ledger } = fixture();
		const { mails, credentialData } = mailServer();
		const smtp = await n8n.createCredential('Mail', 'smtp', credentialData);
		const { id } = await importExample(fixture(), FILE, {
			ledger,
			credentials: { 'Mail the statement': smtp, 'Mail the reconciliation': smtp },
			parameters: settingsOf(FILE, settings),
		});
		mails.length = 0;
		const { status } = await n8n.runManually(id, 'When clicking ‘Execute workflow’');
		expect(status).toBe('success');
		return [...mails];
	}

	const toCents = (dollars = ''): number => Number(dollars.replace('.', ''));
	const fileOf = (mail?: ReceivedMail): string =>
		mail ? attachment(mail, 'text/csv').toString() : '';
	/** What a mail's file adds up to, in cents. */
	const totalOf = (mail?: ReceivedMail): number =>
		[...fileOf(mail).matchAll(/"([\d.]+)"$/gm)].reduce((sum, [, last]) => sum + toCents(last), 0);

	test(`examples/${FILE} adds up to the service's own ledger, to the cent`, async () => {
		const { control, workspaceId } = fixture().sandbox;
		const [ann = '', bob = '', eve = ''] = await addVendors(fixture().sandbox, 3);
		const pay = async (change: Record<string, unknown>, payee: string, ...amounts: number[]) => {
			const workflow = await createTableWorkflow(change);
			const items = amounts.map((amount) => ({ payee, amount, reference: `=${payee} ${amount}` }));
			return (await workflow.pay(items)).map(({ status }) => status);
		};
		// As floating-point dollars, 0.10 and 0.20 do not add up.
		expect(await pay({}, ann, 10, 20, 199_990)).toEqual(['funded', 'funded', 'funded']);
		expect(await pay({}, bob, 7)).toEqual(['funded']);
		expect(await pay({ fundingMethod: 'invoice' }, bob, 5_000)).toEqual(['awaiting_deposit']);
		expect(await pay({ options: { holdAbove: '3.00' } }, bob, 301)).toEqual(['held']);
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		expect(await pay({}, eve, 33)).toEqual(['unconfirmed']);

		const received = async (email: string) => (await control.vendor(email)).balance;
		const { accounts, entries } = await control.ledger();
		const wallet = accounts.find(({ account }) => account === `workspace:${workspaceId}`);
		const spent = entries.filter(
			({ kind, account }) => kind === 'funding' && account === wallet?.account,
		);

		const since = DateTime.now().minus({ hours: 1 }).toISO();
		const until = DateTime.now().plus({ hours: 1 }).toISO();
		const [reconciliation, ...statements] = await report({ since, until, mail_vendors: true });
		expect(statements.flatMap(({ recipients }) => recipients).sort()).toEqual([ann, bob].sort());
		for (const mail of statements) {
			const total = await received(mail.recipients[0] ?? '');
			expect(mail.text).toContain(`: $${(total / 100).toFixed(2)}. The attached file`);
			expect(totalOf(mail)).toBe(total);
		}
		const lines = reconciliation?.text?.matchAll(/^([A-Z][a-z ]+): (\d+), \$([\d.]+)$/gm) ?? [];
		const found = [...lines].map(([, status, count, sum]) => [status, Number(count), toCents(sum)]);
		const paid = (await received(ann)) + (await received(bob));
		expect(found).toEqual([
			['Paid', 4, paid],
			['Awaiting deposit', 1, 5_000],
			['Unconfirmed', 1, await received(eve)],
			['Held', 1, 301],
			...['Void', 'In progress', 'Not sent'].map((status) => [status, 0, 0]),
		]);
		expect(spent.reduce((sum, { amount }) => sum - amount, 0)).toBe(paid + 33);
		const balance = ((wallet?.balance ?? 0) / 100).toFixed(2);
		expect(reconciliation?.text).toContain(`The wallet holds $${balance} now.`);
		expect(totalOf(reconciliation)).toBe(paid + 33 + 5_000 + 301);
		expect(fileOf(reconciliation)).not.toContain('"=');

		const toBookkeeper = (await report({ since, until })).map(({ recipients }) => recipients);
		expect(toBookkeeper).toEqual([[BOOKKEEPER], [BOOKKEEPER], [BOOKKEEPER]]);
		const lastMonth = await report();
		expect(lastMonth).toMatchObject([{ text: expect.stringContaining('Paid: 0, $0.00') }]);
		const days = /(\d+)-(\d+)-01 until (\d+)-(\d+)-01$/.exec(lastMonth[0]?.subject ?? '');
		const [from = 0, fromMonth = 0, to = 0, toMonth = 0] = (days ?? []).slice(1).map(Number);
		expect(to * 12 + toMonth).toBe(from * 12 + fromMonth + 1);
	});
}
