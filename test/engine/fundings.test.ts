import { randomUUID } from 'node:crypto';

import { testOperations } from './operations.suite';
import { funding, FUNDING_BODY, startScriptedService } from './support';

const service = startScriptedService();

testOperations(service, [
	{
		operation: 'funding.create',
		detail: 'by invoice, with everything',
		parameters: funding({
			method: 'invoice',
			payableIds: ' p1, p2 ,,p3 ',
			options: {
				description: 'February',
				poNumber: 'PO-1',
				additionalFields: '{"reference":"r"}',
			},
		}),
		answer: { id: 'f1' },
		request: [
			'POST',
			'/v1/funding',
			{
				...FUNDING_BODY,
				method: 'invoice',
				payable_ids: ['p1', 'p2', 'p3'],
				description: 'February',
				po_number: 'PO-1',
				reference: 'r',
			},
		],
		output: [{ id: 'f1' }],
	},
	{
		operation: 'funding.getInvoicePdf',
		detail: 'only the address',
		parameters: { fundingId: 'f/1' },
		answer: { document: 'https://files.example.com/f1.pdf?sig=1' },
		request: ['GET', '/v1/funding/f%2F1/pdf-url'],
		output: [{ id: 'f/1', pdf_url: 'https://files.example.com/f1.pdf?sig=1' }],
	},
	{
		operation: 'funding.linkDeposit',
		detail: 'an empty answer',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: '',
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1' }],
	},
]);

test('fundings of one execution that name the same payable pay it once #payable-funded-once', async () => {
	service.useScript(() => ({ body: { id: 'f1' } }));

	const { items } = await service.execute('funding.create', funding(), {
		items: [{}, {}],
		onError: 'continueRegularOutput',
	});

	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true]);
	expect(service.requests).toHaveLength(1);
});

test('a payable is funded once by its ID, in whichever execution #funded-once-by-id', async () => {
	service.useScript(() => ({ body: { id: 'f1' } }));
	const again = { workflowId: randomUUID() };

	const first = await service.execute('funding.create', funding(), again);
	const { error } = await service.execute('funding.create', funding(), again);

	expect(first.error).toBeUndefined();
	expect(error?.message).toMatch(/^Payable p1 was funded before by funding f1, .* \[item 0\]$/);
	expect(service.requests).toHaveLength(1);
});

test.each(['cut', { status: 404 }] as const)(
	'a payable whose funding was answered with %j is not funded again #not-funded-after-doubt',
	async (answer) => {
		service.useScript(() => answer);
		const again = { workflowId: randomUUID() };

		await service.execute('funding.create', funding(), again);
		const { error } = await service.execute('funding.create', funding(), again);

		expect(error?.message).toContain('Unconfirmed whether payable p1 was funded');
		expect(service.requests).toHaveLength(1);
	},
);

test('a payable whose funding was refused may be funded again', async () => {
	service.useScript((_, position) =>
		position === 0 ? { status: 422, body: { message: 'No' } } : { body: { id: 'f1' } },
	);
	const again = { workflowId: randomUUID() };
	await service.execute('funding.create', funding(), again);

	const { error } = await service.execute('funding.create', funding(), again);

	expect(error).toBeUndefined();
	expect(service.requests).toHaveLength(2);
});
