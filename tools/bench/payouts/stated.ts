import { chunk } from '../../../nodes/PartnerPayments/shared/lists';
import { startSandbox } from '../../../sandbox/client';
import type { QueueCluster } from '../../queue/cluster';
import { Session } from '../../queue/session';
import { LIMIT, readRefusals, SERVICE_LIMIT } from './rateLimit';

const STATED = {
	'as it is': SERVICE_LIMIT,
	'as 6,000 a minute': { requestsPerMinute: 6_000, rateWindowSeconds: 60 },
};

/** Whether 429 says how long to wait, and the most seconds and answers 429 that are wanted. */
const RETRY_AFTER = [
	{ retryAfter: 'seconds', wanted: 'at most 15 s, 20' },
	{ retryAfter: 'none', wanted: 'at most 20 s, 40' },
] as const;

/**
 * Makes 100 payouts by credentials that state the service's limit, or far more: in one execution, or in
 * two at once where there are two webhook processors. Returns whether all are paid.
 */
export async function measureStated(
	host: Pick<QueueCluster, 'n8n' | 'webhooks'>,
	row: (what: string, own: string, peer: string, wanted: string) => void,
): Promise<boolean> {
	let isPaid = true;
	for (const [what, stated] of Object.entries(STATED)) {
		for (const { retryAfter, wanted } of RETRY_AFTER) {
			const sandbox = await startSandbox({ ...SERVICE_LIMIT, retryAfter });
			const session = await Session.open(host, sandbox, stated, LIMIT);
			const payouts = await session.add(LIMIT);
			const parts = chunk(payouts, LIMIT / host.webhooks.length);
			const start = performance.now();
			await Promise.all(parts.map(async (part) => await session.submit(part)));

			const seconds = ((performance.now() - start) / 1000).toFixed(1);
			const { refused } = await readRefusals(sandbox);
			row(`stated ${what}, Retry-After: ${retryAfter}`, `${seconds} s, ${refused}`, '', wanted);

			const allocations = await sandbox.control.allocations();
			isPaid &&= allocations.length === LIMIT;
			await sandbox.stop();
		}
	}

	return isPaid;
}
