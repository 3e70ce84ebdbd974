import { EXAMPLES, FOR_NEWEST_HOST, readExample } from '../../tools/examples';
import {
	type Host,
	NEWEST_HOST,
	type NodeType,
	nodeTypesOf,
	OLDEST_HOST,
	successfulItems,
	versionsOf,
	type Workflow,
} from '../../tools/n8n';
import { importExample } from '../n8n/support/example';
import type { Fixture } from '../n8n/support/fixture';

/** What examples for the newest n8n need that the oldest lacks. */
const MISSING_IN_OLDEST: Record<string, string[]> = {
	'agent-prepares-person-pays.json': [
		'n8n-nodes-base.set 3.5',
		'@n8n/n8n-nodes-langchain.agent 3.1',
		'n8n-nodes-base.slack 2.7',
	],
	'approve-in-chat-then-pay.json': ['n8n-nodes-base.slack 2.7', 'n8n-nodes-base.set 3.5'],
	'deposit-arrives-link-it.json': [
		'n8n-nodes-base.dataTable 1.1',
		'n8n-nodes-base.set 3.5',
		'n8n-nodes-base.slack 2.7',
	],
	'invoice-funding-and-deposit.json': [
		'n8n-nodes-base.dataTable 1.1',
		'n8n-nodes-base.set 3.5',
		'n8n-nodes-base.scheduleTrigger 1.4',
	],
	'unconfirmed-payouts.json': ['n8n-nodes-base.scheduleTrigger 1.4', 'n8n-nodes-base.slack 2.7'],
};

/** The n8n that an example is made for. */
const hostOf = (name: string): Host => (FOR_NEWEST_HOST.includes(name) ? NEWEST_HOST : OLDEST_HOST);

/** Tests that the examples can be imported. */
export function testExamples(fixture: () => Fixture, host: Host): void {
	test.each(EXAMPLES)('examples/%s is imported, and n8n has all its nodes', async (name) => {
		const { n8n } = fixture();
		const { nodes } = readExample(name);
		const types = await n8n.client.types<NodeType>('nodes');
		const unknown = nodes
			.filter(({ type, typeVersion }) => !versionsOf(types, type).includes(typeVersion))
			.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		const missing = host === OLDEST_HOST ? (MISSING_IN_OLDEST[name] ?? []) : [];
		expect([...new Set(unknown)]).toEqual(missing);

		const { id } = await importExample(fixture(), name);
		const stored = await n8n.client.rest<Workflow>('GET', `/workflows/${id}`);
		expect(stored.nodes.map(({ name: of }) => of)).toEqual(nodes.map(({ name: of }) => of));
	});

	test.each(EXAMPLES)(
		'examples/%s is made of the newest nodes of the n8n that it is made for',
		(name) => {
			const types = nodeTypesOf(hostOf(name));
			const outdated = readExample(name).nodes.filter(({ type, typeVersion }) =>
				versionsOf(types, type).some((version) => version > typeVersion),
			);
			expect(outdated.map(({ type, typeVersion }) => `${type} ${typeVersion}`)).toEqual([]);
		},
	);

	test.each([
		['pay-a-vendor.json', 'Pay vendor once'],
		['pay-step-by-step.json', 'Pay from balance'],
	])('examples/%s pays a vendor', async (name, node) => {
		const { n8n, sandbox } = fixture();
		const before = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		const { id } = await importExample(fixture(), name);
		successfulItems(await n8n.runManually(id), node);
		const after = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		expect(after.balance).toBeGreaterThan(before.balance);
	});
}
