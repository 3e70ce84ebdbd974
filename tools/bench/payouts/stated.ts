import { chunk } from '../../../nodes/PartnerPayments/shared/lists';
import { startSandbox } from '../../../sandbox/client';
import { packPackage } from '../../n8n';
import { QueueCluster } from '../../queue/cluster';
import { Session } from '../../queue/session';
import { type Measured, TableBuilder } from '../results/table';
import { LIMIT, type PayoutBench } from './bench';
import { readRefusals, SERVICE_LIMIT } from './rateLimit';

const STATED = [
	{ what: 'as it is', settings: SERVICE_LIMIT },
	{ what: 'as 6,000 a minute', settings: { requestsPerMinute: 6_000, rateWindowSeconds: 60 } },
];

/** Whether 429 says how long to wait, and the most seconds and answers 429 that are wanted. */
const RETRY_AFTER = [
	{ retryAfter: 'seconds', maxSeconds: 15, maxRefused: 20 },
	{ retryAfter: 'none', maxSeconds: 20, maxRefused: 40 },
] as const;

/** The seconds, and the answers 429, when a credential states another limit than the service has. */
export const measureStated = async ({ n8n }: PayoutBench): Promise<Measured> =>
	await measureOn({ n8n, webhooks: [n8n.client] }, `${LIMIT} payouts at a limit that is stated`);

/** The same with two workers, which know nothing of each other's requests. */
export async function measureWorkers(): Promise<Measured> {
	const cluster = await QueueCluster.start(packPackage(), 2);
	try {
		return await measureOn(cluster, `${LIMIT} payouts at a limit that is stated, by two workers`);
	} finally {
		await cluster.stop();
	}
}

/**
 * Makes 100 payouts by credentials that state the service's limit, or far more: in one execution, or in
 * two at once where there are two webhook processors. Passes when all are paid.
 */
async function measureOn(
	host: Pick<QueueCluster, 'n8n' | 'webhooks'>,
	title: string,
): Promise<Measured> {
	const table = new TableBuilder(title, { own: 'Partner Payments', peer: '' });
	let isPassed = true;
	for (const { what, settings } of STATED) {
		for (const { retryAfter, maxSeconds, maxRefused } of RETRY_AFTER) {
			const sandbox = await startSandbox({ ...SERVICE_LIMIT, retryAfter });
			const session = await Session.open(host, sandbox, settings, LIMIT);
			const payouts = await session.add(LIMIT);
			const parts = chunk(payouts, LIMIT / host.webhooks.length);
			const start = performance.now();
			await Promise.all(parts.map(async (part) => await session.submit(part)));

			const seconds = (performance.now() - start) / 1000;
			const { refused } = await readRefusals(sandbox);
			const name = `stated ${what}, Retry-After: ${retryAfter}`;
			const wanted = `at most ${maxSeconds}`;
			table.add({ name, unit: 's', digits: 1, own: seconds, wanted });
			table.add({ name: `${name}, answers 429`, own: refused, wanted: `at most ${maxRefused}` });

			const allocations = await sandbox.control.allocations();
			isPassed &&= allocations.length === LIMIT;
			await sandbox.stop();
		}
	}

	return { isPassed, table: table.build() };
}
