import type { components } from '../../contract/service';
import type { Clock } from '../store/clock';
import type { SettingsInForce } from '../store/settingsInForce';
import type { Store } from '../store/store';

export interface Network {
	readonly store: Store;
	readonly clock: Clock;
	/** Where the service listens, for links in mails and answers, for example http://localhost:7297. */
	readonly origin: () => string;
	readonly settings: SettingsInForce;
	/** Does the rest of long work later, in a transaction of its own. */
	readonly later: (work: () => void) => void;
	/** Stores the deliveries of an event; called in the transaction in which the event is recorded. */
	readonly enqueueDeliveries: (event: components['schemas']['Event']) => void;
}
