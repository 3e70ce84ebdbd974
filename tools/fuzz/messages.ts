import type { IDataObject } from 'n8n-workflow';

/** What the coordinator and its processes tell each other. */

/** How likely each call of a task is to go wrong, from 0 to 1. */
export interface FaultRates {
	ledger: number;
	service: number;
	death: number;
}

/** A payout that an item asks for. */
export interface PayoutPlan {
	reference: string;
	payee: string;
	/** Dollars, such as "100.00". */
	amount: string;
	method: 'balance' | 'invoice' | 'none';
}

/** What a person resolves. */
export type Subject =
	{ kind: 'reference'; reference: string; payee: string } | { kind: 'payable'; payableId: string };

export type Resolution = 'paid' | 'notPaid' | 'void';

/** What an execution does. */
export type Work =
	| { kind: 'send'; payouts: PayoutPlan[] }
	/** Funding: Create by ID. */
	| { kind: 'fund'; payableId: string; method: 'balance' | 'invoice' }
	/** The event that a payable is paid. */
	| { kind: 'hear'; payableId: string }
	| { kind: 'link'; fundingId: string }
	| { kind: 'resolve'; subject: Subject; outcome: Resolution; isWholeFunding: boolean };

export interface Task {
	/** Also the ID of its execution. */
	id: string;
	round: number;
	seed: number;
	faults: FaultRates;
	/** What becomes of the first request to an address of the service. */
	firstFaults: Partial<Record<string, ServiceFault>>;
	work: Work;
}

export type Order =
	| { kind: 'task'; task: Task }
	/** To do now what was to be done late. */
	| { kind: 'flush' };

/** How a task has ended. `at`: in milliseconds since 1970. */
export interface Ended {
	kind: 'ended';
	taskId: string;
	items: IDataObject[];
	at: number;
}

export type Report =
	{ kind: 'ready' } | { kind: 'fault'; name: string } | { kind: 'flushed' } | Ended;

/** How the service is to treat a request. */
export type ServiceFault =
	/** It says no. */
	| 'refused'
	/** It takes no request now. */
	| 'limited'
	/** Done, and the connection breaks before the answer. */
	| 'lost'
	/** Not done, and the connection breaks. */
	| 'failed'
	/** The connection breaks, and it is done later. */
	| 'late'
	/** Done, and answered later. */
	| 'slow'
	/** Done and answered later. */
	| 'queued';

/** How a process reaches the others, as its arguments have it. */
export interface WorkerSettings {
	database: string;
	port: number;
}

/** The headers of a request to the service. */
export const HEADERS = { task: 'x-task', round: 'x-round', sentAt: 'x-sent-at', fault: 'x-fault' };

export const ENVIRONMENT = 'sandbox';
export const WORKSPACE = '7f0c9a52-5b0e-4f7e-9f0e-3c1a2b4d5e6f';
