import { type Sandbox, startSandbox } from '../../../sandbox/client';
import { packPackage } from '../../../tools/n8n';
import { UNLIMITED } from '../../../tools/payouts/credentials';
import { QueueCluster } from '../../../tools/queue/cluster';
import { useResource } from '../../n8n/support/resource';

const START_TIMEOUT_MS = 5 * 60_000;

/** What the tests of a file share: n8n in queue mode, and a service that it pays with. */
export interface Running {
	cluster: QueueCluster;
	sandbox: Sandbox;
}

/**
 * Starts n8n in queue mode and a service before the tests of a file, and stops them after them.
 *
 * @param onStop called when they have stopped
 */
export const useCluster = (onStop: () => void = () => undefined): (() => Running) =>
	useResource(
		async (): Promise<Running> => {
			const sandbox = await startSandbox({ requestsPerMinute: UNLIMITED, secondFunding: 'accept' });
			try {
				return { cluster: await QueueCluster.start(packPackage()), sandbox };
			} catch (error) {
				await sandbox.stop();
				throw error;
			}
		},
		async ({ cluster, sandbox }) => {
			await cluster.stop();
			await sandbox.stop();
			onStop();
		},
		START_TIMEOUT_MS,
	);
