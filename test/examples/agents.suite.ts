import { outputItems, successfulItems } from '../../tools/n8n';
import { addVendor } from '../n8n/support/payouts';
import { importExample } from '../n8n/support/example';
import { useAgent } from './support/agent';
import { services } from './support/instance';
import { settingsOf } from './support/settings';
import { answerForm, expectQuoted, HOSTILE } from './support/slack';

export function testAgents(): void {
	const { fixture, model, publish, post, postToEnd, end } = useAgent();

	/** What the model says when it does its work; each key is the name of a field of the tool. */
	const payment = (Payee: string, Amount__USD_ = '250.00') => ({
		Payee,
		Amount__USD_,
		Description: 'Three videos',
	});

	const answers = () => model().answers;

	// The table does not forget when the sandbox is reset: each test has references of its own.
	describe('an agent that pays by itself #agent-pays-once', () => {
		test('pays one invoice once, whatever it tries after an error', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await publish({ fundingMethod: 'balance' });
			await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
			model().follow([
				payment(email, '1000.01'),
				payment('eve@example.com'),
				payment(email),
				payment(email),
				{ ...payment(email), uniqueReference: 'INV-1b', number: 'INV-1b', toolCallId: 'INV-1b' },
				payment(email, '250.01'),
				{ ...payment(email), options: { maxAmount: '9999' } },
			]);

			await postToEnd('INV-1');

			const unconfirmed = expect.stringContaining('Unconfirmed, so it is not paid again');
			expect(answers()).toEqual([
				expect.stringMatching(/ above .*Maximum Amount/),
				expect.stringMatching(/ not in .*Allowed Payees/),
				unconfirmed,
				unconfirmed,
				unconfirmed,
				expect.stringContaining('INV-1'),
				unconfirmed,
			]);
			for (const answer of answers()) {
				expect(answer).toContain('Stop here and call a person.');
			}
			expect(await control.requests('createFunding')).toHaveLength(1);
			expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });
		});

		test('pays no more in a day than a person allows', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const options = { maxAmount: '1000', maxPerDay: '750', allowedPayees: email };
			await publish({ fundingMethod: 'balance', options });

			for (const number of ['DAY-1', 'DAY-2']) {
				model().follow([payment(email, '400.00'), payment(email, '400.00')]);
				await postToEnd(number);
			}

			expect(answers()).toEqual(
				Array(2).fill(expect.stringMatching(/ above .*Maximum per Day.*, \$750\.00/)),
			);
			expect(await control.requests('createFunding')).toHaveLength(1);
			expect(await control.vendor(email)).toMatchObject({ balance: 40_000 });
		});
	});

	test('a tool prepares payouts only, where no person has chosen how they are funded #tool-prepares-only', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish({ fundingMethod: undefined });
		model().follow([{ ...payment(email), fundingMethod: 'balance' }]);

		const question = await post('NONE-1');

		expect(answers()).toEqual([expect.stringContaining('"status":"prepared"')]);
		expect(await control.requests('createFunding')).toEqual([]);

		await answerForm(question, 'Answer', 'Do not pay');
		await end();
	});

	const NAME = 'examples/agent-prepares-person-pays.json';

	test(`${NAME} pays an invoice once, when a person approves it`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([payment(email)]);

		const question = await post('INV-1042');

		expect(JSON.stringify(question.body)).toContain(
			`Pay $250.00 to \`${email}\` for invoice \`INV-1042\`?*\\nThe invoice says: \`Three videos`,
		);
		expectQuoted(question);
		expect(await control.requests('createFunding')).toEqual([]);

		await answerForm(question, 'Answer', 'Pay');

		const payouts = successfulItems(await end(), 'Pay from balance');

		expect(payouts).toMatchObject([{ json: { status: 'funded', unique_reference: 'INV-1042' } }]);
		expect(await control.payables()).toMatchObject([
			{ amount: 25_000, status: 'paid', description: 'Three videos [INV-1042]' },
		]);

		const again = await post(' INV-1042 ');

		expect(model().answers).toEqual([
			expect.stringContaining('"status":"duplicate","first_status":"funded"'),
		]);
		expect(JSON.stringify(again.body)).toContain('Nothing waits to be paid for invoice `INV-1042`');

		await end();

		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });
		expect(await control.payables()).toHaveLength(1);
		expectQuoted(again);
		expectQuoted(await post(HOSTILE));

		await end();
	});

	test(`${NAME} asks about the invoice that has just come, where another vendor's has its number`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const photos = 'photos@example.com';
		await addVendor(fixture().sandbox, photos);
		await publish({ options: { maxAmount: '1000', allowedPayees: `${email}, ${photos}` } });
		model().follow([payment(email)]);
		await answerForm(await post('INV-1044'), 'Answer', 'Do not pay');
		await end();

		model().follow([payment(photos, '40.00')]);
		const question = await post('INV-1044');
		await answerForm(question, 'Answer', 'Do not pay');
		await end();

		expect(JSON.stringify(question.body)).toContain(`Pay $40.00 to \`${photos}\``);
		expect(await control.requests('createFunding')).toEqual([]);
	});

	test(`${NAME} shows a possible duplicate, and pays it only after a yes to it`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([payment(email)]);
		await answerForm(await post('INV-1045'), 'Answer', 'Pay');
		await end();
		model().follow([payment(email)]);

		const question = await post('INV-2045');

		expect(model().answers).toEqual([expect.stringContaining('"status":"held"')]);
		const asked = JSON.stringify(question.body);
		expect(asked).toMatch(/Possible duplicate of +INV-1045 +to ana@example\.com/);
		expect(asked).toContain('Pay it only if it is another invoice.');
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });

		await answerForm(question, 'Answer', 'Pay');
		await end();

		expect(await control.vendor(email)).toMatchObject({ balance: 50_000 });
		const told = JSON.stringify(services().requests.at(-1)?.body);
		expect(told).toContain('Invoice `INV-2045`: paid');
	});

	test(`${NAME} holds again what was paid under another number while a person decided`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { ledger } = await publish();
		model().follow([payment(email)]);
		const question = await post('INV-1046');
		const other = await importExample(fixture(), 'pay-a-vendor.json', {
			ledger,
			parameters: {
				...settingsOf('pay-a-vendor.json', { email, amount: '250.00', invoice: 'INV-2046' }),
				'Pay vendor once': { options: { maxAmount: '1000' } },
			},
		});
		await fixture().n8n.runManually(other.id);

		await answerForm(question, 'Answer', 'Pay');
		await end();

		const told = JSON.stringify(services().requests.at(-1)?.body);
		expect(told).toContain('Invoice `INV-1046`: held, nothing was paid');
		expect(told).toContain(`INV-1046 250.00 ${email} is not INV-2046 250.00 ${email}`);
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });
	});

	test(`${NAME} pays nothing when the person declines #person-declines`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([payment(email)]);
		const question = await post('INV-1043');
		await answerForm(question, 'Answer', 'Do not pay');

		expect(outputItems(await end(), 'Pay from balance')).toEqual([]);
		expect(await control.requests('createFunding')).toEqual([]);
	});
}
