import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { N8nProcesses } from '../ledger/n8nProcesses';
import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

/** Every funding is for as much as its payables come to. */
function assertFundingsMatch({ fundings }: FakeService): void {
	for (const { amount, payable_ids: ids } of fundings) {
		expect(ids).not.toEqual([]);
		expect(amount).toBe(25_000 * (Array.isArray(ids) ? ids.length : 0));
	}
}

describe('a row that is deleted while its payable is prepared', () => {
	test.each([
		['alone', ['INV-1'], []],
		['in a group', ['INV-1', 'INV-2'], ['funded']],
	])('%s leads to no funding without that payable', async (_, references, others) => {
		const [table, service] = [new FakeTable(), new FakeService()];
		service.script = async ({ path }) => {
			if (path === '/v1/payable/pay-1/approve') table.rows.splice(0, 1);
			await Promise.resolve();
			return undefined;
		};
		const requests = references.map((reference) => requestOf(reference));
		const items = await payAll(service, table.open(), requests);
		assertFundingsMatch(service);
		expect(items.map(({ status }) => status)).toEqual(['not_sent', ...others]);
	});
});

/** Something that happens once. */
function moment(): { hasCome: Promise<void>; comes: () => void } {
	let comes = (): void => undefined;
	const hasCome = new Promise<void>((resolve) => {
		comes = resolve;
	});
	return { hasCome, comes };
}

test('the loser of a race, whose winner was refused, funds no payable that it does not know', async () => {
	const [processes, service] = [new N8nProcesses(), new FakeService()];
	const options = { kind: 'payout', environment: 'sandbox' } as const;
	const winner = await processes.open({ ...options, process: 'winner' });
	const loser = await processes.open({ ...options, process: 'loser' });
	const requests = [requestOf('INV-1', { rememberIn: 'node' })];
	const [loserPrepared, winnerSent, loserLost] = [moment(), moment(), moment()];

	// The winner begins when both are prepared, and is refused between the two looks of the loser.
	const first: Ledger = Object.create(winner);
	first.begin = async (...call) => {
		await loserPrepared.hasCome;
		return await winner.begin(...call);
	};
	const second: Ledger = Object.create(loser);
	second.begin = async (...call) => {
		loserPrepared.comes();
		await winnerSent.hasCome;
		const refused = await loser.begin(...call);
		loserLost.comes();
		await won;
		return refused;
	};
	service.script = async ({ path }) => {
		if (path !== '/v1/funding' || service.fundings.length > 1) return undefined;
		winnerSent.comes();
		await loserLost.hasCome;
		return { status: 402 };
	};
	const won = payAll(service, first, requests);
	const lost = payAll(service, second, requests);
	expect(await won).toMatchObject([{ status: 'failed' }]);
	expect(await lost).toMatchObject([{ status: 'not_sent', payable_id: null }]);
	assertFundingsMatch(service);
});
