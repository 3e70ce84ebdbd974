import * as fc from 'fast-check';
import type { Ledger, SandboxState } from '../../sandbox/client';
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
	vendor: fc.constantFrom(...['ana', 'ben', 'cleo', 'new'].map((name) => `${name}@example.com`)),
	...{ payable: index, funding: index, deposit: index, amount, off, send_invite: fc.boolean() },
	payables: fc.array(index, { minLength: 1, maxLength: 4 }),
	method: fc.constantFrom('balance', 'invoice'),
	settlement: fc.constantFrom('manual', 'automatic'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Money {
	id: string;
	amount: number;
	workspace_id: string;
}

/** Takes steps against a running sandbox; what is refused is refused, but nothing may break. */
class Story {
	readonly #payable = new Map<string, Money>();
	readonly #funding = new Map<string, Money>();
	readonly #deposit = new Map<string, Money>();

	readonly #takes: Record<Step['do'], (step: Step) => Promise<unknown>> = {
		invite: async ({ workspace_id, vendor }) => {
			const invites = [{ payee_email: vendor }];
			await this.#post(`/workspace/${workspace_id}/partner/invite`, { invites });
		},
		accept: async ({ workspace_id, vendor }) =>
			await fixture.control.acceptInvitation(workspace_id, vendor),
		verify: async ({ vendor }) => await this.#tolerate(fixture.control.verifyVendor(vendor)),
		reject: async ({ vendor }) => await this.#tolerate(fixture.control.rejectVendor(vendor)),
		pay: async ({ workspace_id, vendor: payee_email, amount, send_invite }) =>
			await this.#post('/payable', { workspace_id, payee_email, amount, send_invite }),
		payThrough: async (choice) => {
			await this.take({ ...choice, do: 'pay', send_invite: false });
			const payable = this.#payable.size - 1;
			await this.take({ ...choice, do: 'approve', payable });
			const payables = [payable];
			await this.take({ ...choice, do: 'fund', payables, method: 'balance', off: 0 });
		},
		approve: async ({ payable }) =>
			await this.#post(`/payable/${pick(this.#payable, payable)?.id ?? 'pbl_none'}/approve`),
		fund: async (choice) => {
			const chosen = new Set(choice.payables.map((at) => pick(this.#payable, at)));
			const payables = [...chosen].flatMap((payable) => payable ?? []);
			await this.#post('/funding', {
				workspace_id: payables[0]?.workspace_id ?? demo.workspaceId,
				method: choice.method,
				amount: Math.max(1, total(payables) + choice.off),
				payable_ids: payables.map(({ id }) => id),
			});
		},
		deposit: async ({ workspace_id, amount }) =>
			await this.#post(`/workspace/${workspace_id}/wallet/deposit`, { amount }),
		depositFor: async ({ funding, off }) => {
			const wanted = pick(this.#funding, funding);
			if (wanted === undefined) return;
			const amount = Math.max(1, wanted.amount + off);
			await this.#post(`/workspace/${wanted.workspace_id}/wallet/deposit`, { amount });
		},
		link: async ({ funding, deposit }) => {
			const id = pick(this.#funding, funding)?.id ?? 'fnd_none';
			const deposit_id = pick(this.#deposit, deposit)?.id ?? 'dep_none';
			await this.#post(`/funding/${id}/link-deposit`, { deposit_id });
		},
		settle: async ({ settlement }) => await fixture.control.setSettings({ settlement }),
	};

	async take(next: Step): Promise<void> {
		await this.#takes[next.do](next);
	}

	/** Keeps what it makes; a refusal is fine, a failure of the sandbox is not. */
	async #post(path: string, body?: object): Promise<void> {
		type Made = { payable?: Money; funding?: Money; deposit?: Money };
		const { status, data } = await fixture.api.post<Made>(path, body);
		expect(status).toBeLessThan(500);
		if (data.payable) this.#payable.set(data.payable.id, data.payable);
		if (data.funding) this.#funding.set(data.funding.id, data.funding);
		if (data.deposit) this.#deposit.set(data.deposit.id, data.deposit);
	}

	async #tolerate(work: Promise<unknown>): Promise<void> {
		await work.catch((error: unknown) => {
			expect(String(error)).toMatch(/ 40[49]$/);
		});
	}
}

const pick = (known: Map<string, Money>, at: number): Money | undefined =>
	[...known.values()][at % Math.max(1, known.size)];

const total = (parts: { amount: number }[]): number =>
	parts.reduce((sum, { amount }) => sum + amount, 0);

/** What must hold at every moment, whatever has happened; all of it in one comparison. */
function sound({ accounts, entries, sum }: Ledger, state: SandboxState): void {
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
			const story = new Story();
			for (const next of steps) {
				await story.take(next);
				const [ledger, state] = await Promise.all([control.ledger(), control.state()]);
				sound(ledger, state);
				paid += state.payables.some(({ status }) => status === 'paid') ? 1 : 0;
			}
		}),
		{ numRuns: 60 },
	);
	// A story in which nothing is ever paid would prove nothing.
	expect(paid).toBeGreaterThan(0);
});
