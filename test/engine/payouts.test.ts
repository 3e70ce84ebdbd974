import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Changes, jsonOf, payable, startScriptedService } from './support';

const service = startScriptedService();

/** Has the service do whatever it is asked, from a wallet that holds so much. */
const useWallet = (balance: number): void => {
	const common = { balance, pdf_url: 'https://files.example.com/1.pdf' };
	service.useScript((_, position) => ({ body: { id: `x${position}`, ...common } }));
};

beforeEach(() => {
	useWallet(1_000_000);
});

const execute = async (items: IDataObject[], parameters: INodeParameters, changes: Changes = {}) =>
	await service.execute(
		'payout.send',
		payable({
			payeeEmail: '={{ $json.payee }}',
			amount: '={{ $json.amount }}',
			amountUnit: 'minor',
			fundingMethod: 'balance',
			uniqueReference: '={{ $json.reference }}',
			...parameters,
		}),
		{ items, ...changes },
	);

/** Pays what items ask for; returns the items that come out. */
const pay = async (
	items: IDataObject[],
	parameters: INodeParameters = {},
	changes: Changes = {},
): Promise<IDataObject[]> =>
	jsonOf(
		(await execute(items, parameters, { onError: 'continueRegularOutput', ...changes })).items,
	);

const statusesOf = (items: IDataObject[]): unknown[] => items.map(({ status }) => status);

/** The bodies of all fundings that were asked for. */
const fundings = (): unknown[] =>
	service.requests.filter(({ url }) => url === '/v1/funding').map(({ body }) => body);

const ANA = { payee: 'ana@example.com', amount: 100 };
const BEN = { payee: 'ben@example.com', amount: 200, reference: 'INV-2' };
const CARLA = { payee: 'carla@example.com', amount: 300, reference: 'INV-3' };
/** The one funding where only Carla can be paid. */
const CARLA_ALONE = [expect.objectContaining({ amount: 300, description: '[INV-3]' })];

test('payouts that differ, and have one reference by mistake, are refused before the first request #one-reference-two-payouts', async () => {
	const [first = {}, second, third] = await pay([
		{ ...ANA, reference: 'JULY' },
		{ ...BEN, reference: ' JULY ' },
		CARLA,
	]);
	expect(statusesOf([first, second ?? {}, third ?? {}])).toEqual(['failed', 'failed', 'funded']);
	expect(first).toMatchObject({
		error: expect.stringMatching(
			/^Items 0, 1 have the same unique reference, "JULY", .* nothing was/,
		),
		hint: expect.stringContaining('under another reference it is done twice'),
	});
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('a payout whose reference stands at one that cannot be read is refused as well #reference-of-unreadable', async () => {
	const unreadable = { ...BEN, reference: 'JULY', amount: '1,5,0' };
	expect(await pay([{ ...ANA, reference: 'JULY' }, unreadable, CARLA])).toMatchObject([
		{ status: 'failed', error: expect.stringMatching(/^Items 0, 1 have .* cannot all be used/) },
		{
			status: 'failed',
			unique_reference: 'JULY',
			error: expect.stringContaining('1,5,0'),
			hint: expect.stringMatching(/This run sent nothing for it\.$/),
		},
		{ status: 'funded' },
	]);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('in one run, references that differ only in capitals are refused, and the others are paid #capitals-in-a-run', async () => {
	const refused = {
		status: 'failed',
		error: expect.stringMatching(
			/^Items 0, 2 have unique references that differ only in capitals or dashes, "INV-8" and "inv-8"/,
		),
	};
	const items = [{ ...ANA, reference: 'INV-8' }, CARLA, { ...ANA, reference: 'inv-8' }];
	expect(await pay(items)).toMatchObject([refused, { status: 'funded' }, refused]);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('payouts from a wallet that holds too little are not begun, and can be sent when it is filled #wallet-too-small', async () => {
	const workflowId = randomUUID();
	useWallet(499);
	const items = await pay([BEN, CARLA], {}, { workflowId });
	expect(statusesOf(items)).toEqual(['not_sent', 'not_sent']);
	expect(items[0]?.['error']).toBe(
		'The wallet holds 4.99, and the payouts of this run need 5.00 [item 0]',
	);
	expect(service.requests).toHaveLength(1);
	useWallet(500);
	expect(statusesOf(await pay([BEN, CARLA], {}, { workflowId }))).toEqual(['funded', 'funded']);
	expect(fundings()).toHaveLength(1);
});

test('payouts by invoice wait for the deposit, with the invoice at hand #invoice-waits-for-deposit', async () => {
	const options = { poNumber: 'PO-7', fundingDescription: 'March' };
	const items = await pay([BEN, CARLA], { fundingMethod: 'invoice', options });
	const { funding_id } = items[0] ?? {};
	expect(funding_id).toMatch(/^x\d/);
	const waiting = { status: 'awaiting_deposit', funding_id };
	expect(items).toMatchObject([
		{ ...waiting, pdf_url: 'https://files.example.com/1.pdf' },
		{ ...waiting, pdf_url: 'https://files.example.com/1.pdf' },
	]);
	expect(fundings()).toMatchObject([
		{ method: 'invoice', po_number: 'PO-7', description: 'March [INV-2] [INV-3]' },
	]);
});

test('a payout is made once when two items of a run have its reference #once-in-a-run', async () => {
	const changes: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	const first = await execute([BEN, BEN], {}, changes);
	expect(first.hints).toEqual([
		expect.stringMatching(/^Items 0, 1 .* one payment, made once\. .* item 0 keeps the reference/),
	]);
	expect(statusesOf(jsonOf(first.items))).toEqual(['funded', 'duplicate']);
	const again = await execute([BEN, BEN], {}, changes);
	expect(again.hints).toEqual([expect.stringContaining('one payment, made once')]);
	expect(fundings()).toHaveLength(1);
});

describe('limits', () => {
	test.each([
		['maxAmount', '2.99', /3.00 in item 1 is above the Maximum Amount, 2.99/],
		['maxTotal', '4.99', /add up to 5.00, above the Maximum Total of 4.99/],
	])(
		'%s refuses the whole run before its first request #limit-before-first-request',
		async (name, limit, sentence) => {
			const { error } = await execute([BEN, CARLA], { options: { [name]: limit } });
			expect(error?.message).toMatch(sentence);
			expect(service.requests).toEqual([]);
		},
	);

	test.each(['maxAmount', 'maxTotal', 'allowedPayees'])(
		'that are there and empty or come to nothing are refused: %s #empty-limit-refused',
		async (name) => {
			for (const value of ['', '={{ $json.nothing }}']) {
				const { error } = await execute([BEN], { options: { [name]: value } });
				expect(error?.message).toMatch(/is empty/);
			}
			expect(service.requests).toEqual([]);
		},
	);
});
