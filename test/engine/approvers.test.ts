import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { BEN, CARLA, startPayoutService, statusesOf } from './payoutService';
import { byId, jsonOf, WORKSPACE, type Changes } from './support';

const { service, answerFundings, execute, pay, fundings } = startPayoutService();

/** Has executions belong to one workflow, and so to one ledger. */
let project: Changes;

beforeEach(() => {
	project = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
});

const OF_ITEM = { approvedBy: '={{ $json.approver }}' };

/** Sends payouts whose approver each item names; returns the items that come out. */
const send = async (items: IDataObject[], parameters: INodeParameters = {}) =>
	await pay(items, { options: OF_ITEM, ...parameters }, project);

/** What the ledger has of payouts: each reference with its approver. */
async function entries(): Promise<unknown[][]> {
	const parameters = {
		workspaceId: byId(WORKSPACE),
		returnAll: true,
		options: { sort: 'oldest' },
	};
	const { items } = await service.execute('payout.getMany', parameters, project);

	return jsonOf(items).map((item) => [item['unique_reference'], item['approved_by']]);
}

test('a payout and its row in the ledger name who agreed, and no one where no one is named #approver-shown', async () => {
	const paid = await send([
		{ ...BEN, approver: ' Ann ' },
		{ ...CARLA, approver: ' ' },
	]);

	expect(paid).toMatchObject([{ status: 'funded', approved_by: 'Ann' }, { status: 'funded' }]);
	expect(paid[1]).not.toHaveProperty('approved_by');
	expect(await entries()).toEqual([
		['INV-2', 'Ann'],
		['INV-3', null],
	]);
});

test('a payout that was sent before keeps its approver #approver-of-duplicate', async () => {
	await send([{ ...BEN, approver: 'Ann' }, CARLA]);

	const again = await send([
		{ ...BEN, approver: 'Bea' },
		{ ...CARLA, approver: 'Bea' },
	]);

	expect(statusesOf(again)).toEqual(['duplicate', 'duplicate']);
	expect(again.map((item) => item['approved_by'])).toEqual(['Ann', undefined]);
	expect(await entries()).toEqual([
		['INV-2', 'Ann'],
		['INV-3', null],
	]);
});

test('of two equal items of a run, the approver is that of the one that is paid', async () => {
	const paid = await send([
		{ ...BEN, approver: 'Ann' },
		{ ...BEN, approver: 'Bea' },
	]);

	expect(paid).toMatchObject([
		{ status: 'funded', approved_by: 'Ann' },
		{ status: 'duplicate', approved_by: 'Ann' },
	]);
});

test('a payout whose funding gets no answer keeps its approver', async () => {
	answerFundings(502);
	const [first] = await send([{ ...BEN, approver: 'Ann' }]);

	const [again] = await send([{ ...BEN, approver: 'Bea' }]);

	expect(first).toMatchObject({ status: 'unconfirmed', approved_by: 'Ann' });
	expect(again).toMatchObject({ status: 'unconfirmed', approved_by: 'Ann' });
});

describe('an approver lets nothing pass by itself #approver-unblocks-nothing', () => {
	test.each<[rule: string, options: INodeParameters, status: string]>([
		['a hold of an amount', { holdAbove: '1.00' }, 'held'],
		['a hold of new payees', { holdNewPayees: true }, 'held'],
		['a maximum amount', { maxAmount: '1.00' }, 'failed'],
		['allowed payees', { allowedPayees: 'eve@example.com' }, 'failed'],
	])('%s', async (_, options, status) => {
		const [item] = await send([{ ...BEN, approver: 'Ann' }], {
			options: { ...OF_ITEM, ...options },
		});

		expect(item).toMatchObject({ status });
		expect(fundings()).toEqual([]);
	});

	test('nor does one that a held payout has', async () => {
		const options = { ...OF_ITEM, holdAbove: '1.00' };
		const [held] = await send([{ ...BEN, approver: 'Ann' }], { options });
		expect(held).toMatchObject({ status: 'held', approved_by: 'Ann' });
		expect(await entries()).toEqual([['INV-2', 'Ann']]);

		const [again] = await send([BEN], { options });

		expect(again).toMatchObject({ status: 'held' });
		expect(fundings()).toEqual([]);
	});
});

test('the run that pays a held payout names the approver #approver-of-held', async () => {
	await send([BEN], { options: { holdAbove: '1.00' } });

	const [paid] = await send([{ ...BEN, approver: 'Ann' }]);

	expect(paid).toMatchObject({ status: 'funded', approved_by: 'Ann' });
	expect(await entries()).toEqual([['INV-2', 'Ann']]);
});

test.each([
	['of more than 200 characters', 'a'.repeat(201)],
	['of two lines', 'Ann\nBea'],
])('an approver %s is refused before any request', async (_, approver) => {
	const { error } = await execute(
		[{ ...BEN, approver }],
		{ options: OF_ITEM },
		{ workflowId: randomUUID() },
	);

	expect(error?.message).toContain('"Approved By"');
	expect(service.requests).toEqual([]);
});

describe('a model does not fill in who agreed #tool-approver', () => {
	test.each([true, false])('by itself: as a tool %s', async (isTool) => {
		const options = { maxAmount: '10.00', approvedBy: "={{ $fromAI('approver') }}" };
		const parameters = { options, uniqueReference: 'INV-2' };

		const { error } = await execute([{ ...BEN, approver: 'Eve' }], parameters, { isTool });

		expect(error?.message).toContain('A model must not fill in "Approved By"');
		expect(service.requests).toEqual([]);
	});

	test('through the input of a tool', async () => {
		const options = { ...OF_ITEM, maxAmount: '10.00' };
		const parameters = { options, uniqueReference: 'INV-2' };

		const { error } = await execute([{ ...BEN, approver: 'Eve' }], parameters, { isTool: true });

		expect(error?.message).toContain('A model must not fill in "Approved By"');
		expect(service.requests).toEqual([]);
	});
});

test('Get Many sorts, and says of each payout why it needs attention', async () => {
	await send([BEN]);
	answerFundings(502);
	await send([{ ...BEN, reference: 'INV-9' }]);
	await send([CARLA], { options: { holdAbove: '1.00' } });
	const parameters = {
		workspaceId: byId(WORKSPACE),
		returnAll: true,
		filters: { status: 'needs_attention' },
		options: { sort: 'oldest' },
	};

	const { items } = await service.execute('payout.getMany', parameters, project);

	expect(jsonOf(items)).toMatchObject([
		{ unique_reference: 'INV-9', attention: 'unconfirmed' },
		{ unique_reference: 'INV-3', attention: 'held' },
	]);
});
