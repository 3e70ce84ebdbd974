import { randomUUID } from 'node:crypto';

import { funding, startScriptedService, tablesOf } from './support';

const service = startScriptedService();

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

test('a payable that waits for a deposit is not funded again, and is not called funded', async () => {
	service.useScript(() => ({ body: { id: 'f1' } }));
	const again = { workflowId: randomUUID() };
	const byInvoice = funding({ method: 'invoice' });

	await service.execute('funding.create', byInvoice, again);
	const { error } = await service.execute('funding.create', byInvoice, again);

	expect(error?.message).toMatch(/^Payable p1 is in funding f1, .* deposit \[item 0\]$/);
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

test('a payable whose funding was answered after Not Paid is unconfirmed, by the name of that funding', async () => {
	service.useScript(() => ({ body: { id: 'f1' } }));
	const again = { workflowId: randomUUID() };
	await service.execute('funding.create', funding(), again);
	Object.assign(tablesOf(again.workflowId).tables[0]?.rows[0] ?? {}, { state: 'not_paid' });

	const { error } = await service.execute('funding.create', funding(), again);

	expect(error?.message).toContain('Unconfirmed whether payable p1 was funded');
	expect(error?.description).toContain('Funding f1');
	expect(service.requests).toHaveLength(1);
});

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
