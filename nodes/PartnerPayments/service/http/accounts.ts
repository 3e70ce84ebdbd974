import type { Clock } from './clock';
import type { Limit } from './limit';
import { Pace } from './rateLimiter';

const inThisProcess = new Map<string, Pace>();

/**
 * The pace that all executions of this process keep together for an account. To be asked for anew
 * with each request: an account without one for a whole window is forgotten, and starts afresh.
 *
 * @param account names the account
 * @param limit the one that is stated last holds for all
 * @param paces those that are known
 */
export function paceOf(account: string, limit: Limit, clock: Clock, paces = inThisProcess): Pace {
	const known = paces.get(account);
	if (known !== undefined && !known.isIdle) {
		known.adjust(limit);
		return known;
	}
	for (const [name, pace] of paces) if (pace.isIdle) paces.delete(name);
	const pace = new Pace(clock, limit);
	paces.set(account, pace);
	return pace;
}
