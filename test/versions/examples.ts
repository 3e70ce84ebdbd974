import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { examplePath } from '../../tools/examples';
import { type Host, OLDEST_HOST, successfulItems, type Workflow } from '../../tools/n8n';
import { ROOT } from '../../tools/n8n/paths';
import { importExample } from '../n8n/support/example';
import type { Fixture } from '../n8n/support/fixture';

const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.json'));

/** What examples need that the oldest n8n lacks, as README says. */
const MISSING_IN_OLDEST: Record<string, string[]> = {
	'invoice-funding-and-deposit.json': ['n8n-nodes-base.dataTable 1.1'],
};

/** A type of node, as n8n lists it. */
interface NodeType {
	name: string;
	version: number | number[];
}

/** Tests that the examples can be imported. */
export function testExamples(fixture: () => Fixture, host: Host): void {
	test.each(EXAMPLES)('examples/%s is imported, and n8n has all its nodes', async (name) => {
		const { n8n } = fixture();
		const { nodes } = JSON.parse(readFileSync(examplePath(name), 'utf8')) as Workflow;
		const types = await n8n.client.types<NodeType>('nodes');
		const isKnown = ({ type, typeVersion }: Workflow['nodes'][number]): boolean =>
			types.some(
				({ name: known, version }) => known === type && [version].flat().includes(typeVersion),
			);
		const unknown = nodes
			.filter((node) => !isKnown(node))
			.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		const missing = host === OLDEST_HOST ? (MISSING_IN_OLDEST[name] ?? []) : [];
		expect([...new Set(unknown)]).toEqual(missing);

		const { id } = await importExample(fixture(), name);
		const stored = await n8n.client.rest<Workflow>('GET', `/workflows/${id}`);
		expect(stored.nodes.map(({ name: of }) => of)).toEqual(nodes.map(({ name: of }) => of));
	});

	test.each([
		['pay-a-vendor.json', 'Pay vendor once'],
		['pay-step-by-step.json', 'Fund from balance'],
	])('examples/%s pays a vendor', async (name, node) => {
		const { n8n, sandbox } = fixture();
		const before = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		// The note of the first says what to change where n8n has no Data Tables in its public API.
		const change = host === OLDEST_HOST ? { 'Pay vendor once': { rememberIn: 'node' } } : {};
		const { id } = await importExample(fixture(), name, { parameters: change });
		successfulItems(await n8n.runManually(id), node);
		const after = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		expect(after.balance - before.balance).toBe(25_000);
	});

	test('examples/crm-deal-to-invite.json can be called at its path', async () => {
		const { n8n } = fixture();
		const header = { name: 'X-CRM-Key', value: 'made-up-key' };
		const key = await n8n.createCredential('CRM', 'httpHeaderAuth', header);
		const { id } = await importExample(fixture(), 'crm-deal-to-invite.json', {
			credentials: { 'A deal is won': key },
		});
		await n8n.activate(id);
		expect((await n8n.client.callWebhook('won-deal', {})).status).toBe(403);
		await n8n.deactivate(id);
	});
}
