import type { Payable } from '../../sandbox/client';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
type Case = [what: string, fields: Record<string, unknown>, field: string];

beforeEach(async () => await fixture.sandbox.control.reset());

describe('fundings', () => {
	const cases: Case[] = [
		['no method', { method: undefined }, 'method'],
		['an unknown method', { method: 'card' }, 'method'],
		['no payables', { payable_ids: [] }, 'payable_ids'],
		['payables that are no list', { payable_ids: 'pbl_1' }, 'payable_ids'],
		['a payable twice', { payable_ids: ['pbl_1', 'pbl_1'] }, 'payable_ids'],
		['no amount', { amount: undefined }, 'amount'],
		['no workspace', { workspace_id: undefined }, 'workspace_id'],
	];
	test.each(cases)('malformed: %s', async (_, fields, field) => {
		const response = await fixture.api.post('/funding', {
			workspace_id: fixture.sandbox.workspaceId,
			method: 'balance',
			amount: 1000,
			payable_ids: ['pbl_1'],
			...fields,
		});
		expect(errorOf(response).status).toBe(400);
		expect(response.data).toMatchObject({ error: { details: [{ field }] } });
	});

	const refusals: [
		what: string,
		prepare: () => Promise<{ payables: Payable[]; fields?: object }>,
		status: number,
		code: string,
	][] = [
		['a draft', async () => ({ payables: [await fixture.payable()] }), 409, 'wrong_state'],
		[
			'one that is funded',
			async () => {
				const payable = await fixture.approved();
				await fixture.funded([payable], { method: 'invoice' });
				return { payables: [payable] };
			},
			409,
			'already_funded',
		],
		[
			'one that is paid',
			async () => {
				const payable = await fixture.approved();
				await fixture.funded([payable]);
				return { payables: [payable] };
			},
			409,
			'already_funded',
		],
		[
			'one of another workspace',
			async () => ({
				payables: [await fixture.approved({ workspace_id: fixture.sandbox.secondWorkspaceId })],
			}),
			422,
			'unknown_payable',
		],
		[
			'one that does not exist',
			async () => ({ payables: [{ ...(await fixture.approved()), id: 'pbl_nothing' }] }),
			422,
			'unknown_payable',
		],
		[
			'another sum',
			async () => ({ payables: [await fixture.approved()], fields: { amount: 1001 } }),
			422,
			'amount_mismatch',
		],
	];
	test.each(refusals)('refused: %s', async (_, prepare, status, code) => {
		const { payables, fields } = await prepare();
		const before = await fixture.sandbox.control.state();
		const response = errorOf(await fixture.fund(payables, fields));
		expect(response).toMatchObject({ status, code });
		if (code !== 'amount_mismatch') expect(response.message).toContain(payables[0]?.id);
		expect(await fixture.sandbox.control.state()).toEqual(before);
	});
});

describe('linking a deposit is refused', () => {
	const invoice = async (fields = {}) =>
		await fixture.funded([await fixture.approved(fields)], { method: 'invoice' });
	const cases: [string, () => ReturnType<typeof fixture.link>, number, string][] = [
		[
			'another amount',
			async () => await fixture.link(await invoice(), await fixture.deposit(999)),
			422,
			'amount_mismatch',
		],
		[
			'an unknown deposit',
			async () => await fixture.link(await invoice(), { id: 'dep_nothing' }),
			422,
			'unknown_deposit',
		],
		[
			"another workspace's deposit",
			async () =>
				await fixture.link(
					await invoice(),
					await fixture.deposit(1000, fixture.sandbox.secondWorkspaceId),
				),
			422,
			'unknown_deposit',
		],
		[
			'a linked deposit',
			async () => {
				const deposit = await fixture.deposit(1000);
				await fixture.link(await invoice(), deposit);
				return await fixture.link(await invoice(), deposit);
			},
			409,
			'already_linked',
		],
		[
			'a funding that has its deposit',
			async () => {
				const funding = await invoice();
				await fixture.link(funding, await fixture.deposit(1000));
				return await fixture.link(funding, await fixture.deposit(1000));
			},
			409,
			'already_linked',
		],
		[
			'a funding from the balance',
			async () =>
				await fixture.link(
					await fixture.funded([await fixture.approved()]),
					await fixture.deposit(1000),
				),
			409,
			'wrong_method',
		],
		[
			'a deposit whose money was spent',
			async () => {
				const funding = await invoice();
				const deposit = await fixture.deposit(1000);
				await fixture.funded([
					await fixture.approved({ amount: fixture.sandbox.openingBalance + 1 }),
				]);
				return await fixture.link(funding, deposit);
			},
			422,
			'insufficient_funds',
		],
		[
			'no deposit',
			async () => await fixture.api.post(`/funding/${(await invoice()).id}/link-deposit`, {}),
			400,
			'invalid_request',
		],
		[
			'an empty deposit',
			async () => await fixture.link(await invoice(), { id: '' }),
			400,
			'invalid_request',
		],
	];
	test.each(cases)('%s', async (_, act, status, code) => {
		expect(errorOf(await act())).toMatchObject({ status, code });
	});
});
