import { MemoryService } from './memoryService';
import { MemoryTable } from './memoryTable';
import { judged, violationOf, watch } from './promises';
import type { ProtocolSource } from './protocolModules';
import type { Role } from './roles';
import type { Bounds, Ended, Scenario } from './scenario';
import { messageOf, Part, Process } from './stage';
import { Actor, digest, World, type Option } from './world';

export interface Found {
	/** How many orders there are, and how many of them were executed: the others continue from a state that was seen before. */
	orders: number;
	executed: number;
	/** The steps of the first order that breaks a promise, and which one it breaks. */
	violation: { promise: string; steps: string[] } | undefined;
}

/** A step: what was before it, which option was taken of how many, and how many orders begin with that. */
interface Choice {
	state: string;
	/** What each actor had learned. */
	histories: string[];
	taken: number;
	of: number;
	orders: number;
}

/** So long orders are too long: then an execution does not end. */
const MAX_STEPS = 2_000;

/** What is left out otherwise, since it shows nothing new. */
interface Variant {
	/** Whether also orders are executed that continue from a state that was seen before. */
	isEachExecuted?: boolean;
	/** Whether also orders are tried that are the same as others with the names of two roles exchanged. */
	isMirrored?: boolean;
}

/** Tries every order of a scenario within bounds, depth first, until one breaks a promise. */
export async function explore(
	scenario: Scenario,
	bounds: Bounds,
	source: ProtocolSource,
	variant: Variant = {},
): Promise<Found> {
	const explorer = new Explorer(scenario, bounds, source, variant);
	const path: Choice[] = [];
	for (let executed = 1; ; executed += 1) {
		const { orders, promise } = await explorer.follow(path);
		if (promise !== undefined) {
			const steps = await explorer.stepsOf(path);
			return { orders: executed, executed, violation: { promise, steps } };
		}
		const all = explorer.turnBack(path, orders);
		if (all !== undefined) {
			return { orders: all, executed, violation: undefined };
		}
	}
}

class Explorer {
	private readonly processes: Process[];
	/** How many orders begin in each state from which all were tried. */
	private readonly seen = new Map<string, number>();

	constructor(
		private readonly scenario: Scenario,
		private readonly bounds: Bounds,
		source: ProtocolSource,
		private readonly variant: Variant,
	) {
		this.processes = scenario.roles.map(() => new Process(source));
	}

	/**
	 * Executes the order of a path, and adds the steps that follow, each time with the first option. Returns
	 * how many orders that stands for, and the promise that it breaks.
	 */
	async follow(path: Choice[]): Promise<{ orders: number; promise: string | undefined }> {
		const given = path.length;
		let known: number | undefined;
		const ended = await this.execute((options, step, state, world) => {
			const choice = path[step];
			if (choice !== undefined) {
				// Only the last of the given steps is taken in another way than before.
				world.isLearning = false;
				if (step === given - 1) {
					world.learnOn(choice.histories);
				}
				return choice.taken;
			}
			const key = options.length === 1 || step < given ? '' : state();
			known = this.seen.get(key);
			if (known !== undefined) {
				return undefined;
			}
			const histories = world.histories();
			path.push({ state: key, histories, taken: 0, of: options.length, orders: 0 });
			return 0;
		});
		return known === undefined
			? { orders: 1, promise: ended.broken ?? violationOf(ended) }
			: { orders: known, promise: ended.broken };
	}

	/** The steps of a path in words, and what they lead to. */
	async stepsOf(path: Choice[]): Promise<string[]> {
		const steps: string[] = [];
		const ended = await this.execute((options, step) => {
			const taken = path[step]?.taken;
			if (taken !== undefined) {
				steps.push(optionAt(options, taken).describe());
			}
			return taken;
		});
		return [...steps, ...shownEnd(ended)];
	}

	/** Turns to the next path. Returns the number of all orders when there is none. */
	turnBack(path: Choice[], orders: number): number | undefined {
		let below = orders;
		for (let last = path.pop(); last !== undefined; last = path.pop()) {
			last.orders += below;
			if (last.taken + 1 < last.of) {
				last.taken += 1;
				path.push(last);
				return undefined;
			}
			below = last.orders;
			if (last.of > 1 && this.variant.isEachExecuted !== true) {
				this.seen.set(last.state, below);
			}
		}
		return below;
	}

	/** @param choose an option at each step; none to stop there */
	private async execute(
		choose: (
			options: Option[],
			step: number,
			state: () => string,
			world: World,
		) => number | undefined,
	): Promise<Ended> {
		const ended = this.begin();
		const { world, table, service } = ended;
		await idle();
		let { turns, faults } = this.bounds;
		const state = (): string =>
			digest(
				[turns, faults, world.describe(), table.describe(), service.describe(), judged(ended)].join(
					'\n',
				),
			);

		for (let step = 0; ; step += 1) {
			const options = world.options(turns, faults);
			const taken = options.length === 0 ? undefined : choose(options, step, state, world);
			if (taken === undefined) {
				return ended;
			}
			const option = optionAt(options, taken);
			turns -= option.turns;
			faults -= option.faults;
			world.take(option);
			await idle();
			if (step > MAX_STEPS) {
				ended.broken ??= 'an execution does not end';
				return ended;
			}
		}
	}

	private begin(): Ended {
		const { scenario } = this;
		const world = new World();
		const table = new MemoryTable(() => world.now);
		const service = new MemoryService(world);
		scenario.prepare?.(service, table);
		const actors = new Map<string, Actor>();
		const parts = scenario.roles.map(({ name, task = name }, index) => {
			const process = processAt(this.processes, index);
			const granularity = scenario.granularity ?? 'execution';
			const actor = new Actor(name, this.variant.isMirrored ? undefined : actors.get(task));
			actors.set(task, actor);
			return new Part(world, actor, table, service, process, granularity);
		});
		const ended: Ended = { scenario, world, table, service, parts, broken: undefined };
		watch(ended);
		for (const [index, role] of scenario.roles.entries()) {
			const part = parts[index];
			if (part !== undefined) {
				enter(world, part, role);
			}
		}
		return ended;
	}
}

/** Has a role begin at once, or later in each of its ways. */
function enter(world: World, part: Part, role: Role): void {
	const { actor } = part;
	const begin = (way: string): void => {
		const end = (): void => {
			actor.state = 'done';
		};
		role.act(part, way).then(
			(items) => {
				part.items = items;
				end();
			},
			(error: unknown) => {
				part.error = error;
				end();
			},
		);
	};
	const { ways } = role;
	if (ways !== undefined) {
		world.add({ actor, ways: () => ways(part), begin });
		return;
	}
	actor.state = 'running';
	world.add({ actor, ways: () => [], begin });
	begin('');
}

function processAt(processes: Process[], index: number): Process {
	const process = processes[index];
	if (process === undefined) {
		throw new Error('Each role has a process');
	}
	return process;
}

function optionAt(options: Option[], index: number): Option {
	const option = options[index];
	if (option === undefined) {
		throw new Error('The same choices have led elsewhere: something is not under control');
	}
	return option;
}

/** Resolves when all that can continue has continued. */
const idle = async (): Promise<void> => {
	await new Promise<void>((resolve) => setImmediate(resolve));
};

function shownEnd({ table, service, parts }: Ended): string[] {
	const rows = table.rows.map(
		({ id, reference, state, payable_id: payable, funding_id: funding, deposit_id: deposit }) =>
			`row ${id}: ${reference} ${state} ${payable} ${funding} ${deposit}`,
	);
	const fundings = service.fundings.map(
		({ id, payableIds, by }) => `${by.name} asked to fund ${payableIds.join(' + ')}: ${id ?? 'no'}`,
	);
	const items = parts.map(
		({ actor, items: given, error }) =>
			`${actor.name} is ${actor.state}: ${JSON.stringify(given)} ${error === undefined ? '' : messageOf(error)}`,
	);
	const links = service.links.map(
		({ fundingId, depositId, by, takenAt }) =>
			`${by.name} asked to link ${depositId} to ${fundingId}: ${takenAt === undefined ? 'no' : 'yes'}`,
	);
	return [...rows, ...fundings, ...links, ...items];
}
