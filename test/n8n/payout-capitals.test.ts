import { addVendors, once, payoutsFor, timesFunded, usePayouts } from './support/payouts';

const { fixture, createWorkflow, createTableWorkflow, requestCounts } = usePayouts();

test.each([
	['INV_7-1%', 'inv_7-1%'],
	['inv-7-3', 'Inv-7-3'],
	['ÉTÉ-7-6', 'été-7-6'],
])(
	'what differs from it only in capitals is not paid: %s, then %s with a Data Table #capitals-in-the-ledger',
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
				`Unique Reference "${misspelt}" differs only in capitals from "${reference}" in the ledger table`,
			),
			hint: expect.stringContaining(`write "${reference}" here as well`),
		};
		for (const one of [workflow, other])
			expect(await one.pay([{ ...payout, reference: misspelt }])).toMatchObject([refused]);
		expect(await requestCounts()).toEqual({});
		expect(await other.pay([{ ...payout, reference }])).toMatchObject([{ status: 'duplicate' }]);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	},
);

test('in one run, references that differ only in capitals are refused, and the others are paid #capitals-in-a-run', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 2);
	const [payout, unrelated] = payoutsFor(payees);
	const [payee = '', other = ''] = payees;
	for (const create of [createWorkflow, createTableWorkflow]) {
		const workflow = await create();
		const refused = {
			status: 'failed',
			error: expect.stringMatching(
				/^Items 0, 2 have unique references that differ only in capitals, "INV-8" and "inv-8"/,
			),
			hint: expect.stringContaining('write the reference in the same way in all of them'),
		};
		expect(
			await workflow.pay([
				{ ...payout, reference: 'INV-8' },
				{ ...unrelated, reference: `UNRELATED-${workflow.workflow.id}` },
				{ ...payout, reference: 'inv-8' },
			]),
		).toMatchObject([refused, { status: 'funded' }, refused]);
	}
	expect(await timesFunded(sandbox, payees)).toEqual({ [payee]: 0, [other]: 2 });
});

test('what is in doubt is settled under its own reference, and not under one in other capitals', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const [payout] = payoutsFor(payees);
	const workflow = await createTableWorkflow();
	await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
	const pay = async () => await workflow.pay([{ ...payout, reference: 'INV-9' }]);
	expect(await pay()).toMatchObject([{ status: 'in_doubt' }]);
	const settle = await createTableWorkflow({ operation: 'settle', outcome: 'paid' });
	await settle.execute([{ reference: 'inv-9' }]);
	expect(await settle.newestOutput()).toMatchObject([
		{
			error: expect.stringMatching(/^Nothing was settled: the ledger table has no entry "inv-9"/),
			details: { hint: expect.stringContaining('Check the reference, capitals included,') },
		},
	]);
	expect(await pay()).toMatchObject([{ status: 'in_doubt' }]);
	await settle.execute([{ reference: 'INV-9' }]);
	expect(await settle.newestOutput()).toMatchObject([{ is_settled: true, status: 'funded' }]);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});
