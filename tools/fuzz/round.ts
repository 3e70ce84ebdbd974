import { setTimeout as delay } from 'node:timers/promises';

import type { Row } from '../../nodes/PartnerPayments/ledger/table/rows';
import { seeded, type Random } from '../random';
import type { DataTables } from './dataTables';
import type { FaultRates, Task, Work } from './messages';
import { decide, decideTruly, isForPerson, type Decision } from './person';
import { NO_FAULTS, payoutOf, type RoundPlan, type Step } from './plan';
import type { Service } from './service';
import { numberIn, type Funding, type Truth } from './truth';
import type { Result, Worker } from './workers';

/** What several rounds share. */
export interface Scene {
	tables: DataTables;
	truth: Truth;
	service: Service;
}

/** A task, and how it has ended. */
export interface Done {
	task: Task;
	result: Result;
}

/** A payout that a person has made void, by the answer that they got. */
export interface Voided {
	row: Row;
	at: number;
}

/** What a round has led to. */
export interface Played {
	index: number;
	plan: RoundPlan;
	done: Done[];
	voided: Voided[];
	/** What a person has falsely taken for not paid, and for paid: payables, and numbers of invoices. */
	misled: Set<string>;
	saidPaid: Set<string>;
	decisions: Decision[];
	rows: Row[];
}

/** So often persons look again at what is still unconfirmed in the end. */
const MAX_LOOKS = 4;
/** So often Funding: Create is for a payable that an execution is still making. */
const DRAFT_RATE = 0.6;
const MAX_DRAFT_MS = 400;
const SLOW_RATE = 0.3;

/** One round, with processes that no other round uses meanwhile. */
export class Round {
	private readonly done: Done[] = [];
	private readonly voided: Voided[] = [];
	private readonly misled = new Set<string>();
	private readonly saidPaid = new Set<string>();
	private readonly decisions: Decision[] = [];
	private tasks = 0;

	constructor(
		private readonly scene: Scene,
		private readonly workers: Worker[],
		private readonly index: number,
		private readonly plan: RoundPlan,
	) {}

	async play(): Promise<Played> {
		const { truth, tables } = this.scene;
		if (this.plan.isLenient) {
			truth.lenient.add(this.index);
		}

		for (let made = 0; made < this.plan.byHand; made += 1) {
			const payable = { reference: '', payee: 'by-hand@example.com', amount: 10_000 };
			truth.addPayable({ ...payable, round: this.index, isApproved: true });
		}

		for (const [index, steps] of this.plan.waves.entries()) {
			const faults = index === 0 ? NO_FAULTS : this.plan.faults;
			await Promise.all(steps.map(async (step) => await this.take(step, faults)));
			await this.scene.service.idle();
			tables.age(this.index);
		}

		await this.conclude();
		const { index, plan, done, voided, misled, saidPaid, decisions } = this;
		const rows = tables.rowsOf(index);
		return { index, plan, done, voided, misled, saidPaid, decisions, rows };
	}

	/** All that is late arrives, persons say what is so, and each invoice is sent again. */
	private async conclude(): Promise<void> {
		await this.settle();
		await this.resolveTruly();
		for (const invoice of this.plan.invoices) {
			await this.perform({ kind: 'send', payouts: [payoutOf(invoice)] }, NO_FAULTS);
		}

		await this.settle();
		await this.resolveTruly();
	}

	private async settle(): Promise<void> {
		const { truth, service, tables } = this.scene;
		await service.idle();
		truth.arriveAll(this.index);
		await Promise.all(this.workers.map(async (worker) => await worker.flush()));
		tables.age(this.index);
	}

	private async resolveTruly(): Promise<void> {
		const { tables, truth } = this.scene;
		for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
			const rows = tables.rowsOf(this.index);
			const decisions = rows.flatMap((row) => decideTruly(row, rows, truth) ?? []);
			if (decisions.length === 0) {
				return;
			}

			for (const decision of decisions) {
				await this.resolve(decision, NO_FAULTS);
			}
		}
	}

	private async take({ act, afterMs, seed }: Step, faults: FaultRates): Promise<void> {
		await delay(afterMs);
		const random = seeded(seed);
		const { tables, truth } = this.scene;
		switch (act.kind) {
			case 'send':
				await this.perform(act, faults, random);
				return;
			case 'kill':
				oneOf(this.workers, random)?.kill();
				return;
			case 'approve':
				this.approveDraft(random);
				return;
			case 'resolve': {
				const decision = decide(tables.rowsOf(this.index), truth, random, this.plan.mayLie);
				if (decision !== undefined) {
					await this.resolve(decision, faults, random);
				}
				return;
			}
			default: {
				if (act.kind === 'fund' && random() < DRAFT_RATE) {
					await this.awaitDraft();
				}

				const work = this.workOf(act.kind, random);
				if (work !== undefined) {
					await this.perform(work, faults, random);
				}
			}
		}
	}

	/** Work with something that the service has by now; undefined when there is nothing. */
	private workOf(kind: 'fund' | 'hear' | 'link', random: Random): Work | undefined {
		const { truth } = this.scene;
		const fundings = truth.fundings.filter(({ round }) => round === this.index);
		switch (kind) {
			case 'fund': {
				const payables = truth.payablesOf(this.index);
				const drafts = payables.filter(({ isApproved }) => !isApproved);
				const payable = oneOf(random() < DRAFT_RATE ? drafts : payables, random);
				const method = random() < 0.2 ? 'invoice' : 'balance';
				return payable && { kind, payableId: payable.id, method };
			}
			case 'hear': {
				const payableId = oneOf(
					fundings.filter(isPaid).flatMap((one) => one.payableIds),
					random,
				);
				return payableId === undefined ? undefined : { kind, payableId };
			}
			case 'link': {
				const funding = oneOf(
					fundings.filter(({ method, isLinked }) => method === 'invoice' && !isLinked),
					random,
				);
				return funding && { kind, fundingId: funding.id };
			}
		}
	}

	/** Waits a moment for a payable that an execution is making. */
	private async awaitDraft(): Promise<void> {
		const until = Date.now() + MAX_DRAFT_MS;
		const hasDraft = (): boolean =>
			this.scene.truth.payablesOf(this.index).some(({ isApproved }) => !isApproved);
		while (!hasDraft() && Date.now() < until) {
			await delay(2);
		}
	}

	/**
	 * A person approves a draft that the ledger knew before it was funded by its ID: of another one, a run could
	 * not know what it is for.
	 */
	private approveDraft(random: Random): void {
		const { truth, tables } = this.scene;
		const rows = tables.rowsOf(this.index);
		const drafts = truth.payablesOf(this.index).filter(({ id, isApproved }) => {
			const first = rows.find((row) => row.payable_id === id);
			return !isApproved && first !== undefined && first.reference !== '';
		});
		const draft = oneOf(drafts, random);
		if (draft !== undefined) {
			truth.approve(draft.id);
		}
	}

	private async resolve(decision: Decision, faults: FaultRates, random?: Random): Promise<void> {
		const { work, isTrue, rows } = decision;
		if (!isTrue && work.outcome !== 'void') {
			addNames(work.outcome === 'notPaid' ? this.misled : this.saidPaid, rows);
		}

		this.decisions.push(decision);
		const result = await this.perform(work, faults, random);
		this.noteStale(decision);
		const isResolved =
			result.kind === 'ended' && result.items.some((item) => item['is_resolved'] === true);
		if (isResolved && work.outcome === 'void') {
			this.voided.push(...voidedBy(result, rows));
		}
	}

	/** What a person has not seen, since it came after they had looked, they have not told the truth about. */
	private noteStale({ work, seen }: Decision): void {
		if (work.outcome !== 'notPaid') {
			return;
		}

		for (const row of this.scene.tables.rowsOf(this.index)) {
			const before = seen.find(({ id }) => id === row.id);
			if (row.state === 'not_paid' && (before === undefined || !isForPerson(before))) {
				addNames(this.misled, [row]);
			}
		}
	}

	private async perform(work: Work, faults: FaultRates, random?: Random): Promise<Result> {
		this.tasks += 1;
		const choose = random ?? seeded(this.plan.seed + this.tasks);
		const task: Task = {
			id: `${this.index}-${this.tasks}`,
			round: this.index,
			seed: Math.floor(choose() * 0x7fff_ffff),
			faults,
			firstFaults: faults === NO_FAULTS ? {} : firstFaultsOf(work, choose),
			work,
		};
		const worker = oneOf(this.workers, choose);
		if (worker === undefined) {
			throw new Error('There is no process');
		}

		const result = await worker.perform(task);
		this.done.push({ task, result });
		return result;
	}
}

/**
 * What makes it likely that Funding: Create takes a payable between its creation and its record: the answer
 * to the creation comes late, and so does the funding.
 */
function firstFaultsOf({ kind }: Work, random: Random): Task['firstFaults'] {
	if (kind === 'send' && random() < SLOW_RATE) {
		return { '/payable': 'slow' };
	}

	return kind === 'fund' && random() < SLOW_RATE ? { '/funding': 'late' } : {};
}

/** Adds the payables of rows, and the numbers of their invoices. */
function addNames(names: Set<string>, rows: Row[]): void {
	for (const name of rows.flatMap((row) => [row.payable_id, numberIn(row.reference)])) {
		if (name !== '') {
			names.add(name);
		}
	}
}

/** Whether an event can say that its payables are paid. */
const isPaid = ({ method, isLinked }: Funding): boolean => method === 'balance' || isLinked;

function voidedBy(result: Extract<Result, { kind: 'ended' }>, rows: Row[]): Voided[] {
	const named = result.items.flatMap((item) =>
		rows.filter((row) => row.payable_id !== '' && row.payable_id === item['payable_id']),
	);
	return named.map((row) => ({ row, at: result.at }));
}

const oneOf = <Value>(values: Value[], random: Random): Value | undefined =>
	values[Math.floor(random() * values.length)];
