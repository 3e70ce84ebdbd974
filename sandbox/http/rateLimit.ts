import type { Clock } from '../store/clock';
import type { SettingsInForce } from '../store/settingsInForce';
import type { Settings } from '../shared/settings';
import { HttpError } from '../shared/errors';

/** What the limit has seen of an account since its counts began. */
export interface AccountUsage {
	/** `client:` or `user:` and the id. */
	account: string;
	/** The most requests that came within any window, those refused included. */
	largestWindow: number;
	/** Requests that were refused with 429; those that a fault answered so are not among them. */
	refused: number;
}

/** The requests of one account; times are milliseconds, oldest first. */
interface Account {
	arrivals: number[];
	accepted: number[];
	largestWindow: number;
	refused: number;
}

/** At most so many requests of one account in any window. */
export class RateLimiter {
	private readonly accounts = new Map<string, Account>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: SettingsInForce,
	) {}

	clear(): void {
		this.accounts.clear();
	}

	/** A refused request does not count. @throws HttpError 429 */
	count(name: string): void {
		const { requestsPerMinute, rateWindowSeconds, retryAfter } = this.settings.values;
		const now = this.clock.nowMs();
		const account = this.account(name);
		const { arrivals, accepted } = account;
		for (const times of [arrivals, accepted]) {
			dropBefore(times, now - rateWindowSeconds * 1000);
		}

		arrivals.push(now);
		account.largestWindow = Math.max(account.largestWindow, arrivals.length);

		const blocking = accepted[accepted.length - requestsPerMinute];
		if (blocking === undefined) {
			accepted.push(now);
			return;
		}

		account.refused += 1;

		const seconds = Math.max(1, Math.ceil((blocking - now) / 1000 + rateWindowSeconds));
		throw new HttpError(
			429,
			'rate_limited',
			`More than ${requestsPerMinute} requests in ${describeWindow(rateWindowSeconds)}. Try again in ${seconds} s.`,
			{ headers: retryAfterHeaders[retryAfter](seconds) },
		);
	}

	usage(): AccountUsage[] {
		return [...this.accounts].map(([account, { largestWindow, refused }]) => ({
			account,
			largestWindow,
			refused,
		}));
	}

	private account(name: string): Account {
		const known = this.accounts.get(name);
		if (known !== undefined) {
			return known;
		}

		const account: Account = { arrivals: [], accepted: [], largestWindow: 0, refused: 0 };
		this.accounts.set(name, account);
		return account;
	}
}

const retryAfterHeaders: Record<
	Settings['retryAfter'],
	(seconds: number) => Record<string, string>
> = {
	seconds: (seconds) => ({ 'retry-after': String(seconds) }),
	// The caller's clock is the real one.
	date: (seconds) => ({ 'retry-after': new Date(Date.now() + seconds * 1000).toUTCString() }),
	none: () => ({}),
};

function dropBefore(times: number[], start: number): void {
	const recent = times.findIndex((time) => time > start);
	times.splice(0, recent < 0 ? times.length : recent);
}

const describeWindow = (seconds: number): string => (seconds === 60 ? 'a minute' : `${seconds} s`);
