import {
	addVendors,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const COUNT = 10;

const { fixture, createWorkflow, requestCounts } = usePayouts();

test('payouts that differ, and have one reference by mistake, are refused before the first request #one-reference-two-payouts', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 3);
	const [first, second, third] = payoutsFor(payees);
	const workflow = await createWorkflow();
	const items = await workflow.pay([
		{ ...first, reference: 'JULY' },
		{ ...second, reference: ' JULY ' },
		{ ...third },
	]);
	expect(statusesOf(items)).toEqual(['failed', 'failed', 'funded']);
	expect(items[0]).toMatchObject({
		error: expect.stringMatching(
			/^Items 0, 1 have the same unique reference, "JULY", .* nothing was/,
		),
		hint: expect.stringContaining('under another reference it is done twice'),
	});
	const [one = '', two = '', other = ''] = payees;
	expect(await timesFunded(sandbox, payees)).toEqual({ [one]: 0, [two]: 0, [other]: 1 });
});

test('a payout whose reference stands at one that cannot be read is refused as well #reference-of-unreadable', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 3);
	const [first, second, third] = payoutsFor(payees);
	const workflow = await createWorkflow();
	const items = await workflow.pay([
		{ ...first, reference: 'JULY' },
		{ ...second, reference: 'JULY', amount: '1,5,0' },
		{ ...third },
	]);
	expect(items).toMatchObject([
		{ status: 'failed', error: expect.stringMatching(/^Items 0, 1 have .* cannot all be used/) },
		{
			status: 'failed',
			unique_reference: 'JULY',
			error: expect.stringContaining('1,5,0'),
			hint: expect.stringMatching(/This run sent nothing for it\.$/),
		},
		{ status: 'funded' },
	]);
	const [one = '', two = '', other = ''] = payees;
	expect(await timesFunded(sandbox, payees)).toEqual({ [one]: 0, [two]: 0, [other]: 1 });
});

test('payouts from a wallet that holds too little are not begun, and can be sent when it is filled #wallet-too-small', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, COUNT);
	const [workspace] = await sandbox.control.workspaces();
	const payouts = payoutsFor(payees, Math.ceil(Number(workspace?.balance) / COUNT) + 1);
	const workflow = await createWorkflow();
	const items = await workflow.pay(payouts);
	expect(statusesOf(items)).toEqual(payees.map(() => 'not_sent'));
	expect(items[0]?.['error']).toMatch(
		/^The wallet holds [\d.]+, and the payouts of this run need [\d.]+ \[item 0\]$/,
	);
	expect(await requestCounts()).toEqual({ getWallet: 1 });
	await sandbox.control.deposit(sandbox.workspaceId, 2 * COUNT);
	expect(statusesOf(await workflow.pay(payouts))).toEqual(payees.map(() => 'funded'));
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});
