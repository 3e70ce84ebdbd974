import { setTimeout as delay } from 'node:timers/promises';

import { seeded, type Random } from '../random';
import type { FaultRates, Report, ServiceFault, Task } from './messages';

/** What becomes of a sub-execution of the ledger. */
export type LedgerFault =
	/** Not done, and an error says so. */
	| 'failed'
	/** Done, and the answer is lost. */
	| 'lost'
	/** No answer, and it is done later. */
	| 'late'
	/** Its first nodes alone are executed. */
	| 'partly'
	/** It takes long. */
	| 'slow'
	/** n8n has ended the execution for its time. */
	| 'timedOut'
	| Death;

/** When a process is killed: before a call, during it, or after it. */
export type Death = 'diesBefore' | 'diesDuring' | 'diesAfter';

const DEATHS: Death[] = ['diesBefore', 'diesDuring', 'diesAfter'];
const LEDGER_FAULTS: LedgerFault[] = ['failed', 'lost', 'late', 'partly', 'slow', 'slow'];
const TIMED_OUT_RATE = 0.06;
const FUNDING_FAULTS: ServiceFault[] = [
	'refused',
	'limited',
	'lost',
	'lost',
	'failed',
	'late',
	'late',
	'slow',
	'queued',
];
const OTHER_FAULTS: ServiceFault[] = ['lost', 'failed', 'slow'];
const MAX_DELAY_MS = 150;

/** Decides what goes wrong in one task, always in the same way for one seed and one order of its calls. */
export class Faults {
	private readonly random: Random;
	private readonly rates: FaultRates;
	private readonly first: Map<string, ServiceFault | undefined>;

	constructor(
		{ seed, faults, firstFaults }: Task,
		private readonly tell: (report: Report) => Promise<void>,
	) {
		this.random = seeded(seed);
		this.rates = faults;
		this.first = new Map(Object.entries(firstFaults));
	}

	async ofLedger(isRead: boolean): Promise<LedgerFault | undefined> {
		const fault = this.ledgerFault(isRead);
		await this.note('ledger', fault);
		return fault;
	}

	async ofService(path: string): Promise<ServiceFault | Death | undefined> {
		const fault = this.serviceFault(path);
		await this.note('service', fault);
		return fault;
	}

	/** A short time. */
	async delay(): Promise<void> {
		await delay(this.random() * MAX_DELAY_MS);
	}

	/** Between two statements others come. */
	async breathe(): Promise<void> {
		await delay(this.random() * 4);
	}

	chance(probability: number): boolean {
		return this.random() < probability;
	}

	/** A whole number from 1 to below a limit, or 1. */
	below(limit: number): number {
		return 1 + Math.floor(this.random() * Math.max(1, limit - 1));
	}

	private ledgerFault(isRead: boolean): LedgerFault | undefined {
		const { death, ledger } = this.rates;
		if (this.chance(death)) {
			return this.oneOf(DEATHS);
		}

		if (!this.chance(ledger)) {
			return undefined;
		}

		if (isRead) {
			return this.chance(0.5) ? 'failed' : 'slow';
		}

		return this.chance(TIMED_OUT_RATE) ? 'timedOut' : this.oneOf(LEDGER_FAULTS);
	}

	private serviceFault(path: string): ServiceFault | Death | undefined {
		const first = this.first.get(path);
		this.first.delete(path);
		if (first !== undefined) {
			return first;
		}

		const { death, service } = this.rates;
		if (this.chance(death)) {
			return this.oneOf(DEATHS);
		}

		if (!this.chance(service)) {
			return undefined;
		}

		return this.oneOf<ServiceFault>(path === '/funding' ? FUNDING_FAULTS : OTHER_FAULTS);
	}

	private oneOf<Value>(values: Value[]): Value {
		const value = values[Math.floor(this.random() * values.length)];
		if (value === undefined) {
			throw new Error('There is none to choose from');
		}

		return value;
	}

	private async note(system: string, fault: string | undefined): Promise<void> {
		if (fault !== undefined) {
			await this.tell({ kind: 'fault', name: `${system} ${fault}` });
		}
	}
}

/** Kills this process, as a machine that fails does. */
export async function die(): Promise<never> {
	process.kill(process.pid, 'SIGKILL');
	return await new Promise<never>(() => undefined);
}
