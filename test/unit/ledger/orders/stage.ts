import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../../nodes/PartnerPayments/execution/operation';
import type { Ledger } from '../../../../nodes/PartnerPayments/ledger/ledger';
import type { LedgerRecords } from '../../../../nodes/PartnerPayments/ledger/protocol/records';
import type { Patience } from '../../../../nodes/PartnerPayments/ledger/times';
import type { Payable, MemoryService } from './memoryService';
import { MemoryStore, TABLE_ID, type Granularity, type MemoryTable } from './memoryTable';
import type { Modules, ProtocolSource } from './protocolModules';
import type { Actor, World } from './world';

export const ENVIRONMENT = 'sandbox';
/** A run waits for two looks, where the real one has forty. */
const PATIENCE: Patience = { totalMs: 500, maxPauseMs: 250 };

/** A process of n8n, which an actor has for itself. It serves one order after the other. */
export class Process {
	readonly modules: Modules;
	/** What its actor does, once it was read. */
	plan: Job[] | undefined;
	private part: Part | undefined;

	constructor(source: ProtocolSource) {
		const part = (): Part => {
			if (this.part === undefined) {
				throw new Error('The process serves no order');
			}
			return this.part;
		};
		this.modules = source.load({
			now: () => this.part?.world.now ?? 0,
			sleep: async (ms) => await part().world.sleep(part().actor, ms),
			claimId: () => part().actor.claimId(),
			openRecords: () => part().records(),
		});
	}

	/** Begins with an order, whatever it had locked in an earlier one. */
	serve(part: Part): void {
		this.part = part;
		this.modules.unlock();
	}
}

/** What one actor has in one order. */
export class Part {
	/** What it has put out. */
	items: IDataObject[] = [];
	error: unknown;

	constructor(
		readonly world: World,
		readonly actor: Actor,
		readonly table: MemoryTable,
		readonly service: MemoryService,
		readonly process: Process,
		private readonly granularity: Granularity,
	) {
		process.serve(this);
	}

	get modules(): Modules {
		return this.process.modules;
	}

	ledger(): Ledger {
		const { ledgerProtocol } = this.modules;
		const run = { execution: this.actor.name, environment: ENVIRONMENT };
		return new ledgerProtocol.LedgerProtocol(this.openTable(), run, PATIENCE);
	}

	records(): LedgerRecords {
		return new this.modules.records.LedgerRecords(this.openTable());
	}

	/** The payables that concern an item of its output. */
	payablesOf(item: IDataObject): Payable[] {
		return [...this.service.payables.values()].filter(
			({ reference, payee, amount }) =>
				reference === item['unique_reference'] &&
				payee === item['payee'] &&
				amount === item['amount_cents'],
		);
	}

	private openTable() {
		const { world, actor, table, modules, granularity } = this;
		const store = new MemoryStore(world, actor, table, modules, granularity);
		const resolve = async () => await Promise.resolve(TABLE_ID);
		return new modules.ledgerTable.LedgerTable(store, resolve, TABLE_ID);
	}
}

/** The message of what was thrown. */
export function messageOf(error: unknown): string {
	const { message } = Object(error) as { message?: unknown };
	return typeof message === 'string' ? message : JSON.stringify(error);
}
