import {
	approved,
	begins,
	claimOf,
	NEW,
	REQUESTS,
	statesOf,
	type ContractContext,
} from './ledgerContract-support';

const FIRST = claimOf('INV-1');
const SECOND = claimOf('INV-2');
const THIRD = claimOf('INV-3');

export function beginContract({ open, traits }: ContractContext): void {
	describe('begin', () => {
		test('succeeds for one of many at once #begin-for-one', async () => {
			const runs = await Promise.all(Array.from({ length: 6 }, async () => await open()));
			await Promise.all(runs.map(async (run) => await run.claim([FIRST])));
			const results = await Promise.all(
				runs.map(async (run) => await run.begin([FIRST], 'funding')),
			);
			expect(results.filter(({ size }) => size === 0)).toHaveLength(1);
			expect(results.filter((result) => result.has(FIRST))).toHaveLength(5);
			expect(await statesOf(await open(), [FIRST])).toEqual(['funding']);
		});

		test('of groups that overlap at most one begins, and what it leaves is free #begin-overlapping', async () => {
			const groups = [
				[FIRST, SECOND],
				[SECOND, THIRD],
				[THIRD, FIRST],
			];
			const runs = await Promise.all(groups.map(async () => await open()));
			await Promise.all(runs.map(async (run, index) => await run.claim(groups[index] ?? [])));
			const results = await Promise.all(
				runs.map(async (run, index) => await run.begin(groups[index] ?? [], 'funding')),
			);
			const begun = groups.filter((_, index) => results[index]?.size === 0).flat();
			expect(traits.takesOver ? [0, 2] : [2]).toContain(begun.length);
			const later = await open();
			const states = await statesOf(later, [FIRST, SECOND, THIRD]);
			expect(states.filter((state) => state === 'funding')).toHaveLength(begun.length);
			const free = [FIRST, SECOND, THIRD].filter((claim) => !begun.includes(claim));
			expect(await begins(later, free)).toBe(true);
		});

		test('is for all of a group or for none #begin-all-or-none', async () => {
			const [first, second] = [await open(), await open()];
			await first.claim([SECOND]);
			await second.claim([FIRST, THIRD]);
			await first.begin([SECOND], 'funding');
			await second.claim([SECOND]);
			const stopped = await second.begin([FIRST, SECOND, THIRD], 'funding');
			expect([...stopped.keys()]).toEqual([SECOND]);
			expect(stopped.get(SECOND)).toMatchObject({ state: 'funding' });
			expect(await begins(second, [FIRST, THIRD])).toBe(true);
		});

		test('says that a reference is settled', async () => {
			const [first, second] = [await open(), await open()];
			await second.claim([FIRST]);
			await first.claim([FIRST]);
			await first.begin([FIRST], 'funding');
			await first.settle([FIRST], 'funded', { funding_id: 'fund-1' });
			const stopped = await second.begin([FIRST], 'funding');
			expect(stopped.get(FIRST)).toMatchObject({ state: 'funded' });
		});

		test('does not succeed again for the same run #begin-not-again', async () => {
			const run = await open();
			await run.claim([FIRST]);
			expect(await begins(run, [FIRST])).toBe(true);
			expect(await begins(run, [FIRST])).toBe(false);
		});
	});

	describe('reopen', () => {
		test('opens nothing that another run has begun', async () => {
			const [first, second] = [await open(), await open()];
			await second.claim([FIRST, SECOND]);
			await first.claim([FIRST]);
			await first.begin([FIRST], 'funding');
			expect(await begins(second, [FIRST, SECOND])).toBe(false);
			await second.reopen([FIRST, SECOND], 'approved');
			await second.finish([FIRST, SECOND]);
			const later = await open();
			expect(await later.claim([FIRST, SECOND])).toMatchObject([{ state: 'funding' }, NEW]);
			expect(await begins(later, [FIRST])).toBe(false);
		});

		test('lets the same run begin again, once #reopen-once', async () => {
			const run = await open();
			await run.claim([FIRST]);
			await run.begin([FIRST], 'funding');
			await run.reopen([FIRST], 'approved');
			expect(await begins(run, [FIRST])).toBe(true);
			expect(await begins(run, [FIRST])).toBe(false);
		});

		test('lets a later run begin', async () => {
			const run = await open({ process: 'one' });
			await run.claim([FIRST]);
			await run.advance([FIRST], approved('pay-1'));
			await run.begin([FIRST], 'funding');
			await run.reopen([FIRST], 'approved');
			await run.finish([FIRST]);
			const same = await open({ process: 'one' });
			expect(await same.claim([FIRST])).toEqual([
				{ ...approved('pay-1'), isNew: false, isInterrupted: false },
			]);
			await same.finish([FIRST]);
			const other = await open();
			expect(await other.claim([FIRST])).toMatchObject([
				traits.sharesFacts
					? { ...approved('pay-1'), isNew: false }
					: { state: 'claimed', isNew: false },
			]);
			expect(await begins(other, [FIRST])).toBe(true);
		});

		test('of a part of a group leaves the others in doubt', async () => {
			const run = await open();
			await run.claim([FIRST, SECOND]);
			await run.advance([FIRST], approved('pay-1'));
			await run.begin([FIRST, SECOND], 'funding');
			await run.reopen([FIRST], 'approved');
			await run.finish([FIRST, SECOND]);
			const later = await open();
			expect(await statesOf(later, [FIRST, SECOND])).toEqual([
				traits.sharesFacts ? 'approved' : 'claimed',
				'funding',
			]);
			expect(await begins(later, [FIRST, SECOND])).toBe(false);
			expect(await begins(later, [FIRST])).toBe(true);
		});
	});

	describe('resend', () => {
		test('is for one of the runs that find a reference in doubt, when its run is over', async () => {
			const first = await open({ process: 'one' });
			await first.claim([FIRST, SECOND]);
			await first.advance([FIRST], approved('pay-1'));
			await first.begin([FIRST], 'funding');
			await first.finish([FIRST]);
			const runs = [await open({ process: 'one' }), await open({ process: 'one' })];
			const resent = [];
			for (const run of runs) {
				expect(await statesOf(run, [FIRST])).toEqual(['funding']);
			}
			for (const run of runs) resent.push(...(await run.resend([FIRST])));
			expect(resent).toEqual([FIRST]);
			expect(await runs[0]?.settle([FIRST], 'funded', { funding_id: 'fund-1' })).toBe(true);
			expect(await statesOf(await open(), [FIRST])).toEqual(['funded']);
		});

		test('is for nobody while a run may still wait for the answer', async () => {
			const waiting = await open();
			await waiting.claim([FIRST]);
			await waiting.begin([FIRST], 'funding');
			const other = await open();
			expect(await statesOf(other, [FIRST])).toEqual(['funding']);
			expect(await other.resend([FIRST])).toEqual(new Set());
		});
	});

	describe.each(REQUESTS)('$kind, $settled', ({ kind, sending, settled, facts }) => {
		test('a request that was answered is settled for every later run #answered-is-settled', async () => {
			const run = await open({ kind, process: 'one' });
			await run.claim([FIRST, SECOND]);
			await run.begin([FIRST, SECOND], sending);
			expect(await run.settle([FIRST], settled, facts)).toBe(true);
			expect(await run.settle([FIRST], settled, facts)).toBe(true);
			await run.finish([FIRST, SECOND]);

			const same = await open({ kind, process: 'one' });
			expect(await same.claim([FIRST])).toEqual([
				{ state: settled, facts, isApprovalUnanswered: false, isNew: false, isInterrupted: false },
			]);
			await same.finish([FIRST]);
			for (let round = 0; round < 2; round += 1) {
				const other = await open({ kind });
				expect(await other.claim([FIRST, SECOND])).toMatchObject([
					{
						state: settled,
						isNew: false,
						isInterrupted: false,
						...(traits.sharesFacts && { facts }),
					},
					{ state: sending, isNew: false },
				]);
				expect(await begins(other, [FIRST], sending)).toBe(false);
				await other.finish([FIRST, SECOND]);
			}
		});

		test('a request that was not answered is in doubt for every later run #unanswered-is-in-doubt', async () => {
			const cutOff = await open({ kind, process: 'one' });
			await cutOff.claim([FIRST]);
			await cutOff.begin([FIRST], sending);
			for (const process of ['one', 'two']) {
				const later = await open({ kind, process });
				expect(await later.claim([FIRST])).toMatchObject([{ state: sending, isNew: false }]);
				expect(await begins(later, [FIRST], sending)).toBe(false);
				await later.finish([FIRST]);
			}
			const last = await open({ kind });
			expect(await statesOf(last, [FIRST])).toEqual([sending]);
		});
	});
}
