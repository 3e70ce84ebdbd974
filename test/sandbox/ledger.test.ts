import * as fc from 'fast-check';
import type { Ledger, Payable, SandboxState } from '../../sandbox/client';
import { demo, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

const index = fc.nat(20);
// Mostly right, so that stories get far; sometimes a cent off.
const off = fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1));
const amount = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 600_000 }));
const some = <D extends string>(weight: number, ...names: D[]) => ({
	weight,
	arbitrary: fc.constantFrom(...names),
});

/** One step of a story. Numbers choose among what there is, whatever there is. */
const step = fc.record({
	do: fc.oneof(
		some(1, 'invite', 'accept'),
		some(1, 'verify', 'reject'),
		some(3, 'pay'),
		// The whole way at once, which single steps in any order seldom make.
		some(2, 'payThrough'),
		some(4, 'approve'),
		some(4, 'fund'),
		some(1, 'deposit'),
		some(2, 'depositFor'),
		some(2, 'link'),
		some(1, 'settle'),
	),
	workspace_id: fc.constantFrom(demo.workspaceId, demo.secondWorkspaceId),
	vendor: fc.constantFrom(
		'ana@example.com',
		'ben@example.com',
		'cleo@example.com',
		'new@example.com',
	),
	payable: index,
	funding: index,
	deposit: index,
	amount,
	off,
	send_invite: fc.boolean(),
	payables: fc.array(index, { minLength: 1, maxLength: 4 }),
	method: fc.constantFrom('balance', 'invoice'),
	settlement: fc.constantFrom('manual', 'automatic'),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const pick = <T>(known: T[], at: number): T | undefined => known[at % Math.max(1, known.length)];

/** A refusal is fine, a failure of the sandbox is not. */
async function post(path: string, body?: object): Promise<{ payable?: Payable }> {
	const { status, data } = await fixture.api.post<{ payable?: Payable }>(path, body);

	expect(status).toBeLessThan(500);

	return data;
}

async function tolerate(work: Promise<unknown>): Promise<void> {
	await work.catch((error: unknown) => {
		expect(String(error)).toMatch(/ 40[49]$/);
	});
}

const fund = async (payables: Payable[], { method, off }: Pick<Step, 'method' | 'off'>) =>
	await post('/funding', {
		workspace_id: payables[0]?.workspace_id ?? demo.workspaceId,
		method,
		amount: Math.max(1, total(payables) + off),
		payable_ids: payables.map(({ id }) => id),
	});

/** What each step does with what there is. */
const takes: Record<Step['do'], (step: Step, state: SandboxState) => Promise<unknown>> = {
	invite: async ({ workspace_id, vendor }) =>
		await post(`/workspace/${workspace_id}/partner/invite`, { invites: [{ payee_email: vendor }] }),
	accept: async ({ workspace_id, vendor }) =>
		await fixture.control.acceptInvitation(workspace_id, vendor),
	verify: async ({ vendor }) => {
		await tolerate(fixture.control.verifyVendor(vendor));
	},
	reject: async ({ vendor }) => {
		await tolerate(fixture.control.rejectVendor(vendor));
	},
	pay: async ({ workspace_id, vendor: payee_email, amount, send_invite }) =>
		await post('/payable', { workspace_id, payee_email, amount, send_invite }),
	payThrough: async ({ workspace_id, vendor: payee_email, amount }) => {
		const { payable } = await post('/payable', { workspace_id, payee_email, amount });
		if (payable === undefined) {
			return;
		}

		await post(`/payable/${payable.id}/approve`);
		await fund([payable], { method: 'balance', off: 0 });
	},
	approve: async ({ payable }, { payables }) =>
		await post(`/payable/${pick(payables, payable)?.id ?? 'pbl_none'}/approve`),
	fund: async (choice, { payables }) => {
		const chosen = new Set(choice.payables.map((at) => pick(payables, at)));
		await fund(
			[...chosen].flatMap((payable) => payable ?? []),
			choice,
		);
	},
	deposit: async ({ workspace_id, amount }) =>
		await post(`/workspace/${workspace_id}/wallet/deposit`, { amount }),
	depositFor: async ({ funding, off }, { fundings }) => {
		const wanted = pick(fundings, funding);
		if (wanted === undefined) {
			return;
		}

		const amount = Math.max(1, wanted.amount + off);
		await post(`/workspace/${wanted.workspace_id}/wallet/deposit`, { amount });
	},
	link: async ({ funding, deposit }, { fundings, deposits }) => {
		const deposit_id = pick(deposits, deposit)?.id ?? 'dep_none';
		await post(`/funding/${pick(fundings, funding)?.id ?? 'fnd_none'}/link-deposit`, {
			deposit_id,
		});
	},
	settle: async ({ settlement }) => await fixture.control.setSettings({ settlement }),
};

const total = (parts: { amount: number }[]): number =>
	parts.reduce((sum, { amount }) => sum + amount, 0);

/** What must hold at every moment, whatever has happened; all of it in one comparison. */
function expectSound({ accounts, entries, sum }: Ledger, state: SandboxState): void {
	const transfers = new Map<number, number>();
	for (const { transferId, amount: moved } of entries) {
		transfers.set(transferId, (transfers.get(transferId) ?? 0) + moved);
	}

	const held = accounts
		.filter(({ account }) => account !== 'bank')
		.map(({ account, balance }) => ({ account, amount: balance }));
	const received = entries.filter(({ kind, amount: moved }) => kind === 'payment' && moved > 0);
	const payments = state.payables.map(({ id }) =>
		received
			.filter(({ reference }) => reference === id)
			.map(({ account, amount: moved }) => ({ account, amount: moved })),
	);

	// Escrow holds exactly what has been funded and not paid.
	const escrows = state.fundings.map(({ id, status }) => {
		const open = state.payables.filter((one) => one.funding_id === id && one.status !== 'paid');
		const escrow = accounts.find(({ account }) => account === `funding:${id}`);
		const expected = status === 'funded' ? total(open) : 0;

		return { id, off: (escrow?.balance ?? 0) - expected };
	});

	expect({
		sum,
		unbalanced: [...transfers].filter(([, moved]) => moved !== 0),
		owing: held.filter((one) => one.amount < 0),
		// All money came in by deposits and the opening balance, and none has left.
		held: total(held),
		payments,
		escrows: escrows.filter((escrow) => escrow.off !== 0),
	}).toEqual({
		sum: 0,
		unbalanced: [],
		owing: [],
		held: total(state.deposits) + demo.openingBalance,
		payments: state.payables.map(({ status, payee_service_id, amount: owed }) =>
			status === 'paid' ? [{ account: `vendor:${payee_service_id ?? ''}`, amount: owed }] : [],
		),
		escrows: [],
	});
}

test('money is never made, lost, owed or paid twice', async () => {
	let paid = 0;

	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async (steps) => {
			const { control } = fixture.sandbox;
			await control.reset();
			let state = await control.state();
			for (const next of steps) {
				await takes[next.do](next, state);
				state = await control.state();
				expectSound(await control.ledger(), state);
				paid += state.payables.some(({ status }) => status === 'paid') ? 1 : 0;
			}
		}),
		{ numRuns: 60 },
	);

	// A story in which nothing is ever paid would prove nothing.
	expect(paid).toBeGreaterThan(0);
});
