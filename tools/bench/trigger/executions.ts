import type { StoredExecution } from '../../n8n';
import { EVENT_ID } from './events';

/** How often events were executed. */
export interface Tally {
	once: number;
	twice: string[];
	/** Events without any execution. */
	lost: string[];
	/** Of those executed once: another execution had been started, and was cut off when n8n ended. */
	repeated: number;
	/** Events whose only execution was cut off or failed. */
	unfinished: string[];
}

/** The ids of an execution's events. */
const idsOf = ({ data }: StoredExecution): Set<string> => new Set(data.match(EVENT_ID));

/** Counts the executions of each event; n8n marks those that were cut off when it ended as crashed. */
export function tallyExecutions(executions: StoredExecution[], ids: string[]): Tally {
	const known = new Map(ids.map((id) => [id, { ended: 0, cutOff: 0 }]));
	for (const execution of executions) {
		for (const id of idsOf(execution)) {
			const count = known.get(id);
			if (count !== undefined) count[execution.status === 'success' ? 'ended' : 'cutOff'] += 1;
		}
	}
	const idsWith = (matches: (ended: number, cutOff: number) => boolean): string[] =>
		[...known].filter(([, { ended, cutOff }]) => matches(ended, cutOff)).map(([id]) => id);
	return {
		once: idsWith((ended) => ended === 1).length,
		twice: idsWith((ended) => ended > 1),
		lost: idsWith((ended, cutOff) => ended + cutOff === 0),
		repeated: idsWith((ended, cutOff) => ended === 1 && cutOff > 0).length,
		unfinished: idsWith((ended, cutOff) => ended === 0 && cutOff > 0),
	};
}

/** When the execution of each event started, in milliseconds since 1970. */
export function executionStarts(executions: StoredExecution[]): Map<string, number> {
	return new Map(
		executions.flatMap((execution) =>
			[...idsOf(execution)].map((id): [string, number] => [id, Date.parse(execution.startedAt)]),
		),
	);
}
