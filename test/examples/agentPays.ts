import { useAgent } from './support/agent';
import { answerForm } from './support/slack';

export function testAgentThatPays(): void {
	const { fixture, model, publish, post, postToEnd, end } = useAgent();

	const payment = (Payee_Email: string, Amount__Dollars_ = '250.00') => ({
		Payee_Email,
		Amount__Dollars_,
		Description: 'Three videos',
	});

	const answers = () => model().attempts.map(({ answer }) => answer);

	/** The table does not forget when the sandbox is reset: each test has references of its own. */
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

			const unconfirmed = expect.stringContaining(
				'Unconfirmed whether it was paid, so it is not paid again',
			);
			expect(answers()).toEqual([
				expect.stringContaining('is above the Maximum Amount'),
				expect.stringContaining('is not among the Allowed Payees'),
				unconfirmed,
				unconfirmed,
				unconfirmed,
				expect.stringContaining('INV-1'),
				unconfirmed,
			]);
			for (const answer of answers()) expect(answer).toContain('Stop here and tell a person.');
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
				Array(2).fill(expect.stringContaining('above the Maximum per Day of 750.00')),
			);
			expect(await control.requests('createFunding')).toHaveLength(1);
			expect(await control.vendor(email)).toMatchObject({ balance: 40_000 });
		});

		test.each([
			['Maximum Amount', 'nobody set one', { options: {} }],
			['Maximum Amount', 'a model', { options: { maxAmount: "={{ $fromAI('most') }}" } }],
			['Unique Reference', 'reference', { uniqueReference: "={{ $fromAI('reference') }}" }],
			['Unique Reference', 'input', { uniqueReference: '={{ $json.number }}' }],
			['Unique Reference', 'clock', { uniqueReference: '={{ $now.toMillis() }}' }],
			['Funding Method', 'method', { fundingMethod: "={{ $fromAI('method') }}" }],
		])('pays nothing where a person left %s to it (%s)', async (label, _, change) => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await publish({ fundingMethod: 'balance', ...change });
			const chosen = { most: '1000', reference: 'MINE-1', number: 'MINE-2', method: 'balance' };
			model().follow([{ ...payment(email), ...chosen }]);
			await postToEnd('LEFT-1');
			expect(answers()).toEqual([expect.stringContaining(label)]);
			expect(answers()[0]).toContain('Stop here and tell a person.');
			expect(await control.requests('createPayable')).toEqual([]);
			expect(await control.requests('createFunding')).toEqual([]);
		});
	});

	test('a tool prepares payouts only, where nobody has chosen how they are funded #tool-prepares-only', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await publish({ fundingMethod: undefined });
		model().follow([payment(email)]);
		const question = await post('NONE-1');
		expect(answers()).toEqual([expect.stringContaining('"status":"prepared"')]);
		expect(await control.requests('createFunding')).toEqual([]);
		await answerForm(question, 'Answer', 'Do not pay');
		await end();
	});
}
