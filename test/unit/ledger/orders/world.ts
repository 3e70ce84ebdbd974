import { hash } from 'node:crypto';

/**
 * How a request ends:
 *
 * - `refused`: the service says no
 * - `limited`: the service takes no request now
 * - `lost`: done, and its answer is lost
 * - `failed`: not done, and no answer says so
 * - `late`: no answer, and it is done at a later step
 * - `dies`: done, and the execution ends at once
 */
export type Outcome = 'answered' | 'refused' | 'limited' | 'lost' | 'failed' | 'late' | 'dies';

export type System = 'ledger' | 'service';

export interface Request<Answer> {
	to: System;
	/** For the list of steps. */
	describe: () => string;
	/** What it does where it arrives; returns the answer, or throws an error for its sender. */
	effect: () => Answer;
	/** The faults that it can have: what its sender gets then, or throws. */
	faults: Partial<Record<Exclude<Outcome, 'answered' | 'dies'>, () => Answer>>;
	/** Whether the execution may end after it. */
	canDie: boolean;
}

interface PendingRequest {
	kind: 'request';
	describe: () => string;
	outcomes: Outcome[];
	settle: (outcome: Outcome) => void;
}

interface PendingSleep {
	kind: 'sleep';
	wakeAt: number;
	wake: () => void;
}

/** One execution, event or person. */
export class Actor {
	pending: Array<PendingRequest | PendingSleep> = [];
	state: 'waiting' | 'running' | 'done' | 'dead' = 'waiting';
	/** A digest of what it has learned so far: all that it does follows from that. */
	history = '';
	/** Whether it has done anything. */
	hasActed = false;
	private claimIds = 0;

	/** @param twin one that does the same as this one, and acts first: else names alone are other ones */
	constructor(
		readonly name: string,
		private readonly twin?: Actor,
	) {}

	/** Whether it acts only after its twin has. */
	get isSecond(): boolean {
		return !this.hasActed && this.twin?.hasActed === false;
	}

	/** A text that it alone has, and that is the same in each order in which it does the same. */
	claimId(): string {
		this.claimIds += 1;
		return `${this.name}'s ${this.claimIds}`;
	}

	learn(what: string): void {
		this.history = digest(`${this.history} ${what}`);
	}
}

/** A short text for a long one: no two texts have the same. */
export const digest = (text: string): string => hash('sha1', text, 'base64');

/** Something that can happen next. */
export interface Option {
	actor: Actor | undefined;
	/** How many changes of turn, and how many faults it is. */
	turns: number;
	faults: number;
	describe: () => string;
	happen: () => void;
}

/** Begins an actor in one of several ways; each is its own step. */
export interface Start {
	actor: Actor;
	/** The ways in which it can begin now; none while it waits. */
	ways: () => string[];
	begin: (way: string) => void;
}

const START = Date.parse('2026-03-02T12:00:00.000Z');

/** Time, executions, and what each of them waits for. */
export class World {
	now = START;
	/** How many steps have happened. */
	step = 0;
	/** Of which systems requests have had faults. */
	readonly faulty = new Set<System>();
	/** Whether histories grow; not while steps are repeated after which they are known. */
	isLearning = true;
	private readonly actors: Actor[] = [];
	private readonly starts: Start[] = [];
	private readonly late: Array<{ by: Actor; describe: () => string; effect: () => unknown }> = [];
	private current: Actor | undefined;

	add(start: Start): void {
		this.actors.push(start.actor);
		this.starts.push(start);
	}

	async request<Answer>(actor: Actor, request: Request<Answer>): Promise<Answer> {
		return await new Promise<Answer>((resolve, reject) => {
			const faults = Object.keys(request.faults) as Outcome[];
			const pending: PendingRequest = {
				kind: 'request',
				describe: request.describe,
				outcomes: ['answered', ...faults, ...(request.canDie ? (['dies'] as const) : [])],
				settle: (outcome) => {
					actor.hasActed = true;
					const index = actor.pending.indexOf(pending);
					actor.pending.splice(index, 1);
					this.learn(actor, () => `${this.now} ${index} ${outcome}`);
					this.settle(actor, request, outcome, resolve, reject);
				},
			};
			actor.pending.push(pending);
		});
	}

	async sleep(actor: Actor, ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const pending: PendingSleep = {
				kind: 'sleep',
				wakeAt: this.now + ms,
				wake: () => {
					const index = actor.pending.indexOf(pending);
					actor.pending.splice(index, 1);
					this.now = Math.max(this.now, pending.wakeAt);
					this.learn(actor, () => `${this.now} ${index} wakes`);
					resolve();
				},
			};
			actor.pending.push(pending);
		});
	}

	/** What can happen next within these bounds: first what happens without a change of turn and a fault. */
	options(turns: number, faults: number): Option[] {
		const options: Option[] = [];
		const active = this.current;
		const others = this.actors.filter((actor) => actor !== active && !actor.isSecond);
		if (active !== undefined) {
			this.addRequests(options, active, turns, faults);
		}
		const isForced = options.length === 0;
		for (const actor of others) {
			if (isForced || turns > 0) {
				this.addRequests(options, actor, isForced ? turns : turns - 1, faults, isForced ? 0 : 1);
			}
		}
		for (const start of this.starts) {
			const { state, isSecond } = start.actor;
			if (state === 'waiting' && !isSecond && (isForced || turns > 0)) {
				this.addStarts(options, start, isForced ? 0 : 1);
			}
		}
		this.addSleeps(options, turns);
		for (const late of this.late) {
			options.push({
				actor: undefined,
				turns: 0,
				faults: 0,
				describe: () => `late: ${late.describe()}`,
				happen: () => {
					this.late.splice(this.late.indexOf(late), 1);
					quietly(late.effect);
				},
			});
		}
		return options;
	}

	take(option: Option): void {
		this.step += 1;
		this.current = option.actor ?? this.current;
		option.happen();
	}

	/** All that what can happen next depends on, beside the table and the service. */
	describe(): string {
		const actors = this.actors.map(({ state, history }) => `${state} ${history}`);
		const late = this.late.map(({ by, describe }) => `${by.name}: ${describe()}`);
		return [this.now, this.current?.name, ...actors, ...late].join('\n');
	}

	/** What each actor has learned so far. */
	histories(): string[] {
		return this.actors.map(({ history }) => history);
	}

	/** Goes on from what each actor has learned in an earlier execution of the same steps. */
	learnOn(histories: string[]): void {
		for (const [index, actor] of this.actors.entries()) {
			actor.history = histories[index] ?? '';
		}
		this.isLearning = true;
	}

	private learn(actor: Actor, what: () => string): void {
		if (this.isLearning) {
			actor.learn(what());
		}
	}

	private addRequests(
		options: Option[],
		actor: Actor,
		turns: number,
		faults: number,
		cost = 0,
	): void {
		let more = 0;
		for (const pending of actor.pending) {
			if (pending.kind === 'sleep' || more > turns) {
				continue;
			}
			for (const outcome of pending.outcomes) {
				const isFault = outcome !== 'answered';
				if (isFault && faults === 0) {
					break;
				}
				options.push({
					actor,
					turns: cost + more,
					faults: isFault ? 1 : 0,
					describe: () => `${actor.name}: ${pending.describe()} -> ${outcome}`,
					happen: () => pending.settle(outcome),
				});
			}
			more = 1;
		}
	}

	private addStarts(options: Option[], { actor, ways, begin }: Start, cost: number): void {
		for (const way of ways()) {
			options.push({
				actor,
				turns: cost,
				faults: 0,
				describe: () => `${actor.name}: begins ${way}`,
				happen: () => {
					actor.hasActed = true;
					actor.state = 'running';
					this.learn(actor, () => `${this.now} ${way}`);
					begin(way);
				},
			});
		}
	}

	/** Time passes by itself when all others wait, for any that wakes first; before that, it is a change of turn. */
	private addSleeps(options: Option[], turns: number): void {
		const sleeps = this.actors.flatMap((actor) =>
			actor.pending.flatMap((pending) => (pending.kind === 'sleep' ? [{ actor, pending }] : [])),
		);
		sleeps.sort((one, other) => one.pending.wakeAt - other.pending.wakeAt);
		const isForced = options.length === 0;
		const firstAt = sleeps[0]?.pending.wakeAt;
		for (const { actor, pending } of sleeps) {
			const cost = isForced && pending.wakeAt === firstAt ? 0 : 1;
			if (cost > turns) {
				return;
			}
			options.push({
				actor,
				turns: cost,
				faults: 0,
				describe: () => `${actor.name}: wakes`,
				happen: pending.wake,
			});
		}
	}

	private settle<Answer>(
		actor: Actor,
		request: Request<Answer>,
		outcome: Outcome,
		resolve: (answer: Answer) => void,
		reject: (error: unknown) => void,
	): void {
		if (outcome !== 'answered') {
			this.faulty.add(request.to);
		}
		if (outcome === 'dies') {
			quietly(request.effect);
			actor.state = 'dead';
			actor.pending = [];
			return;
		}
		if (outcome === 'lost') {
			quietly(request.effect);
		}
		if (outcome === 'late') {
			this.late.push({ by: actor, describe: request.describe, effect: request.effect });
		}
		const answer = outcome === 'answered' ? request.effect : request.faults[outcome];
		try {
			if (answer === undefined) {
				throw new Error(`The request cannot be ${outcome}`);
			}
			const value = answer();
			this.learn(actor, () => JSON.stringify(value));
			resolve(value);
		} catch (error) {
			reject(error);
		}
	}
}

/** Does something whose answer does not arrive. */
function quietly(effect: () => unknown): void {
	try {
		effect();
	} catch {
		return;
	}
}
