import { useForms, usePublishedForms } from './support/form';
import { useEmptySandbox, useExamples } from './support/instance';

export function testForm(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const submit = useForms();
	const publishForm = usePublishedForms(fixture);

	/** What `form-to-payout` starts with. */
	const FORM = 'Payment form';

	describe('examples/form-to-payout.json', () => {
		test('pays an invoice once, however often its form is sent, and nothing that another page sends', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const url = await publishForm('form-to-payout.json', FORM);
			const invoice = {
				"Vendor's email": email,
				'Amount in dollars': '950.5',
				'What for': 'Launch',
				'Invoice number': 'A-17',
				'Invoice date': '2026-05-04',
			};

			expect(await submit(url, invoice, 'Pay', 'forge')).toMatch(/^Not paid by this form\s/);
			expect(await control.payables()).toEqual([]);

			const page = await submit(url, invoice, 'Pay');

			const [payable] = await control.payables();
			expect(payable).toMatchObject({
				amount: 95_050,
				description: 'Launch [A-17]',
				status: 'paid',
			});
			expect(await control.fundings()).toMatchObject([{ description: 'Launch [A-17]' }]);
			expect(page).toMatch(
				new RegExp(`^Paid\\s+\\$950.50 for ${email}, invoice A-17.*${payable?.id}`),
			);

			const again = {
				...invoice,
				"Vendor's email": ` ${email.toUpperCase()} `,
				'Invoice number': ' A-17 ',
			};
			const inOtherLetters = { ...invoice, 'Invoice number': 'a 17' };

			expect(await submit(url, again, 'Pay')).toMatch(
				/^Paid before\s+Invoice A-17 of .* was paid before. Nothing was paid now./,
			);
			expect(await submit(url, inOtherLetters, 'Pay')).toMatch(
				/^Not paid by this form\s[^]*"A-17"/,
			);
			expect(await control.payables()).toHaveLength(1);
			expect(await control.vendor(email)).toMatchObject({ balance: 95_050 });
		});

		test('says of a possible duplicate that a person has to agree', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const url = await publishForm('form-to-payout.json', FORM);
			const invoice = {
				"Vendor's email": email,
				'Amount in dollars': '20',
				'What for': 'Launch',
				'Invoice number': 'A-19',
				'Invoice date': '2026-05-04',
			};

			await submit(url, invoice, 'Pay');
			const page = await submit(url, { ...invoice, 'Invoice number': 'A-91' }, 'Pay');

			expect(page).toMatch(/^Held\s+Nothing was paid to .* for invoice A-91: .*"A-19"/);
			expect(page).toContain(`A-91 20.00 ${email} is not A-19 20.00 ${email}`);
			expect(page).not.toContain('. .');

			const next = { ...invoice, 'Invoice number': 'A-20', 'Amount in dollars': '23.80' };
			const withDate = await submit(url, next, 'Pay');
			const withNextDate = { ...next, 'Invoice date': '2026-06-01' };

			expect(withDate).toMatch(/^Held\s+Nothing was paid to .* for invoice A-20: .*"A-19".*date/);
			expect(await control.vendor(email)).toMatchObject({ balance: 2_000 });
			expect(await submit(url, withNextDate, 'Pay')).toMatch(/^Paid\s/);
		});

		test('tells an unconfirmed payment from one that was not made', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const url = await publishForm('form-to-payout.json', FORM);
			const invoice = {
				"Vendor's email": email,
				'Amount in dollars': '20',
				'What for': 'Launch',
				'Invoice number': 'A-18',
				'Invoice date': '2026-05-04',
			};

			const tooMuch = await submit(url, { ...invoice, 'Amount in dollars': '1000.01' }, 'Pay');

			expect(tooMuch).toMatch(
				/^Not paid by this form\s+This form paid nothing to .* for invoice A-18\..*1000/,
			);
			const germanCents = await submit(url, { ...invoice, 'Amount in dollars': '9,50' }, 'Pay');
			const germanThousand = await submit(url, { ...invoice, 'Amount in dollars': '1.250' }, 'Pay');

			// A number field of a browser would have made 950 and 1.25 of them.
			expect([germanCents, germanThousand]).toEqual([
				expect.stringMatching(/^Not paid by this form\s[^]*"9,50"/),
				expect.stringMatching(/^Not paid by this form\s[^]*"1.250"/),
			]);
			expect(await control.payables()).toEqual([]);

			await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
			const doubt = /^Unconfirmed\s+It is not known whether .* was paid for invoice A-18\./;

			expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
			expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
			expect(await control.vendor(email)).toMatchObject({ balance: 2_000 });
		});
	});
}
