import { verdictOn, type Ledger, type Verdict } from '../../../nodes/PartnerPayments/ledger/ledger';
import { differentInvoiceText, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import { PATIENCE } from '../../../nodes/PartnerPayments/ledger/times';
import {
	type RunOptions,
	paymentOf,
	payableOf,
	claimOf,
	prepareIn,
	blocksOf,
	begins,
	kindsIn,
	verdictIn,
} from './ledgerRuns';

/** One store, empty at first. */
export interface LedgerStore {
	/** Opens the ledger for one more run. */
	open(options?: RunOptions): Ledger | Promise<Ledger>;
}

/**
 * What every implementation of `Ledger` promises, as tests.
 *
 * @param createStore called before each test
 */
export function ledgerContract(createStore: () => LedgerStore | Promise<LedgerStore>): void {
	let store: LedgerStore;
	const open = async (options?: RunOptions): Promise<Ledger> => await store.open(options);
	/** A run that waits as long as in production: one of several wins, also on a busy machine. */
	const openPatient = async (): Promise<Ledger> => await open({ patience: PATIENCE });
	const find = async (payment: Payment): Promise<Verdict> => await verdictIn(await open(), payment);
	const [ada, grace] = [paymentOf('INV-1'), paymentOf('INV-2', { payee: 'grace@example.com' })];

	beforeEach(async () => {
		store = await createStore();
	});

	test('a reference that nobody has used is new, and stays new when it was only looked for', async () => {
		expect(await find(ada)).toEqual({ kind: 'new' });
		expect(await find(ada)).toEqual({ kind: 'new' });
		expect(await begins(await open(), ada)).toBe(true);
	});

	test('a reference may hold any characters #reference-characters', async () => {
		const odd = paymentOf(`O'Brien (1) *! "a\\b" {c} [d] %27 &e=f#g?h; ü 🙂`);
		await (await claimOf(await open(), odd)).complete('funded', 'fund-1');
		expect(await find(odd)).toMatchObject({ kind: 'done' });
		expect(await begins(await open(), odd)).toBe(false);
	});

	test('one of several runs begins #begin-for-one', async () => {
		const runs = await Promise.all([1, 2, 3, 4].map(openPatient));
		const begun = await Promise.all(
			runs.map(async (run) => {
				const beginning = await run.begin([ada]);
				if (beginning.kind === 'begun') {
					await beginning.claim.complete('funded', 'fund-1');
				}
				return beginning.kind === 'begun';
			}),
		);
		expect(begun.filter(Boolean)).toHaveLength(1);
		expect(await begins(await open(), ada)).toBe(false);
	});

	test('of groups that overlap, no payment begins twice, and none is left out for good #begin-overlapping', async () => {
		const payments = Array.from({ length: 12 }, (_, index) => paymentOf(`INV-${index}`));
		const sent = new Map<string, number>();
		const pay = async (group: Payment[]): Promise<void> => {
			const run = await openPatient();
			for (let rest = group; rest.length > 0;) {
				const beginning = await run.begin(rest);
				if (beginning.kind === 'begun') {
					for (const { reference } of rest) {
						sent.set(reference, (sent.get(reference) ?? 0) + 1);
					}
					await beginning.claim.complete('funded', 'fund-1');
					return;
				}
				const { verdicts } = beginning;
				rest = rest.filter((payment) => verdictOn(payment, verdicts).kind !== 'done');
			}
		};
		await Promise.all([pay(payments.slice(0, 8)), pay(payments.slice(4).reverse())]);
		expect([...sent.values()]).toEqual(payments.map(() => 1));
	});

	test('all payments of a claim begin or none #begin-all-or-none', async () => {
		await (await claimOf(await open(), ada)).complete('funded', 'fund-1');
		const beginning = await (await open()).begin([grace, ada]);
		expect(blocksOf(beginning, grace, ada)).toEqual(['new', 'done']);
		expect(await begins(await open(), grace)).toBe(true);
	});

	test.each(['funded', 'awaiting_deposit'] as const)(
		'what was answered with %s is done for every later run, in every process #answered-is-done',
		async (state) => {
			const claim = await claimOf(await open(), ada, grace);
			await claim.complete(state, 'fund-1');
			await claim.addInvoice('https://example.com/1.pdf');
			const later = await open();
			expect(await verdictIn(later, ada)).toMatchObject({
				kind: 'done',
				known: {
					state,
					payableId: 'pay-INV-1',
					fundingId: 'fund-1',
					pdfUrl: 'https://example.com/1.pdf',
				},
			});
			expect(await kindsIn(await open(), ada, grace)).toEqual(['done', 'done']);
		},
	);

	test('what was not answered is unconfirmed for every later run #unanswered-is-unconfirmed', async () => {
		await (await claimOf(await open(), ada)).leaveUnconfirmed();
		expect(await find(ada)).toMatchObject({ kind: 'unconfirmed' });
		expect(await begins(await open(), ada)).toBe(false);
	});

	test('what was refused may be tried again, with its payable #prepared-is-kept', async () => {
		const run = await open();
		await run.recordPayables([ada]);
		await (await claimOf(run, ada)).withdraw();
		await run.storeLeftover([ada], 'prepared');
		const later = await open();
		expect(await verdictIn(later, ada)).toMatchObject({
			kind: 'prepared',
			known: { payableId: 'pay-INV-1' },
		});

		await (await claimOf(later, ada)).complete('funded', 'fund-2');

		expect(await find(ada)).toMatchObject({ kind: 'done' });
	});

	test('a claim that was withdrawn may begin again in the same run #begin-again', async () => {
		const run = await open();
		await run.recordPayables([ada, grace]);
		await (await claimOf(run, ada, grace)).withdraw();

		await (await claimOf(run, ada)).complete('funded', 'fund-1');
		await (await claimOf(run, grace)).complete('funded', 'fund-2');

		expect(await kindsIn(await open(), ada, grace)).toEqual(['done', 'done']);
	});

	test('what is prepared is not sent, and names its payable', async () => {
		await prepareIn(await open(), ada);

		expect(await find(ada)).toMatchObject({
			kind: 'prepared',
			known: { payableId: 'pay-INV-1' },
		});
		expect(await begins(await open(), ada)).toBe(true);
	});

	test('what another run prepares is not for this one #busy', async () => {
		await (await open()).recordPayables([ada]);

		expect(await kindsIn(await open(), ada)).toEqual(['busy']);
	});

	test('a payable that lost is not offered to a later run #surplus', async () => {
		const run = await open();
		await run.recordPayables([ada]);

		await run.storeLeftover([ada], 'surplus');

		expect(await kindsIn(await open(), ada)).toEqual(['new']);
	});

	test.each(['recorded', 'prepared', 'held', 'surplus', 'refused', 'funded'] as const)(
		'a payable of a reference is not funded by its ID when it is %s #by-id-refused',
		async (state) => {
			const run = await open();
			await run.recordPayables([ada]);
			if (state === 'refused') {
				await (await claimOf(run, ada)).withdraw();
			} else if (state === 'funded') {
				await (await claimOf(run, ada)).complete('funded', 'fund-1');
			} else if (state !== 'recorded') {
				await run.storeLeftover([ada], state);
			}
			const byId = payableOf('pay-INV-1');

			expect(await kindsIn(await open(), byId)).toEqual(['refused']);
			expect(await begins(await open(), byId)).toBe(false);
		},
	);

	test.each(['surplus', 'prepared', 'held'] as const)(
		'a reference is paid when its payable, %s by now, was funded by its ID before it was recorded #paid-by-id',
		async (leftover) => {
			const byId = await claimOf(await open(), payableOf('pay-INV-1'));
			const run = await open();
			await run.recordPayables([ada]);
			await byId.complete('funded', 'fund-1');
			expect(await begins(run, ada)).toBe(false);

			await run.storeLeftover([ada], leftover);

			expect(await kindsIn(await open(), ada)).toEqual(['done']);
			expect(await begins(await open(), { ...ada, payableId: 'pay-other' })).toBe(false);
		},
	);

	test('nor is it paid under a similar number then #paid-by-id-similar', async () => {
		const byId = await claimOf(await open(), payableOf('pay-INV-1'));
		const run = await open();
		await run.recordPayables([ada]);
		await byId.complete('funded', 'fund-1');
		await run.storeLeftover([ada], 'surplus');

		const similar = await begins(await open(), { ...ada, reference: '1', payableId: 'pay-9' });

		expect(similar).toBe(false);
	});

	test('two payments of a run with one payable never take each other for their own #payable-given-twice', async () => {
		const run = await open();
		const other = paymentOf('INV-2', { payableId: 'pay-INV-1', amount: 100 });
		await run.recordPayables([ada]);
		await run.recordPayables([other]);

		await run.begin([ada]).catch(() => undefined);

		expect(await kindsIn(await open(), other)).not.toEqual(['done']);
	});

	describe.each(['sent', 'prepared', 'held'] as const)('an invoice that is %s', (state) => {
		const put = async (): Promise<void> => {
			const run = await open();
			if (state === 'sent') {
				await (await claimOf(run, ada)).complete('funded', 'fund-1');
			} else {
				await run.recordPayables([ada]);
				await run.storeLeftover([ada], state);
			}
		};

		test.each([
			['another payee and the same amount', { payee: 'eve@example.com' }],
			['the same payee and another amount', { amount: 9_900 }],
		])('is refused for %s #other-content', async (_, change) => {
			await put();
			const other = { ...ada, ...change, payableId: 'pay-other' };

			expect(await kindsIn(await open(), other)).toEqual(['refused']);
			expect(await begins(await open(), other)).toBe(false);
		});

		test('is not the one of another payee with the same amount, when a person has found so #told-apart', async () => {
			await put();
			const unmarked = { ...ada, payee: 'eve@example.com', payableId: 'pay-9' };
			const others = {
				...unmarked,
				differentInvoices: [differentInvoiceText(unmarked, { ...ada, state })],
			};

			await (await claimOf(await open(), others)).complete('funded', 'fund-9');

			expect(await kindsIn(await open(), others)).toEqual(['done']);
			expect(await kindsIn(await open(), unmarked)).toEqual(['done']);
			expect(await begins(await open(), unmarked)).toBe(false);
		});

		test('is refused for the same payee and amount with a similar number #similar-number', async () => {
			await put();
			const similar = { ...ada, reference: '1', payableId: 'pay-9' };
			const others = [
				{ ...similar, payee: 'eve@example.com' },
				{ ...similar, amount: 9_900 },
				{ ...similar, reference: 'INV-1-2' },
				{ ...similar, differentInvoices: [differentInvoiceText(similar, { ...ada, state })] },
			];

			for (const other of others) {
				expect(await kindsIn(await open(), other)).toEqual(['new']);
			}
			expect(await kindsIn(await open(), similar)).toEqual(['refused']);
			expect(await begins(await open(), similar)).toBe(false);
		});

		test('is not the one of another payee with another amount #other-vendor', async () => {
			await put();
			const others = { ...ada, payee: 'eve@example.com', amount: 9_900, payableId: 'pay-9' };

			expect(await kindsIn(await open(), others)).toEqual(['new']);
			await (await claimOf(await open(), others)).complete('funded', 'fund-9');

			expect(await kindsIn(await open(), ada, others)).toEqual([
				state === 'sent' ? 'done' : 'prepared',
				'done',
			]);
		});
	});

	test.each([
		['another payee and the same amount', { payee: 'eve@example.com' }, 1],
		['the same payee and another amount', { amount: 9_900 }, 1],
		['another payee and another amount', { payee: 'eve@example.com', amount: 9_900 }, 2],
		['the same number with another word', { reference: 'Bill 1' }, 1],
		['another number', { reference: 'INV-1-2' }, 2],
	])('of two runs at once with %s, so many begin #race-of-contents', async (_, change, count) => {
		const other = { ...ada, ...change, payableId: 'pay-other' };

		const begun = await Promise.all(
			[ada, other].map(async (payment) => {
				const beginning = await (await openPatient()).begin([payment]);
				if (beginning.kind === 'begun') {
					await beginning.claim.complete('funded', `fund-${payment.payableId}`);
				}
				return beginning.kind === 'begun';
			}),
		);

		expect(begun.filter(Boolean)).toHaveLength(count);
	});

	test('under another label of the environment, a reference is refused #environment-label', async () => {
		await (await claimOf(await open(), ada)).complete('funded', 'fund-1');
		const production = await open({ environment: 'production' });
		expect(await kindsIn(production, ada)).toEqual(['refused']);
		expect(await begins(production, ada)).toBe(false);
	});

	test.each([
		...'inv-1,INV–1,Inv‑1,INV 1,INV_1,INV/1,INV - 1,INV1,#INV-1,INV+1=,INV-01'
			.split(',')
			.map((misspelt) => ['INV-1', misspelt] as const),
		...([
			['INV_7-1%', 'inv_7-1%'],
			['ÉTÉ-7', 'été-7'],
			['2026-1-11', '2026/01/11'],
		] as const),
	])('where "%s" was sent, "%s" is refused #other-spelling', async (reference, misspelt) => {
		await (await claimOf(await open(), paymentOf(reference))).complete('funded', 'fund-1');
		const other = paymentOf(misspelt, { payableId: 'pay-other' });
		expect(await kindsIn(await open(), other)).toEqual(['refused']);
		expect(await begins(await open(), other)).toBe(false);
	});

	test('the same reference in another workspace is another payment', async () => {
		await (await claimOf(await open(), ada)).complete('funded', 'fund-1');
		const elsewhere = paymentOf('INV-1', {
			workspaceId: '0b9d6a3e-1111-4222-8333-444455556666',
			payableId: 'pay-9',
		});
		expect(await kindsIn(await open(), elsewhere)).toEqual(['new']);
		expect(await begins(await open(), elsewhere)).toBe(true);
	});

	test('a payable that is funded by its ID is funded once #payable-once', async () => {
		const payable = payableOf('pay-7');
		await (await claimOf(await open(), payable)).complete('funded', 'fund-1');
		expect(await kindsIn(await open(), payable)).toEqual(['done']);
		expect(await begins(await open(), payable)).toBe(false);
		const other = payableOf('pay-8');
		await (await claimOf(await open(), other)).withdraw();
		expect(await begins(await open(), other)).toBe(true);
	});
}
