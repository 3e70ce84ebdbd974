import type { IncomingHttpHeaders } from 'node:http';
import Ajv from 'ajv';
import { HttpError } from '../shared/errors';
import { faultSchema, type Fault } from './requestFaults';

/** Asks for faults of the request that brings it: `latency; ms=500, cut_after`. */
export const FAULT_HEADER = 'x-sandbox-fault';

/** A header is for one request: it says neither which nor how often. */
const NOT_HERE = ['match', 'times', 'ratio', 'seed', 'headers'];

const ajv = new Ajv({ coerceTypes: true, discriminator: true, strict: false });
const isFault = ajv.compile<Fault>(faultSchema);

/** The faults that a request asks for itself. @throws HttpError 400 for what is no fault */
export function faultsInHeader(headers: IncomingHttpHeaders): Fault[] {
	const given = [headers[FAULT_HEADER] ?? []].flat().join(',');
	return given
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.map(readFault);
}

function readFault(part: string): Fault {
	const [kind = '', ...parameters] = part.split(';').map((each) => each.trim());
	const fault: Record<string, unknown> = { kind };
	for (const parameter of parameters) {
		const [name = '', value = ''] = parameter.split('=', 2);
		fault[name.trim()] = value.trim();
	}

	const isForOne = NOT_HERE.every((name) => !(name in fault));
	if (!isForOne || !isFault(fault)) {
		throw new HttpError(
			400,
			'invalid_fault',
			`The header X-Sandbox-Fault names no fault of one request: ${part.slice(0, 80)}.`,
		);
	}

	return fault;
}
