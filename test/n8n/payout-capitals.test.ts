import { addVendors, once, payoutsFor, timesFunded, usePayouts } from './support/payouts';

const { fixture, createWorkflow, createTableWorkflow, requestCounts } = usePayouts();

test.each([
	['INV_7-1%', 'inv_7-1%'],
	['inv-7-3', 'Inv-7-3'],
	['ÉTÉ-7-6', 'été-7-6'],
	['INV-7-9', 'INV–7-9'],
])(
	'what differs only in capitals or dashes is not paid: %s, then %s #spelling-in-the-ledger',
	async (reference, misspelt) => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 1);
		const [payout] = payoutsFor(payees);
		const workflow = await createTableWorkflow();
		expect(await workflow.pay([{ ...payout, reference }])).toMatchObject([{ status: 'funded' }]);
		await sandbox.control.clearRequests();
		const other = await createTableWorkflow();
		const refused = {
			status: 'failed',
			error: expect.stringContaining(
				`"${misspelt}" differs from "${reference}" only in capitals or dashes`,
			),
			hint: expect.stringContaining(`write "${reference}" here too`),
		};
		for (const one of [workflow, other])
			expect(await one.pay([{ ...payout, reference: misspelt }])).toMatchObject([refused]);
		expect(await requestCounts()).toEqual({});
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	},
);

test('references that look alike are one payment, in one run and in later ones #look-alike-references', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const [payout] = payoutsFor(payees);
	const alike = ['INV 5', 'INV\u00a05', 'INV  5 ', 'INV 5\ufe0f', '\u2800INV\u28005', 'ＩＮＶ ５'];
	for (const create of [createWorkflow, createTableWorkflow]) {
		const workflow = await create();
		const name = workflow.workflow.id;
		for (const reference of [...alike, ...alike])
			await workflow.pay([{ ...payout, reference: `${name} ${reference}` }]);
	}
	expect(await timesFunded(sandbox, payees)).toEqual({ [payees[0] ?? '']: 2 });
});

test('in one run, references that differ only in capitals are refused, and the others are paid #capitals-in-a-run', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 2);
	const [payout, unrelated] = payoutsFor(payees);
	const [payee = '', other = ''] = payees;
	const workflow = await createWorkflow();
	const refused = {
		status: 'failed',
		error: expect.stringMatching(
			/^Items 0, 2 have unique references that differ only in capitals or dashes, "INV-8" and "inv-8"/,
		),
	};
	expect(
		await workflow.pay([
			{ ...payout, reference: 'INV-8' },
			{ ...unrelated, reference: 'UNRELATED' },
			{ ...payout, reference: 'inv-8' },
		]),
	).toMatchObject([refused, { status: 'funded' }, refused]);
	expect(await timesFunded(sandbox, payees)).toEqual({ [payee]: 0, [other]: 1 });
});
