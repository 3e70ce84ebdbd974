import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { LedgerHost } from '../ledger/nodeStore/host';
import { keySetOf } from '../ledger/nodeStore/keySet';
import { deduplicatorFor } from './deduplicator';
import { triggerKey } from './triggerData';

/** Keys of the latest events: two of each that started an execution. */
const MAX_KEYS = 10_000;

const NOT_CLAIMED =
	"Partner Payments Trigger cannot keep in n8n's database which execution has an event: one that reached several webhook processors at once may run twice";

/** An event on its way from the delivery to the execution that it started. */
export interface EventItem extends INodeExecutionData {
	eventDigest: string;
}

/** What a claim needs of an execution. */
export type ClaimingHost = LedgerHost &
	Pick<IExecuteFunctions, 'getExecutionId' | 'getInputData' | 'getMode' | 'logger'>;

/**
 * The events of an execution for which no other one was started.
 *
 * Each process that receives deliveries knows what it has received itself. When two of them receive
 * the same event at the same moment, both start an execution: so that the one which is executed first
 * claims the event in n8n's database, and the other one goes on without it. An event whose claim
 * cannot be kept is never dropped.
 */
export async function claimEvents(n8n: ClaimingHost): Promise<INodeExecutionData[]> {
	const items = n8n.getInputData();
	const digests = items.map(({ eventDigest }) => eventDigest);
	const unclaimed = new Set(isAskedFor(n8n) ? digests : await claim(n8n, digests));
	return items.filter((_, index) => unclaimed.has(digests[index])).map(({ json }) => ({ json }));
}

/** Whether a person has asked for this execution: who retries one that broke off wants its event again. */
const isAskedFor = (n8n: ClaimingHost): boolean => ['manual', 'retry'].includes(n8n.getMode());

async function claim(n8n: ClaimingHost, digests: unknown[]): Promise<unknown[]> {
	const deduplicator = deduplicatorFor(triggerKey(n8n));
	const elsewhere = digests.filter(
		(digest): digest is string => typeof digest === 'string' && !deduplicator.isKnown(digest),
	);
	const isOurs = await claimInDatabase(n8n, elsewhere).catch(() => {
		n8n.logger.warn(NOT_CLAIMED);
		return () => true;
	});
	const claimed = new Set<unknown>(elsewhere);
	return digests.filter((digest) => !claimed.has(digest) || isOurs(String(digest)));
}

/** Returns whether this execution has claimed an event or a deposit, now or when n8n began it before. */
export async function claimInDatabase(
	n8n: LedgerHost & Pick<IExecuteFunctions, 'getExecutionId'>,
	digests: string[],
): Promise<(digest: string) => boolean> {
	const event = (digest: string): string => JSON.stringify(['event', digest]);
	const execution = (digest: string): string =>
		JSON.stringify(['execution', digest, n8n.getExecutionId()]);
	const { added } = await keySetOf(n8n, MAX_KEYS).change(n8n, {
		add: digests.flatMap((digest) => [event(digest), execution(digest)]),
		remove: (keys) =>
			digests
				.filter((digest) => !keys.has(event(digest)))
				.map(execution)
				.filter((key) => keys.has(key)),
		isRemovalDeferrable: true,
	});
	return (digest) => added.has(event(digest)) || !added.has(execution(digest));
}
