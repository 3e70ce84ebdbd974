import { NODE_UNDER_TEST, successfulItems } from '../../tools/n8n';
import { hintsOf, statusesOf, usePayouts } from './support/payouts';

const { addPayouts, createWorkflow, createSharedWorkflow, requestCounts } = usePayouts();

test.each([
	["the project's table", createWorkflow],
	['a shared table', createSharedWorkflow],
])(
	'a preview sends nothing, and the run does what it said, with %s #preview',
	async (_, create) => {
		const { payouts, expectPaidOnce } = await addPayouts(6);
		const workflow = await create({ options: { preview: '={{ $json.preview }}' } });
		await workflow.pay(payouts.slice(0, 3).map((payout) => ({ ...payout, preview: false })));
		const before = await requestCounts();
		const items = [...payouts, { reference: 'INV-0', payee: 'no address', amount: 100 }];

		const execution = await workflow.execute(items.map((item) => ({ ...item, preview: true })));

		const shown = successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json);

		expect(statusesOf(shown)).toEqual([
			...payouts.map((_payout, index) => (index < 3 ? 'duplicate' : 'would_pay')),
			'refused',
		]);
		expect(shown.at(-1)?.['reason']).toContain('no address');
		expect(hintsOf(execution)).toEqual([
			expect.stringMatching(
				/^Preview, nothing was sent\..* 3 would_pay \(\$3\.00\).* needs \$3\.00/,
			),
		]);
		expect({ ...(await requestCounts()), getWallet: 0 }).toEqual({ ...before, getWallet: 0 });

		const paid = await workflow.pay(items.map((item) => ({ ...item, preview: false })));
		const done = { duplicate: 'duplicate', would_pay: 'funded', refused: 'failed' };

		expect(statusesOf(paid)).toEqual(
			statusesOf(shown).map((status) => done[status as keyof typeof done]),
		);
		await expectPaidOnce();
	},
);

test('a payout that a rule holds is sent by a second node, after a person agreed #held-then-agreed', async () => {
	const { payouts, timesFunded } = await addPayouts(4, 1000);
	const [known, twin, large, small] = payouts;
	if (!known || !twin || !large || !small) {
		throw new Error('There are not enough payouts');
	}

	const send = await createWorkflow();
	const careful = await createWorkflow({
		options: { holdAbove: '10.00', holdNewPayees: true, holdDuplicatesDays: 30 },
	});
	await send.pay([known, small]);
	const items = [
		{ ...known, reference: withNumber(known.reference, 12) },
		{ ...small, reference: `${small.reference} again`, amount: 1001 },
		twin,
		{ ...small, reference: withNumber(small.reference, 13), amount: 999 },
	];

	const first = await careful.pay(items);

	expect(statusesOf(first)).toEqual(['held', 'held', 'held', 'funded']);
	expect(first.map(({ reason }) => reason)).toEqual([
		expect.stringMatching(`"${known.reference}" to ${known.payee}, .*: same payee and amount$`),
		expect.stringMatching(
			`"${small.reference}" to ${small.payee}, .*: same invoice number; The amount is above .10.00$`,
		),
		expect.stringMatching(`${twin.payee} .*"${known.reference}" to ${known.payee}`),
		undefined,
	]);
	expect(statusesOf(await careful.pay(items.slice(0, 3)))).toEqual(['held', 'held', 'held']);
	expect(statusesOf(await send.pay([{ ...twin, amount: 999 }]))).toEqual(['failed']);

	const agreed = await send.pay([twin, large]);

	expect(statusesOf(agreed)).toEqual(['funded', 'funded']);
	expect(statusesOf(await careful.pay([twin]))).toEqual(['duplicate']);
	expect(await timesFunded()).toEqual(
		Object.fromEntries(
			[known, twin, large, small].map(({ payee }) => [payee, payee === small.payee ? 2 : 1]),
		),
	);
});

/** A reference with another number at its end: that of another invoice. */
const withNumber = (reference: string, number: number): string =>
	reference.replace(/\d+$/, String(number));
