import * as fc from 'fast-check';
import type { AxiosResponse } from 'axios';
import type { Ledger, SandboxState } from '../../sandbox/client';
import { SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

const emails = ['ana@example.com', 'ben@example.com', 'cleo@example.com', 'new@example.com'];

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
		some(1, 'settleManually', 'settleAutomatically'),
	),
	...{ workspace: index, vendor: index, payable: index, funding: index, deposit: index },
	...{ amount, off, invite: fc.boolean(), method: fc.constantFrom('balance', 'invoice') },
	payables: fc.array(index, { minLength: 1, maxLength: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const pick = <T>(list: T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

interface Money {
	id: string;
	amount: number;
	workspace_id: string;
}

/** Takes steps against a running sandbox; what is refused is refused, but nothing may break. */
class Story {
	private readonly workspaces = [fixture.sandbox.workspaceId, fixture.sandbox.secondWorkspaceId];
	private readonly payables: Money[] = [];
	private readonly fundings: Money[] = [];
	private readonly deposits: { id: string }[] = [];

	private readonly takes: Record<Step['do'], (step: Step) => Promise<void>> = {
		invite: async ({ workspace, vendor }) => {
			const invites = [{ payee_email: pick(emails, vendor) }];
			const id = pick(this.workspaces, workspace) ?? '';
			this.unbroken(await fixture.api.post(`/workspace/${id}/partner/invite`, { invites }));
		},
		accept: async ({ workspace, vendor }) => {
			const id = pick(this.workspaces, workspace) ?? '';
			await fixture.control.acceptInvitation(id, pick(emails, vendor) ?? '');
		},
		verify: async ({ vendor }) => {
			await this.tolerate(fixture.control.verifyVendor(pick(emails, vendor) ?? ''));
		},
		reject: async ({ vendor }) => {
			await this.tolerate(fixture.control.rejectVendor(pick(emails, vendor) ?? ''));
		},
		pay: async (choice) => {
			const response = await fixture.api.post<{ payable: Money }>('/payable', {
				workspace_id: pick(this.workspaces, choice.workspace),
				payee_email: pick(emails, choice.vendor),
				amount: choice.amount,
				send_invite: choice.invite,
			});
			if (this.unbroken(response)) this.payables.push(response.data.payable);
		},
		payThrough: async (choice) => {
			await this.take({ ...choice, do: 'pay', invite: false });
			const payable = this.payables.length - 1;
			await this.take({ ...choice, do: 'approve', payable });
			const payables = [payable];
			await this.take({ ...choice, do: 'fund', payables, method: 'balance', off: 0 });
		},
		approve: async ({ payable }) => {
			const id = pick(this.payables, payable)?.id ?? 'pbl_none';
			this.unbroken(await fixture.api.post(`/payable/${id}/approve`));
		},
		fund: async (choice) => {
			const chosen = new Set(choice.payables.map((at) => pick(this.payables, at)));
			const payables = [...chosen].flatMap((payable) => payable ?? []);
			const sum = payables.reduce((total, payable) => total + payable.amount, 0);
			const response = await fixture.api.post<{ funding: Money }>('/funding', {
				workspace_id: payables[0]?.workspace_id ?? fixture.sandbox.workspaceId,
				method: choice.method,
				amount: Math.max(1, sum + choice.off),
				payable_ids: payables.map(({ id }) => id),
			});
			if (this.unbroken(response)) this.fundings.push(response.data.funding);
		},
		deposit: async (choice) => {
			await this.receive(pick(this.workspaces, choice.workspace) ?? '', choice.amount);
		},
		depositFor: async ({ funding, off: difference }) => {
			const wanted = pick(this.fundings, funding);
			if (wanted === undefined) return;
			await this.receive(wanted.workspace_id, Math.max(1, wanted.amount + difference));
		},
		link: async ({ funding, deposit }) => {
			const id = pick(this.fundings, funding)?.id ?? 'fnd_none';
			const deposit_id = pick(this.deposits, deposit)?.id ?? 'dep_none';
			this.unbroken(await fixture.api.post(`/funding/${id}/link-deposit`, { deposit_id }));
		},
		settleManually: async () => {
			await fixture.control.setSettlement('manual');
		},
		settleAutomatically: async () => {
			await fixture.control.setSettlement('automatic');
		},
	};

	async take(next: Step): Promise<void> {
		await this.takes[next.do](next);
	}

	private async receive(workspaceId: string, received: number): Promise<void> {
		const path = `/workspace/${workspaceId}/wallet/deposit`;
		const body = { amount: received };
		const response = await fixture.api.post<{ deposit: { id: string } }>(path, body);
		if (this.unbroken(response)) this.deposits.push(response.data.deposit);
	}

	/** Whether it succeeded; a refusal is fine, a failure of the sandbox is not. */
	private unbroken({ status }: AxiosResponse): boolean {
		expect(status).toBeLessThan(500);
		return status === 200;
	}

	private async tolerate(work: Promise<unknown>): Promise<void> {
		await work.catch((error: unknown) => {
			expect(String(error)).toMatch(/ 40[49]$/);
		});
	}
}

const total = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** What must hold at every moment, whatever has happened; all of it in one comparison. */
function sound({ accounts, entries, sum }: Ledger, state: SandboxState): void {
	const transfers = new Map<number, number>();
	for (const { transferId, amount: moved } of entries) {
		transfers.set(transferId, (transfers.get(transferId) ?? 0) + moved);
	}
	const held = accounts.filter(({ account }) => account !== 'bank');
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
		const expected = status === 'funded' ? total(open.map((payable) => payable.amount)) : 0;
		return { id, off: (escrow?.balance ?? 0) - expected };
	});
	expect({
		sum,
		unbalanced: [...transfers].filter(([, moved]) => moved !== 0),
		owing: held.filter(({ balance }) => balance < 0),
		// All money came in by deposits and the opening balance, and none has left.
		held: total(held.map(({ balance }) => balance)),
		payments,
		escrows: escrows.filter((escrow) => escrow.off !== 0),
	}).toEqual({
		sum: 0,
		unbalanced: [],
		owing: [],
		held: total(state.deposits.map((deposit) => deposit.amount)) + fixture.sandbox.openingBalance,
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
