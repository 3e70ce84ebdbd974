import {
	begins,
	claimOf,
	created,
	NEW,
	otherContentOf,
	type ContractContext,
} from './ledgerContract-support';

const FIRST = claimOf('INV-1');
const SECOND = claimOf('INV-2');
const THIRD = claimOf('INV-3');

export function finishContract({ open }: ContractContext): void {
	describe('finish', () => {
		test('forgets what has no payable #forgets-without-payable', async () => {
			const run = await open();
			await run.claim([FIRST, SECOND]);
			await run.advance([SECOND], created('pay-2'));
			await run.finish([FIRST, SECOND]);
			const later = await open();
			const [first, second] = await later.claim([otherContentOf(FIRST), otherContentOf(SECOND)]);
			expect(first).toEqual(NEW);
			expect(second).toMatchObject({ name: 'InputError' });
		});

		test('forgets a request that was refused, in the process as in the others', async () => {
			const run = await open({ kind: 'funding', process: 'one' });
			await run.claim([FIRST]);
			await run.begin([FIRST], 'funding');
			await run.reopen([FIRST], 'claimed');
			await run.finish([FIRST]);
			const later = await open({ kind: 'funding', process: 'one' });
			expect(await later.claim([otherContentOf(FIRST)])).toEqual([NEW]);
			expect(await begins(later, [otherContentOf(FIRST)])).toBe(true);
		});

		test('keeps a payable for a later run, which was not cut off', async () => {
			const run = await open({ process: 'one' });
			await run.claim([FIRST]);
			await run.advance([FIRST], created('pay-1'));
			await run.finish([FIRST]);
			expect(await (await open({ process: 'one' })).claim([FIRST])).toEqual([
				{ ...created('pay-1'), isNew: false, isInterrupted: false },
			]);
		});
	});

	describe('exclusively', () => {
		test('waits for others of the process that work on one of the references', async () => {
			const [first, second] = [await open({ process: 'one' }), await open({ process: 'one' })];
			const steps: string[] = [];
			const working = first.exclusively([FIRST, SECOND], async () => {
				await first.claim([FIRST, SECOND]);
				await first.finish([FIRST, SECOND]);
				steps.push('first');
				throw new Error('broken off');
			});
			const waiting = second.exclusively([SECOND, THIRD], async () => {
				steps.push('second');
				return await Promise.resolve('result');
			});
			await expect(working).rejects.toThrow('broken off');
			expect(await waiting).toBe('result');
			expect(steps).toEqual(['first', 'second']);
		});
	});
}
