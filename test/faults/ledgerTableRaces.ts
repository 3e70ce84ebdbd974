import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/dataTable/apiRequest';
import type { RowValues } from '../../nodes/PartnerPayments/ledger/dataTable/row';
import type { DataTableLedger } from '../../nodes/PartnerPayments/ledger/dataTable/dataTableLedger';
import { TakenOverError, type Claim } from '../../nodes/PartnerPayments/ledger/ledger';
import { approved, claimOf } from '../unit/ledger/ledgerContract-support';
import { TestTable } from '../n8n/support/ledgerTable';

const claims = (count: number, start = 0): Claim[] =>
	Array.from({ length: count }, (_, index) => claimOf(`INV-${start + index}`));

/** Claims, begins, settles and finishes; returns what has begun. */
async function work(run: DataTableLedger, own: Claim[]): Promise<Claim[]> {
	const entries = await run.claim(own);
	const open = own.filter((_, index) => {
		const entry = entries[index];
		return entry !== undefined && 'state' in entry && entry.state === 'claimed';
	});
	const begun: Claim[] = [];
	for (const claim of open) {
		const stopped = await run.begin([claim], 'funding');
		if (stopped.size > 0) continue;
		begun.push(claim);
		await run.settle([claim], 'funded', { funding_id: 'fund-1' });
	}
	await run.finish(own);
	return begun;
}

/** Tests that of runs at the same time one begins each payment. */
export function testTableRaces(send: () => SendToN8n): void {
	let table: TestTable;

	beforeEach(async () => {
		table = await TestTable.make(send());
	});

	const runs = (count: number): DataTableLedger[] =>
		Array.from({ length: count }, () => table.open());

	describe('runs at the same moment', () => {
		test.each([
			[2, 5],
			[20, 2],
		])('of %i runs one begins, in each of %i rounds', async (count, rounds) => {
			for (let round = 0; round < rounds; round += 1) {
				const own = claims(1, round);
				const begun = await Promise.all(runs(count).map(async (run) => await work(run, own)));
				expect(begun.flat()).toEqual(own);
				const rows = await table.rows().readAny('reference', [`INV-${round}`]);
				expect(rows.map(({ state, run }) => [state, run])).toEqual([['funded', '']]);
			}
		});

		test('each reference of lists that overlap begins once', async () => {
			const lists = [0, 10, 20, 5].map((start) => claims(30, start));
			const begun = await Promise.all(lists.map(async (list) => await work(table.open(), list)));
			const references = begun.flat().map(({ reference }) => reference);
			expect(references).toHaveLength(50);
			expect(new Set(references).size).toBe(50);
		});

		test('groups that overlap begin one after the other at most', async () => {
			const groups = [0, 10, 20, 30].map((start) => claims(20, start));
			const begun = await Promise.all(
				groups.map(async (group) => {
					const run = table.open();
					await run.claim(group);
					return (await run.begin(group, 'funding')).size === 0 ? group : [];
				}),
			);
			const references = begun.flat().map(({ reference }) => reference);
			expect(new Set(references).size).toBe(references.length);
			const rows = await table.rows().readAll();
			expect(rows.filter(({ state }) => state === 'funding')).toHaveLength(references.length);
		});
	});

	describe('a run that another one takes over', () => {
		test('learns it when it keeps its next step', async () => {
			const [first, second] = [table.open(), table.open()];
			const own = claims(3);
			await first.claim(own);
			await second.claim(own);
			await expect(first.advance(own.slice(1), approved('pay-1'))).rejects.toBeInstanceOf(
				TakenOverError,
			);
			expect((await first.begin(own, 'funding')).size).toBe(3);
			expect((await second.begin(own, 'funding')).size).toBe(0);
		});

		test('is waited for as long as it works', async () => {
			const [first, second] = [table.open(), table.open()];
			const own = claims(1);
			await first.claim(own);
			const claimed = second.claim(own);
			for (let step = 0; step < 6; step += 1) {
				await new Promise((resolve) => setTimeout(resolve, 150));
				await first.advance(own, { state: 'claimed', facts: { unused_payables: step + 1 } });
			}
			await first.advance(own, { state: 'created', facts: { payable_id: 'pay-1' } });
			await first.finish(own);
			expect(await claimed).toMatchObject([
				{ state: 'created', facts: { payable_id: 'pay-1' }, isInterrupted: false },
			]);
		});
	});

	test('a row that its author left while it entered does not stand in the way', async () => {
		const [claim] = claims(1);
		const rows = table.rows();
		const row: RowValues = {
			operation: 'payout',
			...{ reference: claim?.reference ?? '', environment: 'sandbox' },
			...{ workspace_id: claim?.workspaceId ?? '', payee: '', amount_cents: 0 },
			state: 'entering',
			...{ content: 'something else', payable_id: '', funding_id: '' },
			...{ pdf_url: '', unused_payables: 0, approval: '', execution: '' },
			...{ run: 'gone', batch: 'gone' },
		};
		await rows.insert([row], 'gone');
		const entries = await Promise.all(runs(3).map(async (run) => await work(run, claims(1))));
		expect(entries.flat()).toEqual(claims(1));
		expect((await rows.readAll()).map(({ run }) => run)).toEqual(['']);
	});
}
