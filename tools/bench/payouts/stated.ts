import { type Sandbox, startSandbox } from '../../../sandbox/client';
import { chunk } from '../../../nodes/PartnerPayments/shared/lists';
import type { Environment } from '../../environment';
import { packPackage } from '../../n8n';
import type { CredentialSettings } from '../../payouts/credentials';
import { QueueCluster } from '../../queue/cluster';
import { Session } from '../../queue/session';
import { LIMIT, measurePartnerPayments, readRefusals, SERVICE_LIMIT } from './rateLimit';

/** What credentials state, and how long 429 says to wait, with the most seconds and answers 429 wanted. */
const TRIALS = [
	{ stated: SERVICE_LIMIT, what: 'as it is' },
	{ stated: { requestsPerMinute: 6_000, rateWindowSeconds: 60 }, what: 'at 6,000 a minute' },
].flatMap(({ stated, what }) => [
	{ ...{ stated, what, retryAfter: 'seconds' as const }, wanted: 'at most 15 s, 20' },
	{ ...{ stated, what, retryAfter: 'none' as const }, wanted: 'at most 20 s, 40' },
]);

/** Makes 100 payouts; returns in how many seconds. */
type Pay = (sandbox: Sandbox, stated: CredentialSettings) => Promise<number>;

/** Makes 100 payouts in each trial; returns whether all are paid. */
export async function measureStated(
	row: (what: string, own: string, peer: string, wanted: string) => void,
	pay: Pay,
): Promise<boolean> {
	let paid = 0;
	for (const { stated, what, retryAfter, wanted } of TRIALS) {
		const sandbox = await startSandbox({ ...SERVICE_LIMIT, retryAfter });
		try {
			const seconds = await pay(sandbox, stated);
			const { refused } = await readRefusals(sandbox);
			row(
				`stated ${what}, Retry-After: ${retryAfter}`,
				`${seconds.toFixed(1)} s, ${refused}`,
				'',
				wanted,
			);
			paid += (await sandbox.control.allocations()).length;
		} finally {
			await sandbox.stop();
		}
	}
	return paid === TRIALS.length * LIMIT;
}

/** One execution makes the payouts. */
export const paying =
	({ n8n }: Environment): Pay =>
	async (sandbox, stated) =>
		(await measurePartnerPayments({ n8n, sandbox }, LIMIT, stated)).seconds;

/** Two workers share the payouts, and know nothing of each other's requests. */
export async function withTwoWorkers(work: (pay: Pay) => Promise<boolean>): Promise<boolean> {
	const cluster = await QueueCluster.start(packPackage(), 2);
	try {
		return await work(async (sandbox, stated) => {
			const settings = { ...stated, store: 'dataTable' as const };
			const session = await Session.open(cluster, sandbox, settings, LIMIT);
			const payouts = await session.add(LIMIT);
			const start = performance.now();
			const halves = chunk(payouts, LIMIT / 2).map(async (half) => await session.submit(half));
			await Promise.all(halves);
			return (performance.now() - start) / 1000;
		});
	} finally {
		await cluster.stop();
	}
}
