import type { Fixture } from '../n8n/support/fixture';
import { statusesOf, usePayouts } from '../n8n/support/payouts';

const PAYOUTS = 3;

/** Tests that this n8n has a ledger: of what is paid once, held, resolved and listed. */
export function testPayouts(fixture: () => Fixture): void {
	const { addPayouts, createWorkflow, requestCounts } = usePayouts(fixture);

	test("a payout is made once, in two runs in a row, and by another workflow's node", async () => {
		const { payouts, expectPaidOnce } = await addPayouts(PAYOUTS);
		const workflow = await createWorkflow();

		const other = await createWorkflow();

		const first = await workflow.pay(payouts);
		const again = await workflow.pay(payouts);
		const elsewhere = await other.pay(payouts);

		const duplicates = first.map((item) => ({
			...item,
			status: 'duplicate',
			first_status: 'funded',
		}));
		expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('funded'));
		expect(again).toEqual(duplicates);
		expect(elsewhere).toEqual(duplicates);
		expect(await requestCounts()).toMatchObject({ createPayable: PAYOUTS, createFunding: 1 });
		await expectPaidOnce();
	});

	test('what is unconfirmed is listed, and paid after a person has resolved it', async () => {
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const [{ reference } = { reference: '' }] = payouts;
		const workflow = await createWorkflow();
		const list = await createWorkflow({ operation: 'getMany', returnAll: true });
		const resolve = await createWorkflow({ operation: 'resolve', outcome: 'notPaid' });
		const listed = async (): Promise<unknown[]> => {
			const items = await list.pay([{}]);
			return statusesOf(items.filter((item) => item['unique_reference'] === reference));
		};

		await fixture().sandbox.control.addFault({
			kind: 'cut_before',
			match: { operationId: 'createFunding' },
		});

		expect(statusesOf(await workflow.pay(payouts))).toEqual(['unconfirmed']);
		expect(await listed()).toEqual(['unconfirmed']);
		expect(await resolve.pay([{ reference }])).toMatchObject([{ is_resolved: true }]);
		expect(await listed()).toEqual(['not_paid']);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['funded']);
		await expectPaidOnce();
	});

	test('what is held is paid by a second node, after a person agreed', async () => {
		const { payouts, expectPaidOnce, timesFunded } = await addPayouts(1);
		const careful = await createWorkflow({ options: { holdAbove: '0.50' } });
		const agreed = await createWorkflow();

		expect(statusesOf(await careful.pay(payouts))).toEqual(['held']);
		expect(Object.values(await timesFunded())).toEqual([0]);
		expect(statusesOf(await agreed.pay(payouts))).toEqual(['funded']);
		expect(statusesOf(await careful.pay(payouts))).toEqual(['duplicate']);
		await expectPaidOnce();
	});
}
