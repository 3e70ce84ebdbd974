import { type Changes, executeOperation, startScriptedService, waitedMs } from './support';

const service = startScriptedService();

describe('the limit of an account', () => {
	/** How many windows the node has waited for approvals of an account with three slots in each. */
	const windowsWaited = async (count: number, changes: Changes): Promise<number> => {
		const before = waitedMs();
		const { error } = await executeOperation(
			service,
			'payable.approve',
			{ payableId: 'p1' },
			{
				...changes,
				items: Array.from({ length: count }, () => ({})),
				credentials: { requestsPerMinute: 3, rateWindowSeconds: 1000, ...changes.credentials },
			},
		);
		expect(error).toBeUndefined();
		return Math.floor((waitedMs() - before) / 1_000_000);
	};

	test('is kept', async () => {
		service.useScript(() => ({ body: '' }));
		expect(await windowsWaited(3, {})).toBe(0);
		expect(await windowsWaited(4, {})).toBeGreaterThanOrEqual(1);
		expect(await windowsWaited(9, {})).toBeGreaterThanOrEqual(2);
	});

	test('is kept by all executions together', async () => {
		service.useScript(() => ({ body: '' }));
		const credentials = { clientId: 'shared-client' };
		const before = waitedMs();
		await Promise.all([windowsWaited(2, { credentials }), windowsWaited(2, { credentials })]);
		expect(waitedMs() - before).toBeGreaterThanOrEqual(1_000_000);
	});

	test('is not used up by a credential of the same client with another secret', async () => {
		service.useScript(() => ({ body: '' }));
		const clientId = 'client-of-two';
		const stranger = { clientId, clientSecret: 'another-secret', requestsPerMinute: 1 };
		expect(await windowsWaited(1, { credentials: stranger })).toBe(0);
		expect(await windowsWaited(3, { credentials: { clientId } })).toBe(0);
	});
});
