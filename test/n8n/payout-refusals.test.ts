import { countValues } from '../../tools/statistics';
import {
	addVendors,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const COUNT = 100;

const { fixture, createWorkflow, requestCounts } = usePayouts();

const countStatuses = (items: Array<Record<string, unknown>>): Record<string, number> =>
	Object.fromEntries(countValues(statusesOf(items).map(String)));

/** The balance of the workspace's wallet, in minor units. */
async function balance(): Promise<number> {
	const [workspace] = await fixture().sandbox.control.workspaces();
	return Number(workspace?.balance);
}

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
		{ status: 'failed', error: expect.stringContaining('1,5,0') },
		{ status: 'funded' },
	]);
	const [one = '', two = '', other = ''] = payees;
	expect(await timesFunded(sandbox, payees)).toEqual({ [one]: 0, [two]: 0, [other]: 1 });
});

describe('many payouts', () => {
	test('from a wallet that holds too little are not begun, and can be sent when it is filled #wallet-too-small', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, COUNT);
		const payouts = payoutsFor(payees, Math.ceil((await balance()) / COUNT) + 1);
		const workflow = await createWorkflow();
		const items = await workflow.pay(payouts);
		expect(countStatuses(items)).toEqual({ not_sent: COUNT });
		expect(items[0]?.['error']).toMatch(
			/^The wallet holds [\d.]+, and the payouts of this run need [\d.]+ \[item 0\]$/,
		);
		expect(await requestCounts()).toEqual({ getWallet: 1 });
		await sandbox.control.deposit(sandbox.workspaceId, 2 * COUNT);
		expect(countStatuses(await workflow.pay(payouts))).toEqual({ funded: COUNT });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
		await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
	});

	test.each([
		['an empty wallet that nobody looks at first', 402],
		['one wrong purchase order number', 422],
	])(
		'that are refused for %s cost a handful of fundings #refusals-end-the-run',
		async (_, status) => {
			const { sandbox } = fixture();
			const payees = await addVendors(sandbox, COUNT);
			const match = { operationId: 'createFunding' };
			await sandbox.control.addFault({ kind: 'status', status, match, ratio: 1 });
			const workflow = await createWorkflow({ options: { checkBalance: false } });
			const items = await workflow.pay(payoutsFor(payees));
			const statuses = countStatuses(items);
			expect(Object.keys(statuses).sort()).toEqual(['not_sent']);
			expect((await requestCounts())['createFunding']).toBeLessThanOrEqual(8);
			await sandbox.control.clearFaults();
			expect(countStatuses(await workflow.pay(payoutsFor(payees)))).toEqual({ funded: COUNT });
			expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
		},
	);

	test('at a service that does not answer end with the first funding #silent-service-ends-the-run', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, COUNT);
		const match = { operationId: 'createFunding' };
		await sandbox.control.addFault({ kind: 'status', status: 503, match, ratio: 1 });
		const workflow = await createWorkflow();
		const items = await workflow.pay(payoutsFor(payees));
		expect(countStatuses(items)).toEqual({ unconfirmed: 50, not_sent: 50 });
		expect((await requestCounts())['createFunding']).toBe(1);
		await sandbox.control.clearFaults();
		const again = await workflow.pay(payoutsFor(payees));
		expect(countStatuses(again)).toEqual({ unconfirmed: 50, funded: 50 });
	});

	test('of which one cannot be funded are paid but for that one #one-unfundable-payout', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, COUNT);
		const whole = await balance();
		for (const bad of [0, 77]) {
			await sandbox.control.clearRequests();
			const payouts = payoutsFor(payees).map((payout, index) => ({
				...payout,
				reference: `${payout.reference} ${bad}`,
				amount: index === bad ? whole : payout.amount,
			}));
			const workflow = await createWorkflow({ options: { checkBalance: false } });
			const items = await workflow.pay(payouts);
			expect(countStatuses(items)).toEqual({ failed: 1, funded: COUNT - 1 });
			expect(items[bad]?.['status']).toBe('failed');
			expect((await requestCounts())['createFunding']).toBeLessThanOrEqual(15);
		}
	});
});
