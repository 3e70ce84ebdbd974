jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	// Earlier versions of n8n have another export in their place.
	NodeConnectionTypes: undefined,
}));

test.each(['PartnerPayments', 'PartnerPaymentsDepositTrigger', 'PartnerPaymentsTrigger'])(
	'an n8n that is too old for %s says so while it loads the package',
	async (name) => {
		await expect(import(`../../nodes/PartnerPayments/${name}.node`)).rejects.toThrow(
			/^Partner Payments needs n8n 1\.123 or later\. Update this n8n, or uninstall the package\.$/,
		);
	},
);
