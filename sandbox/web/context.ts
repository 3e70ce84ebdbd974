import type { RequestFaults } from '../http/faults';
import type { RequestLog } from '../http/request-log';
import type { Network } from '../network/network';

/** What the pages show and change. */
export interface PagesContext {
	network: Network;
	log: RequestLog;
	faults: RequestFaults;
	/** Whether deposits cannot be simulated. */
	production: boolean;
	/** Gets a line when a page itself fails. */
	reportError: (text: string) => void;
}
