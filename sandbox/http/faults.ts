import type { Match } from '../contract/contract';
import { chance } from '../shared/random';
import type { Answer } from './messages';

/** Which requests a fault strikes; what is left out matches everything. */
export interface FaultMatch {
	method?: string;
	/** A path of the contract, for example `/payable/{id}/approve`. */
	path?: string;
	/** A name of the contract, for example `approvePayable`. */
	operationId?: string;
}

/** What goes wrong. "After" means that the request took its effect first. */
export type Fault = {
	match?: FaultMatch;
	/** How many requests it strikes; one when neither this nor a ratio is given. */
	times?: number;
	/** The share of requests it strikes, from 0 to 1, by seeded chance; all when left out. */
	ratio?: number;
	/** Of the chance in `ratio`; 1 when left out. */
	seed?: number;
} & (
	| { kind: 'latency'; /** Milliseconds. */ ms: number }
	| { kind: 'cut_before' }
	| { kind: 'cut_after' }
	| {
			kind: 'status';
			status: number;
			/** Text as it is, or anything else as JSON; an error object when left out. */
			body?: unknown;
			contentType?: string;
			headers?: Record<string, string>;
			after?: boolean;
	  }
	| {
			kind: 'body';
			/** Text as it is, or anything else as JSON. */
			body: unknown;
			/** 200 when left out. */
			status?: number;
			contentType?: string;
			headers?: Record<string, string>;
	  }
);

/** A fault that waits for its requests; `remaining` is null for one that never ends by itself. */
export type ArmedFault = Fault & { id: number; remaining: number | null };

/** What becomes of an exchange: an answer, or a connection that breaks without one. */
type Outcome = Answer | 'cut';

/** What a fault makes of an exchange: `perform` lets the request take its effect. */
type Strike = (fault: Fault, perform: () => Promise<Outcome>) => Promise<Outcome>;

const strikes: { [K in Fault['kind']]: Strike } = {
	latency: async (fault, perform) => {
		if (fault.kind === 'latency') await new Promise((done) => setTimeout(done, fault.ms));
		return await perform();
	},
	cut_before: async () => await Promise.resolve('cut'),
	cut_after: async (_, perform) => {
		await perform();
		return 'cut';
	},
	status: async (fault, perform) => {
		if (fault.kind === 'status' && fault.after === true) await perform();
		return await Promise.resolve(given(fault, 500));
	},
	body: async (fault, perform) => {
		await perform();
		return given(fault, 200);
	},
};

function given(fault: Fault, fallback: number): Answer {
	if (fault.kind !== 'status' && fault.kind !== 'body')
		throw new Error('A fault without an answer.');
	const status = fault.status ?? fallback;
	const body = fault.body ?? {
		error: { code: 'injected_fault', message: `The sandbox was told to answer ${status}.` },
	};
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const type = fault.contentType ?? (typeof body === 'string' ? 'text/html' : 'application/json');
	return { status, headers: { 'content-type': type, ...fault.headers }, text };
}

/** A fault and what its chance is counted by. */
interface Order {
	fault: ArmedFault;
	/** Requests that it might have struck so far. */
	met: number;
}

/** The faults that were ordered and still strike. */
export class Faults {
	#orders: Order[] = [];
	#next = 1;

	/** Orders a fault. Faults strike in the order in which they were ordered. */
	arm(fault: Fault): ArmedFault {
		const once = fault.ratio === undefined ? 1 : null;
		const armed = { ...fault, id: this.#next++, remaining: fault.times ?? once };
		this.#orders.push({ fault: armed, met: 0 });
		return armed;
	}

	/** Those that still wait. */
	read(): ArmedFault[] {
		return this.#orders.map(({ fault }) => fault);
	}

	/** Calls all off; the next ones are numbered, and so decided by chance, as at the beginning. */
	clear(): void {
		this.#orders = [];
		this.#next = 1;
	}

	/**
	 * Takes what strikes this request: every latency, and the first fault of another kind.
	 * @returns the faults in the order in which they apply
	 */
	take(method: string, match: Match | undefined): ArmedFault[] {
		if (this.#orders.length === 0) return [];
		const fitting = this.#orders.filter(({ fault }) => fits(fault.match ?? {}, method, match));
		const latencies = fitting.filter(({ fault }) => fault.kind === 'latency').filter(isStruck);
		const other = fitting.filter(({ fault }) => fault.kind !== 'latency').find(isStruck);
		const taken = [...latencies, ...(other === undefined ? [] : [other])].map(({ fault }) => fault);
		for (const fault of taken) if (fault.remaining !== null) fault.remaining -= 1;
		this.#orders = this.#orders.filter(({ fault }) => fault.remaining !== 0);
		return taken;
	}
}

/** Decides by chance, each time anew. */
function isStruck(order: Order): boolean {
	const { ratio, seed = 1, id } = order.fault;
	order.met += 1;
	return ratio === undefined || chance(seed, 'request', id, order.met) < ratio;
}

const fits = (wanted: FaultMatch, method: string, match: Match | undefined): boolean =>
	(wanted.method === undefined || wanted.method.toUpperCase() === method) &&
	(wanted.path === undefined || wanted.path === match?.template) &&
	(wanted.operationId === undefined || wanted.operationId === match?.operationId);

/** Performs a request under the faults that were taken for it. */
export async function performUnder(
	faults: Fault[],
	perform: () => Promise<Answer>,
): Promise<Outcome> {
	const [first, ...rest] = faults;
	if (first === undefined) return await perform();
	return await strikes[first.kind](first, async () => await performUnder(rest, perform));
}
