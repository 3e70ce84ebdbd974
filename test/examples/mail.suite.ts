import { useExamples } from './support/instance';
import { invoicePdf } from './support/invoicePdf';
import { ANA_SENDS, EXAMPLE, mailFrom, pdfNamed, useInvoicesByMail } from './support/mailTrial';

export function testInvoicesByMail(): void {
	const fixture = useExamples();
	const trial = useInvoicesByMail(fixture);

	const ana = (): string => fixture().sandbox.verifiedVendorEmail;

	test(`examples/${EXAMPLE} pays an invoice once after a yes`, async () => {
		const pdf = await invoicePdf({
			lines: ['Ana Films', 'Invoice\tINV-7', 'Three videos\t$250.00', 'Total due\t$250.00'],
		});
		trial.modelReads({
			vendor_email: ana(),
			invoice_number: 'INV-7',
			amount: '$250.00',
			due_date: 'June 1',
			description: 'Three videos',
		});

		const { told } = await trial.receiveAndAnswer(
			'Pay',
			mailFrom(ANA_SENDS, pdfNamed('a.pdf', pdf)),
		);

		expect(told).toContain('Paid, or as soon');
		expect(await trial.balanceOf(ana())).toBe(25_000);
	});
}
