import type { Claim, LedgerKind, SendingState } from '../../../nodes/PartnerPayments/ledger/ledger';
import {
	begins,
	claimOf,
	created,
	NEW,
	statesOf,
	type ContractContext,
} from './ledgerContract-support';

const CLAIM = claimOf('INV-7');

const sendingOf = (kind: LedgerKind): SendingState => (kind === 'payable' ? 'creating' : 'funding');

/** Which kinds of one reference do not know of each other. */
function unrelatedKinds(knowsOtherKinds: boolean): Array<[LedgerKind, LedgerKind]> {
	const always: Array<[LedgerKind, LedgerKind]> = [['payable', 'funding']];
	return knowsOtherKinds ? always : [...always, ['payout', 'funding'], ['payout', 'payable']];
}

export function kindsContract({ open, traits }: ContractContext): void {
	describe('one reference of two operations', () => {
		test.each(unrelatedKinds(traits.knowsOtherKinds))(
			'stands for a %s and for a %s',
			async (kind, otherKind) => {
				const [run, other] = [await open({ kind }), await open({ kind: otherKind })];
				for (const [one, of] of [[run, kind] as const, [other, otherKind] as const]) {
					expect(await one.claim([CLAIM])).toEqual([NEW]);
					expect(await begins(one, [CLAIM], sendingOf(of))).toBe(true);
				}
				await run.finish([CLAIM]);
				await other.finish([CLAIM]);
				expect(await statesOf(await open({ kind }), [CLAIM])).toEqual([sendingOf(kind)]);
				expect(await statesOf(await open({ kind: otherKind }), [CLAIM])).toEqual([
					sendingOf(otherKind),
				]);
			},
		);
	});

	if (traits.knowsOtherKinds) payoutContract(open);
}

/** What a payout stands for is paid by that payout alone. */
function payoutContract(open: ContractContext['open']): void {
	const expectUsedBy = (kind: string, entry: unknown): void => {
		expect(entry).toMatchObject({ name: 'InputError' });
		expect(entry).toHaveProperty(
			'message',
			expect.stringContaining(`"INV-7" belongs to a ${kind}`),
		);
	};

	describe('a payout and another operation #payout-excludes-other-operations', () => {
		test.each([
			['payout', 'payable'],
			['payout', 'funding'],
			['payable', 'payout'],
			['funding', 'payout'],
		] as const)('exclude each other: %s, then %s', async (kind, otherKind) => {
			const first = await open({ kind });
			await first.claim([CLAIM]);
			const other = await open({ kind: otherKind });
			const [refused, unrelated] = await other.claim([CLAIM, claimOf('INV-8')]);
			expectUsedBy(kind, refused);
			expect(unrelated).toEqual(NEW);
			await other.finish([CLAIM, claimOf('INV-8')]);
			expect(await begins(first, [CLAIM], sendingOf(kind))).toBe(true);
			await first.finish([CLAIM]);
			const [again] = await (await open({ kind: otherKind })).claim([CLAIM]);
			expectUsedBy(kind, again);
			expect(await statesOf(await open({ kind }), [CLAIM])).toEqual([sendingOf(kind)]);
		});

		test('that claim at the same moment: one of them has the reference', async () => {
			const runs = [await open({ kind: 'payout' }), await open({ kind: 'funding' })];
			const entries = await Promise.all(runs.map(async (run) => await run.claim([CLAIM])));
			expect(entries.flat().filter((entry) => entry instanceof Error)).toHaveLength(1);
			expect(entries.flat()).toContainEqual(NEW);
		});
	});

	describe('payables of payouts', () => {
		const prepare = async (claim: Claim, payableId: string, environment?: string) => {
			const run = await open({ ...(environment && { environment }) });
			await run.claim([claim]);
			await run.advance([claim], created(payableId));
			return run;
		};

		test('are known with the references, whatever became of them', async () => {
			const [first, second] = [claimOf('INV-1'), claimOf('INV-2')];
			await (await prepare(first, 'pay-1')).finish([first]);
			const run = await prepare(second, 'pay-2');
			await run.begin([second], 'funding');
			await run.settle([second], 'funded', { funding_id: 'fund-1' });
			const fundings = await open({ kind: 'funding' });
			expect(await fundings.payoutsOf(['pay-2', 'pay-3', 'pay-1'])).toEqual(
				new Map([
					['pay-1', 'INV-1'],
					['pay-2', 'INV-2'],
				]),
			);
			expect(await fundings.payoutsOf([])).toEqual(new Map());
		});

		test('of another environment, and payables of no payout, belong to none', async () => {
			await prepare(CLAIM, 'pay-1', 'production');
			const payables = await open({ kind: 'payable' });
			await payables.claim([CLAIM]);
			await payables.begin([CLAIM], 'creating');
			await payables.settle([CLAIM], 'created', { payable_id: 'pay-2' });
			const fundings = await open({ kind: 'funding' });
			expect(await fundings.payoutsOf(['pay-1', 'pay-2'])).toEqual(new Map());
		});
	});
}
