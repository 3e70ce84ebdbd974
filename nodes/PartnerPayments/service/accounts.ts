import { systemClock } from './clock';
import type { Limit } from './limit';
import { Pace } from './pacing';

const paces = new Map<string, Pace>();

/**
 * The pace that all executions of this process keep together for an account. To be asked for anew
 * with each request: who does not use it for a window is forgotten.
 *
 * @param account names the account
 * @param limit the latest one that is stated holds for all
 */
export function paceOf(account: string, limit: Limit): Pace {
	const known = paces.get(account);
	known?.adjust(limit);
	if (known !== undefined) return known;
	for (const [name, pace] of paces) if (pace.isIdle) paces.delete(name);
	const pace = new Pace(systemClock, limit);
	paces.set(account, pace);
	return pace;
}
