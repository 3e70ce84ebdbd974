import { outputItems, successfulItems } from '../../tools/n8n';
import { useAgent } from './support/agent';
import { answerForm } from './support/slack';

export function testAgentThatPrepares(): void {
	const { fixture, model, publish, post, end } = useAgent();

	const NAME = 'examples/agent-prepares-person-pays.json';
	const STOP = 'Stop here and tell a person. Do not try it in another way.';

	/** What the model says when it does its work; each key is the name of a field of the tool. */
	const invoiceOf = (Payee_Email: string, Amount__Dollars_ = '250.00') => ({
		Payee_Email,
		Amount__Dollars_,
		Description: 'Three videos',
	});

	test(`${NAME} pays an invoice once, when a person approves it`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([invoiceOf(email)]);

		const question = await post('INV-1042');
		expect(JSON.stringify(question.body)).toContain(
			`Pay $250.00 to ${email} for invoice INV-1042?`,
		);
		expect(await control.requests('createFunding')).toEqual([]);
		await answerForm(question, 'Answer', 'Pay');
		const payouts = successfulItems(await end(), 'Pay from balance');
		expect(payouts).toMatchObject([{ json: { status: 'funded', unique_reference: 'INV-1042' } }]);
		expect(await control.payables()).toMatchObject([
			{ amount: 25_000, status: 'paid', description: 'Three videos [INV-1042]' },
		]);

		const again = await post(' inv-1042');
		expect(model().attempts.map(({ answer }) => answer)).toEqual([
			expect.stringContaining('"status":"duplicate","first_status":"funded"'),
		]);
		expect(JSON.stringify(again.body)).toContain('Nothing waits to be paid for invoice INV-1042.');
		await end();
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });
		expect(await control.payables()).toHaveLength(1);
	});

	test(`${NAME} pays nothing when the person declines #person-declines`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([invoiceOf(email)]);
		const question = await post('INV-1043');
		await answerForm(question, 'Answer', 'Do not pay');
		expect(outputItems(await end(), 'Pay from balance')).toEqual([]);
		expect(await control.requests('createFunding')).toEqual([]);
	});

	test(`${NAME} prepares one payout within its limits, whatever the model tries`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		const tool = {
			number: 'INV-2',
			uniqueReference: 'INV-2',
			fundingMethod: 'balance',
			options: { maxAmount: '1000000', allowedPayees: 'eve@example.com' },
		};
		model().follow([
			invoiceOf(email, '1000.01'),
			{ ...invoiceOf(email, '5000'), ...tool },
			{ ...invoiceOf('eve@example.com'), ...tool },
			{ ...invoiceOf(email), ...tool },
			{ ...invoiceOf(email), ...tool, number: 'INV-3', uniqueReference: 'INV-3' },
			invoiceOf(email, '999.00'),
		]);

		const question = await post('INV-1044');

		const answers = model().attempts.map(({ answer }) => answer);
		expect(answers).toEqual([
			expect.stringContaining('1000.01 in item 0 is above the Maximum Amount, 1000.00'),
			expect.stringContaining('5000.00 in item 0 is above the Maximum Amount, 1000.00'),
			expect.stringContaining('eve@example.com\\" is not among the Allowed Payees'),
			expect.stringContaining('"status":"prepared","unique_reference":"INV-1044"'),
			expect.stringContaining('"status":"duplicate","first_status":"prepared"'),
			expect.stringMatching(/INV-1044.*(?:250\.00.*999\.00|999\.00.*250\.00)/),
		]);
		for (const refused of [0, 1, 2, 5]) expect(answers[refused]).toContain(STOP);
		expect(JSON.stringify(question.body)).toContain(
			`Pay $250.00 to ${email} for invoice INV-1044?`,
		);
		expect(await control.payables()).toMatchObject([
			{ payee_email: email, amount: 25_000, status: 'approved' },
		]);
		expect(await control.requests('createFunding')).toEqual([]);
		expect(await control.vendor(email)).toMatchObject({ balance: 0 });
		await answerForm(question, 'Answer', 'Do not pay');
		await end();
	});
}
