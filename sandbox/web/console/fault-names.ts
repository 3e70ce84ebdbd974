import type { Fault } from '../../http/faults';

/** What each kind of fault is called in the console. */
export const faultNames: Record<Fault['kind'], string> = {
	latency: 'Answer late',
	cut_before: 'Cut the connection before anything happens',
	cut_after: 'Carry it out, then cut the connection',
	status: 'Answer with a status',
	body: 'Carry it out, then answer something else',
};
