import type { MemoryService } from './memoryService';
import type { Granularity, MemoryTable } from './memoryTable';
import type { Role } from './roles';
import type { Part } from './stage';
import type { World } from './world';

/** What acts together, over a ledger that may have rows already. */
export interface Scenario {
	name: string;
	roles: Role[];
	granularity?: Granularity;
	/** Whether each invoice is paid in the end when nothing goes wrong. */
	isPaid?: boolean;
	/** What earlier executions have left. */
	prepare?: (service: MemoryService, table: MemoryTable) => void;
}

/** So many changes of turn beside those where an execution waits or ends, and so many faults an order has at most. */
export interface Bounds {
	turns: number;
	faults: number;
}

/** One order, when everything has ended. */
export interface Ended {
	scenario: Scenario;
	world: World;
	table: MemoryTable;
	service: MemoryService;
	parts: Part[];
	/** What was broken on the way. */
	broken: string | undefined;
}
