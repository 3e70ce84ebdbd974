import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { LedgerHost } from '../ledger/nodeStore/keySet';
import { KeySet } from '../ledger/nodeStore/keySet';
import { deduplicatorFor } from './deduplicator';
import { triggerKey } from './triggerData';

/** Keys of the latest events: two of each that started an execution. */
const MAX_KEYS = 10_000;

/** An event or a deposit on its way to the execution that it starts. */
export interface ItemToClaim extends INodeExecutionData {
	digest: string;
}

/** What a claim needs of an execution. */
export type ClaimingHost = LedgerHost &
	Pick<IExecuteFunctions, 'getExecutionId' | 'getInputData' | 'getMode' | 'logger'>;

/**
 * The items of an execution for which no other one was started.
 *
 * Each process knows what it has received itself. When two of them receive the same event at the same
 * moment, or n8n is restarted while one of its workers has a deposit, two executions start: the one
 * which is executed first claims it in n8n's database, and the other one goes on without it. An item
 * whose claim cannot be kept is never dropped.
 */
export async function claimItems(n8n: ClaimingHost): Promise<INodeExecutionData[]> {
	const items = n8n.getInputData();
	// A person who retries an execution that broke off wants its event again.
	if (['manual', 'retry'].includes(n8n.getMode())) return items;
	const deduplicator = deduplicatorFor(triggerKey(n8n));
	const isElsewhere = (digest: unknown): digest is string =>
		typeof digest === 'string' && !deduplicator.isKnown(digest);
	const elsewhere = items.map(({ digest }) => digest).filter(isElsewhere);
	const taken = await takenByOthers(n8n, elsewhere).catch(() => {
		n8n.logger.warn(
			`${JSON.stringify(n8n.getNode().name)} cannot keep in n8n's database which execution has an event: one that starts two may run twice`,
		);
		return new Set<unknown>();
	});
	return items.filter(({ digest }) => !taken.has(digest));
}

/** Claims events for this execution; returns those that another one has claimed. */
async function takenByOthers(n8n: ClaimingHost, digests: string[]): Promise<Set<unknown>> {
	if (digests.length === 0) return new Set();
	const event = (digest: string): string => JSON.stringify(['event', digest]);
	const execution = (digest: string): string =>
		JSON.stringify(['execution', digest, n8n.getExecutionId()]);
	const { added } = await new KeySet(n8n, MAX_KEYS).change({
		add: digests.flatMap((digest) => [event(digest), execution(digest)]),
		remove: (keys) =>
			digests
				.filter((digest) => !keys.has(event(digest)))
				.map(execution)
				.filter((key) => keys.has(key)),
	});
	// n8n may begin an execution twice: its key is there then.
	return new Set(
		digests.filter((digest) => !added.has(event(digest)) && added.has(execution(digest))),
	);
}
