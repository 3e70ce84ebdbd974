import { TakenOverError, type Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import {
	approved,
	begins,
	claimOf,
	created,
	NEW,
	otherContentOf,
	statesOf,
	type ContractContext,
} from './ledgerContract-support';

const FIRST = claimOf('INV-1');
const SECOND = claimOf('INV-2');
const OTHER_WORKSPACE = '11111111-5b0e-4f7e-9f0e-3c1a2b4d5e6f';

/** A reference that differs from that of a payout in the sandbox, `INV-7`. */
interface Lookalike {
	what: string;
	claim: Claim;
	environment?: string;
}

const IN_OTHER_CAPITALS: Lookalike = { what: 'capitals', claim: claimOf('inv-7') };

const LOOKALIKES: Lookalike[] = [
	...['known', 'content', 'sent', 'doubt', 'lock'].map((word) => ({
		what: `the reference with "${word}" behind it`,
		claim: claimOf(`INV-7 ${word}`),
	})),
	{ what: 'quotes and brackets', claim: claimOf('INV-7"]') },
	{ what: 'a quote and a comma', claim: claimOf('INV-7","sent') },
	{ what: 'the content behind it', claim: claimOf('INV-7 is 250.00 USD to ada@example.com') },
	{ what: 'another workspace', claim: claimOf('INV-7', { workspaceId: OTHER_WORKSPACE }) },
	{ what: 'another environment', claim: claimOf('INV-7'), environment: 'production' },
];

export function claimContract({ open, traits }: ContractContext): void {
	/** What a run of another process is told of a payable, as far as the store keeps it. */
	const known = (payableId: string, state: string): object =>
		traits.sharesFacts ? { state, facts: { payable_id: payableId } } : { state: 'claimed' };

	describe('claim', () => {
		test('answers come in the order of the claims', async () => {
			const many = Array.from({ length: 60 }, (_, index) => claimOf(`INV-${index}`));
			const run = await open();
			await run.claim([many[7] ?? FIRST, many[40] ?? FIRST]);
			await run.finish([many[7] ?? FIRST]);
			const entries = await (await open()).claim([...many].reverse());
			expect(entries).toHaveLength(60);
			expect(entries.findIndex((entry) => 'isNew' in entry && !entry.isNew)).toBe(19);
			expect(entries.filter((entry) => 'isNew' in entry && entry.isNew)).toHaveLength(59);
		});

		test('of runs that claim a reference at the same moment it is new to one #claim-new-to-one', async () => {
			const runs = await Promise.all([open(), open(), open(), open()]);
			const entries = await Promise.all(runs.map(async (run) => await run.claim([FIRST])));
			expect(entries.flat().filter((entry) => 'isNew' in entry && entry.isNew)).toHaveLength(1);
			expect(entries.flat().filter((entry) => 'isNew' in entry && !entry.isNew)).toHaveLength(3);
		});
	});

	describe('a reference that stands for something else', () => {
		test('is refused in every process, again and again, and the first goes on #other-content-in-every-process', async () => {
			await (await open()).claim([FIRST]);
			for (let round = 0; round < 2; round += 1) {
				const run = await open();
				const [refused, other] = await run.claim([otherContentOf(FIRST), SECOND]);
				expect(refused).toMatchObject({ name: 'InputError' });
				expect(refused).toHaveProperty(
					'message',
					expect.stringContaining(traits.sharesFacts ? FIRST.content : FIRST.reference),
				);
				expect(other).toEqual(NEW);
				await run.finish([otherContentOf(FIRST), SECOND]);
			}
			expect(await (await open()).claim([FIRST])).toMatchObject([{ isNew: false }]);
		});

		test.each(['begun', 'settled'])('is refused when the first is %s', async (end) => {
			const run = await open();
			await run.claim([FIRST]);
			await run.begin([FIRST], 'funding');
			if (end === 'settled') await run.settle([FIRST], 'funded', { funding_id: 'fund-1' });
			await run.finish([FIRST]);
			expect(await (await open()).claim([otherContentOf(FIRST)])).toMatchObject([
				{ name: 'InputError' },
			]);
		});

		test('at the same moment one of the two is refused', async () => {
			const runs = await Promise.all([open(), open()]);
			const entries = await Promise.all(
				runs.map(async (run, index) => await run.claim([index ? FIRST : otherContentOf(FIRST)])),
			);
			expect(entries.flat().filter((entry) => entry instanceof Error)).toHaveLength(1);
			expect(entries.flat()).toContainEqual(NEW);
		});
	});

	describe('a run that was cut off before its request', () => {
		test('is gone on with, in every process #cut-off-is-taken-over', async () => {
			await (await open()).claim([FIRST]);
			const run = await open();
			expect(await run.claim([FIRST])).toMatchObject([
				{ state: 'claimed', isNew: false, isInterrupted: true },
			]);
			expect(await begins(run, [FIRST])).toBe(true);
		});

		test('is gone on with after the steps that it kept', async () => {
			const first = await open();
			await first.claim([FIRST, SECOND]);
			await first.advance([FIRST], created('pay-1'));
			await first.advance([SECOND], created('pay-2'));
			await first.advance([SECOND], approved('pay-2'));
			const second = await open();
			expect(await second.claim([SECOND, FIRST])).toMatchObject([
				{ ...known('pay-2', 'approved'), isNew: false, isInterrupted: true },
				{ ...known('pay-1', 'created'), isNew: false, isInterrupted: true },
			]);
			expect(await begins(second, [FIRST, SECOND])).toBe(true);
		});

		test('is gone on with from all that is known in its own process', async () => {
			const first = await open({ process: 'one' });
			await first.claim([FIRST]);
			const kept = { ...created('pay-1'), isApprovalUnanswered: true };
			await first.advance([FIRST], kept);
			expect(await (await open({ process: 'one' })).claim([FIRST])).toEqual([
				{ ...kept, isNew: false, isInterrupted: true },
			]);
		});

		test('begins no more when another has begun meanwhile #begin-not-for-cut-off', async () => {
			const [first, second] = [await open(), await open()];
			await first.claim([FIRST]);
			await second.claim([FIRST]);
			const advanced = await first.advance([FIRST], created('pay-1')).then(
				() => 'kept',
				(error: unknown) => error,
			);
			if (traits.takesOver) expect(advanced).toBeInstanceOf(TakenOverError);
			else expect(advanced).toBe('kept');
			expect(await begins(second, [FIRST])).toBe(true);
			expect(await begins(first, [FIRST])).toBe(false);
			expect(await statesOf(await open(), [FIRST])).toEqual(['funding']);
		});
	});

	describe('references that are not the same #references-kept-apart', () => {
		const others = traits.refusesOtherCapitals ? LOOKALIKES : [...LOOKALIKES, IN_OTHER_CAPITALS];
		test.each(others)('by $what', async ({ claim, environment }) => {
			const run = await open();
			const own = claimOf('INV-7');
			await run.claim([own]);
			await run.begin([own], 'funding');
			const other = await open({ ...(environment && { environment }) });
			expect(await other.claim([claim])).toEqual([NEW]);
			expect(await begins(other, [claim])).toBe(true);
			await run.settle([own], 'funded', { funding_id: 'fund-1' });
			await other.finish([claim]);
			const later = await open({ ...(environment && { environment }) });
			expect(await statesOf(later, [claim])).toEqual(['funding']);
			expect(await statesOf(await open(), [own])).toEqual(['funded']);
		});
	});

	if (!traits.refusesOtherCapitals) return;
	describe('a reference in other capitals', () => {
		const own = claimOf('INV-7');
		const misspelt = IN_OTHER_CAPITALS.claim;
		const expectRefused = (entry: unknown): void => {
			expect(entry).toMatchObject({ name: 'InputError' });
			expect(entry).toHaveProperty(
				'message',
				expect.stringContaining('"inv-7" differs only in capitals from "INV-7"'),
			);
		};

		test('is refused while the first one is at work, and when it is done', async () => {
			const run = await open();
			await run.claim([own]);
			const other = await open();
			const [refused, unrelated] = await other.claim([misspelt, claimOf('INV-8')]);
			expectRefused(refused);
			expect(unrelated).toEqual(NEW);
			expect(await begins(run, [own])).toBe(true);
			await run.settle([own], 'funded', { funding_id: 'fund-1' });
			expectRefused((await (await open()).claim([misspelt]))[0]);
			expect(await statesOf(await open(), [own])).toEqual(['funded']);
		});
	});
}
