import { setTimeout as sleep } from 'node:timers/promises';
import type { XStatic } from 'typebox/schema';
import { operationIds, type MatchedOperation } from '../contract/contract';
import { faultKind, faultOf, FaultRegistry, type Active } from '../shared/faultRegistry';
import { object, text } from '../shared/jsonSchema';
import { chance } from '../shared/random';
import type { ServiceResponse } from './messages';

/** Which requests a fault strikes; what is left out matches everything. */
const match = object({
	method: text,
	/** A path of the contract, for example `/payable/{id}/approve`. */
	path: text,
	/** A name of the contract, for example `approvePayable`. */
	operationId: { ...text, title: 'Operation', examples: operationIds },
});

/** `seed` is that of the chance in `ratio`; 1 when left out. */
const common = { match, seed: { type: 'integer' } } as const;
const ms = {
	type: 'integer',
	minimum: 0,
	maximum: 600_000,
	title: 'Milliseconds',
	problem: 'Enter milliseconds from 0 to 600000.',
} as const;

const status = {
	type: 'integer',
	minimum: 200,
	maximum: 599,
	problem: 'Enter a status from 200 to 599.',
} as const;

/** What Node.js writes into a header; anything else would fail when the fault strikes. */
const HEADER_NAME = "^[!#$%&'*+.^_`|~\\dA-Za-z-]+$";
const HEADER_VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

const content = {
	/** Text as it is, or anything else as JSON. */
	body: {},
	contentType: { ...text, pattern: HEADER_VALUE },
	headers: {
		type: 'object',
		propertyNames: { pattern: HEADER_NAME },
		additionalProperties: { type: 'string', pattern: HEADER_VALUE },
		control: 'lines',
		description: 'One on each line: Name: value',
	},
} as const;

/** "Carry it out" means that the request takes its effect. */
export const faultSchema = faultOf(
	faultKind('latency', 'Answer late', { ...common, ms }, ['ms']),
	faultKind('cut_before', 'Cut the connection before anything happens', common, []),
	faultKind('cut_after', 'Carry it out, then cut the connection', common, []),
	faultKind(
		'status',
		'Answer with a status',
		{ ...common, ...content, status, after: { type: 'boolean' } },
		['status'],
	),
	faultKind('body', 'Carry it out, then answer something else', { ...common, ...content, status }, [
		'body',
	]),
	faultKind('reset', 'Carry it out, then reset the connection', common, []),
	faultKind('truncated', 'Carry it out, and send half of the answer', common, []),
	faultKind('dripping', 'Carry it out, and send the answer in 40 pieces', { ...common, ms }, [
		'ms',
	]),
);

export type Fault = XStatic<typeof faultSchema>;
/** A fault that was injected; `remaining` is null for one that lasts until it is cleared. */
export type ActiveFault = Active<Fault>;
export type FaultMatch = NonNullable<Fault['match']>;
/** What becomes of a request: a response, or a connection that breaks without one. */
export type Outcome = ServiceResponse | 'cut' | 'reset';

const isCut = (outcome: Outcome): outcome is 'cut' | 'reset' => typeof outcome === 'string';

/** What a fault makes of a request: `handle` lets the request take its effect. */
async function applyFault(fault: Fault, handle: () => Promise<Outcome>): Promise<Outcome> {
	if (fault.kind === 'cut_before') {
		return 'cut';
	}

	if (fault.kind === 'status' && fault.after !== true) {
		return fixedResponse(fault.status, fault);
	}

	if (fault.kind === 'latency') {
		await sleep(fault.ms, undefined, { ref: false });
	}

	const outcome = await handle();
	switch (fault.kind) {
		case 'latency':
			return outcome;
		case 'cut_after':
			return 'cut';
		case 'reset':
			return 'reset';
		case 'status':
		case 'body':
			return fixedResponse(fault.status ?? 200, fault);
		case 'truncated':
			return isCut(outcome) ? outcome : { ...outcome, transfer: 'truncated' };
		case 'dripping':
			return isCut(outcome) ? outcome : { ...outcome, transfer: { everyMs: fault.ms } };
	}
}

function fixedResponse(
	status: number,
	{ body, contentType, headers }: Extract<Fault, { kind: 'status' | 'body' }>,
): ServiceResponse {
	const content = body ?? {
		error: { code: 'injected_fault', message: `The sandbox was told to answer ${status}.` },
	};

	const isText = typeof content === 'string';
	const type = contentType ?? (isText ? 'text/html' : 'application/json');
	return {
		status,
		headers: { 'content-type': type, ...headers },
		text: isText ? content : JSON.stringify(content),
	};
}

export class RequestFaults extends FaultRegistry<Fault> {
	private readonly matched = new Map<number, number>();

	override clear(): void {
		super.clear();
		this.matched.clear();
	}

	/** Uses every latency that strikes this request, and the first fault of another kind. */
	useFor(method: string, operation: MatchedOperation | undefined): ActiveFault[] {
		const matching = this.list().filter(({ match }) => matches(match ?? {}, method, operation));
		const latencies = matching.filter((fault) => fault.kind === 'latency' && this.strikes(fault));
		const other = matching.find((fault) => fault.kind !== 'latency' && this.strikes(fault));
		const used = other === undefined ? latencies : [...latencies, other];
		for (const fault of used) {
			this.use(fault);
		}

		return used;
	}

	/** Decides by chance, once for each request that the fault matches. */
	private strikes({ ratio, seed = 1, id }: ActiveFault): boolean {
		const matched = (this.matched.get(id) ?? 0) + 1;
		this.matched.set(id, matched);
		return ratio === undefined || chance(seed, 'request', id, matched) < ratio;
	}
}

const matches = (
	wanted: FaultMatch,
	method: string,
	operation: MatchedOperation | undefined,
): boolean =>
	(wanted.method === undefined || wanted.method.toUpperCase() === method) &&
	(wanted.path === undefined || wanted.path === operation?.template) &&
	(wanted.operationId === undefined || wanted.operationId === operation?.operationId);

export async function applyFaults(
	faults: Fault[],
	handle: () => Promise<ServiceResponse>,
): Promise<Outcome> {
	const [first, ...rest] = faults;
	if (first === undefined) {
		return await handle();
	}

	return await applyFault(first, async () => await applyFaults(rest, handle));
}
