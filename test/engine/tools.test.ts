import { executeOperation, funding, payable, startScriptedService } from './support';

const service = startScriptedService();

const STOP = 'Stop here and tell a person. Do not try it in another way.';

const payout = (changes = {}) => ({
	...payable(),
	fundingMethod: 'balance',
	uniqueReference: 'INV-7',
	...changes,
});

describe('as the tool of an agent', () => {
	beforeEach(() => {
		service.useScript(() => ({ body: { id: 'x1' } }));
	});

	test.each([
		['payout.send', payout()],
		['funding.create', funding()],
	])('%s needs a maximum amount that a person has set', async (operation, parameters) => {
		const { error } = await executeOperation(service, operation, parameters, { isTool: true });
		expect(error?.message).toBe(
			`As a tool of an agent, this operation needs a Maximum Amount [item 0]. ${STOP}`,
		);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['payout.send', payout({ options: { maxAmount: '19.98' } })],
		['funding.create', funding({ options: { maxAmount: '19.98' } })],
	])('%s pays no more than that', async (operation, parameters) => {
		const { error } = await executeOperation(service, operation, parameters, { isTool: true });
		expect(error?.message).toMatch(/^19.99.* is above the Maximum Amount, 19.98 \[item 0\]/);
		expect(error?.message).toContain(STOP);
		expect(service.requests).toEqual([]);
	});

	test('a funding within it is made', async () => {
		const parameters = funding({ options: { maxAmount: '19.99' } });
		await executeOperation(service, 'funding.create', parameters, { isTool: true });
		expect(service.requests.map(({ url }) => url)).toEqual(['/v1/funding']);
	});

	test('a funding in doubt says in its message that nothing may be tried', async () => {
		service.useScript(() => ({ status: 503 }));
		const parameters = funding({ options: { maxAmount: '19.99' } });
		const { error } = await executeOperation(service, 'funding.create', parameters, {
			isTool: true,
		});
		expect(error?.message).toContain('In doubt');
		expect(error?.message).toContain(STOP);
	});
});
