import type { Clock } from '../store/clock';
import type { Deliveries } from '../deliveries/dispatcher';
import type { Store } from '../store/store';

/** What every rule of the payouts network works on. */
export interface Network {
	readonly store: Store;
	readonly clock: Clock;
	/** Where the service listens, for links in mails and answers, for example http://localhost:4010. */
	readonly origin: () => string;
	/** Told of every event in the transaction in which it is recorded. */
	readonly deliveries: Pick<Deliveries, 'enqueue'>;
}
