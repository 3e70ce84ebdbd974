import type { Credential } from '../../tools/n8n';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { depositTriggerOf } from '../n8n/support/depositTrigger';
import { useCluster } from './support/cluster';

const running = useCluster();
let credential: Credential;
const { deposit, publish, republish, started } = depositTriggerOf(
	() => ({ n8n: running().cluster.n8n, sandbox: running().sandbox }),
	() => credential,
);

beforeAll(async () => {
	const { cluster, sandbox } = running();
	const data = sandboxCredentialData(sandbox);
	credential = await cluster.n8n.createCredential('Client', 'partnerPaymentsApi', data);
});

test('a deposit that has started an execution on a worker starts none after a restart of the main process', async () => {
	const { cluster } = running();
	await deposit();
	const workflow = await publish();
	const first = await deposit();
	await republish(workflow);
	expect(await started(workflow, 1)).toEqual([[first]]);
	expect(cluster.startedExecutions()).toContain(1);

	const second = await deposit();
	await cluster.n8n.restart();
	expect(await started(workflow, 2)).toEqual([[first], [second]]);
	const third = await deposit();
	await republish(workflow);
	expect(await started(workflow, 3)).toEqual([[first], [second], [third]]);
});
