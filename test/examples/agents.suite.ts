import { outputItems, successfulItems } from '../../tools/n8n';
import type { ServiceRequest } from '../../tools/services';
import { addVendor } from '../n8n/support/payouts';
import { importExample } from '../n8n/support/example';
import { useAgent } from './support/agent';
import { services } from './support/instance';
import { settingsOf } from './support/settings';
import {
	ANN,
	approverOf,
	BOB,
	expectQuoted,
	HOSTILE,
	pressButton,
	pressTogether,
	SHORT_WAIT,
} from './support/slack';

export function testAgents(): void {
	const { fixture, model, publish, post, postToEnd, end, answer } = useAgent();

	/** What the model says when it does its work; each key is the name of a field of the tool. */
	const payment = (Payee: string, Amount__USD_ = '250.00') => ({
		Payee,
		Amount__USD_,
		Description: 'Three videos',
	});

	const answers = () => model().answers;

	const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);

	/** What Slack was told last. */
	const told = (): string => services().requests.slice(-1).map(textOf).join();

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

		await answer(question, 'Do not pay');
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

		const paid = await answer(question, 'Pay');

		expect(successfulItems(paid, 'Pay from balance')).toMatchObject([
			{
				json: {
					status: 'funded',
					unique_reference: 'INV-1042',
					approved_by: approverOf(ANN),
				},
			},
		]);
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
		await answer(await post('INV-1044'), 'Do not pay');

		model().follow([payment(photos, '40.00')]);
		const question = await post('INV-1044');
		await answer(question, 'Do not pay');

		expect(JSON.stringify(question.body)).toContain(`Pay $40.00 to \`${photos}\``);
		expect(await control.requests('createFunding')).toEqual([]);
	});

	test(`${NAME} shows a possible duplicate, and pays it only after a yes to it`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([payment(email)]);
		await answer(await post('INV-1045'), 'Pay');
		model().follow([payment(email)]);

		const question = await post('INV-2045');

		expect(model().answers).toEqual([expect.stringContaining('"status":"held"')]);
		const asked = JSON.stringify(question.body);
		expect(asked).toMatch(/Possible duplicate of +INV-1045 +to ana@example\.com/);
		expect(asked).toContain('\\"Pay\\" also says that it is another invoice.');
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });

		await answer(question, 'Pay');

		expect(await control.vendor(email)).toMatchObject({ balance: 50_000 });
		expect(told()).toContain('Invoice `INV-2045`: paid');
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

		await answer(question, 'Pay');

		expect(told()).toContain('Invoice `INV-1046`: held, nothing was paid');
		expect(told()).not.toContain('is not INV-2046');
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });

		model().follow([payment(email)]);
		await answer(await post('INV-1046'), 'Pay');

		expect(await control.vendor(email)).toMatchObject({ balance: 50_000 });
	});

	test(`${NAME} tells why its tool has refused`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish({}, { maximum_per_day: '100' });
		model().follow([payment(email)]);

		const refused = await post('INV-1047');
		await end();

		expect(textOf(refused)).toContain('Limit: Maximum per Day');
		expect(await control.payables()).toEqual([]);
		expectQuoted(refused);
	});

	test(`${NAME} pays nothing when the person declines #person-declines`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish();
		model().follow([payment(email)]);
		const question = await post('INV-1043');

		const ended = await answer(question, 'Do not pay');

		expect(outputItems(ended, 'Pay from balance')).toEqual([]);
		expect(told()).toContain('A person has declined: invoice `INV-1043` is not paid now.*');
		expect(await control.requests('createFunding')).toEqual([]);
	});

	test(`${NAME} takes the yes of approvers only, and pays once when two of them answer #approvers-only`, async () => {
		const { n8n, sandbox } = fixture();
		const { control, verifiedVendorEmail: email } = sandbox;
		await publish();
		model().follow([payment(email)]);
		const question = await post('INV-1050');

		await pressTogether(n8n.url, question, 'Pay');
		const [payout] = successfulItems(await end(), 'Pay from balance');

		expect([approverOf(ANN), approverOf(BOB)]).toContain(payout?.json['approved_by']);
		expect(await control.vendor(email)).toMatchObject({ balance: 25_000 });
		expect(await control.fundings()).toHaveLength(1);
	});

	test(`${NAME} takes no yes of others, reminds once, and says that it pays nothing without an answer`, async () => {
		const { n8n, sandbox } = fixture();
		const { control, verifiedVendorEmail: email } = sandbox;
		await publish({}, { approvers: BOB.id }, SHORT_WAIT);
		model().follow([payment(email)]);
		const question = await post('INV-1051');

		expect(await pressButton(n8n.url, question, 'Pay')).toBe(200);

		await end();
		const paths = services().requests.map(({ path }) => path);
		expect(paths).toContain('/api/chat.postEphemeral');
		expect(services().requests.map(textOf)).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/Reminder: \*Pay \$250\.00 to .+INV-1051/),
				expect.stringContaining('No one has answered: invoice `INV-1051` is not paid now.*'),
			]),
		);
		expect(await control.requests('createFunding')).toEqual([]);
	});

	test(`${NAME} prepares nothing while no one may answer`, async () => {
		const { control } = fixture().sandbox;
		await publish({}, { approvers: '' });

		const { status } = await postToEnd('INV-1052');

		expect(status).toBe('error');
		expect(await control.payables()).toEqual([]);
	});
}
