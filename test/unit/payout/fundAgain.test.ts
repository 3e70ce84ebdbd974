import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

/** Payouts whose funding got no answer, in an earlier run. */
async function inDoubt(references: string[], more: Partial<PayoutRequest> = {}) {
	const [table, service] = [new FakeTable(), new FakeService()];
	const requests = references.map((reference) =>
		requestOf(reference, { isFundedAgain: true, payablesPerFunding: 1, ...more }),
	);
	await payAll(
		service,
		table.open(),
		requests.map((request) => ({ ...request, method: 'none' })),
	);
	for (const row of table.rows) row.state = 'funding';
	return { table, service, requests };
}

const answerFundings = (service: FakeService, status: number): void => {
	service.script = async ({ path }) =>
		await Promise.resolve(path === '/v1/funding' ? { status } : undefined);
};

describe('a funding in doubt that is sent once more', () => {
	test.each([
		['balance', 'funded'],
		['invoice', 'awaiting_deposit'],
	] as const)('by %s, and refused since it was made, is %s', async (method, status) => {
		const { table, service, requests } = await inDoubt(['INV-1'], { method });
		answerFundings(service, 409);
		expect(await payAll(service, table.open(), requests)).toMatchObject([{ status }]);
		expect(table.row('INV-1')).toMatchObject({ state: status, run: '' });
	});

	test('without an answer is the last one', async () => {
		const { table, service, requests } = await inDoubt(['INV-1', 'INV-2', 'INV-3']);
		answerFundings(service, 503);
		const items = await payAll(service, table.open(), requests);
		expect(items.map(({ status }) => status)).toEqual(['in_doubt', 'in_doubt', 'in_doubt']);
		expect(service.fundings).toHaveLength(1);
		for (const { state, run } of table.rows) expect([state, run]).toEqual(['funding', '']);
	});

	test('stays in doubt when this run funds nothing', async () => {
		const { table, service, requests } = await inDoubt(['INV-1'], { method: 'none' });
		const items = await payAll(service, table.open(), requests);
		expect(items).toMatchObject([{ status: 'in_doubt' }]);
		expect(service.fundings).toEqual([]);
	});

	test('and not let in is not sent again when a person has settled it meanwhile', async () => {
		const { table, service, requests } = await inDoubt(['INV-1']);
		service.script = async ({ path }) => {
			await Promise.resolve();
			if (path !== '/v1/funding') return undefined;
			Object.assign(table.row('INV-1'), { state: 'funded', run: '' });
			return { status: 429, headers: { 'retry-after': '0' } };
		};
		const items = await payAll(service, table.open(), requests);
		expect(items).toMatchObject([{ status: 'in_doubt' }]);
		expect(service.fundings).toHaveLength(1);
		expect(table.row('INV-1')).toMatchObject({ state: 'funded' });
	});
});
