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

/** The n8n that an example is made for. */
const hostOf = (name: string): Host => (FOR_NEWEST_HOST.includes(name) ? NEWEST_HOST : OLDEST_HOST);

/** Tests that the examples can be imported. */
export function testExamples(fixture: () => Fixture, host: Host): void {
	const tooNew = host === NEWEST_HOST ? [] : FOR_NEWEST_HOST;
	const fitting = EXAMPLES.filter((name) => !tooNew.includes(name));

	/** The nodes of an example that this n8n does not have. */
	const missingNodes = async (name: string): Promise<string[]> => {
		const types = await fixture().n8n.client.types<NodeType>('nodes');
		return readExample(name)
			.nodes.filter(({ type, typeVersion }) => !versionsOf(types, type).includes(typeVersion))
			.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
	};

	test.each(fitting)('n8n has all nodes of examples/%s', async (name) => {
		expect(await missingNodes(name)).toEqual([]);
	});

	// An n8n between may have the nodes of some of them.
	if (host === OLDEST_HOST) {
		test('each example that is said to need a newer n8n does', async () => {
			const missing = await Promise.all(tooNew.map(missingNodes));

			expect(missing.filter(({ length }) => length === 0)).toEqual([]);
		});
	}

	test.each(EXAMPLES)('examples/%s is imported', async (name) => {
		const { n8n } = fixture();
		const { nodes } = readExample(name);

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

	test('no example has a node that the editor hides', () => {
		const hidden = nodeTypesOf(NEWEST_HOST).flatMap((type) => (type.hidden ? type.name : []));
		const used = EXAMPLES.flatMap((name) => readExample(name).nodes.map(({ type }) => type));

		expect(hidden).toContain('n8n-nodes-base.spreadsheetFile');
		expect(used.filter((type) => hidden.includes(type))).toEqual([]);
	});

	test('examples/pay-a-vendor.json pays a vendor', async () => {
		const { n8n, sandbox } = fixture();
		const before = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		const { id } = await importExample(fixture(), 'pay-a-vendor.json');

		const execution = await n8n.runManually(id);

		const [payout] = successfulItems(execution, 'Pay vendor once');
		const after = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
		expect(payout?.json).toMatchObject({ status: 'funded' });
		expect(after.balance - before.balance).toBe(payout?.json['amount_cents']);
	});
}
