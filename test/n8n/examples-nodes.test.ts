import { EXAMPLES, FOR_NEWEST_HOST, readExample } from '../../tools/examples';
import { NEWEST_HOST, nodeTypesOf, versionsOf } from '../../tools/n8n';

const OWN = 'n8n-nodes-partner-payments.';

const types = nodeTypesOf(NEWEST_HOST);
const hidden = types.filter((type) => type.hidden).map(({ name }) => name);

/** The nodes of an example that n8n itself brings. */
const nodesOf = (name: string) =>
	readExample(name).nodes.filter(({ type }) => !type.startsWith(OWN));

test.each(EXAMPLES)('examples/%s has no node that the editor hides', (name) => {
	expect(hidden).toContain('n8n-nodes-base.spreadsheetFile');
	expect(nodesOf(name).filter(({ type }) => hidden.includes(type))).toEqual([]);
});

// Those of the others are the newest that the oldest n8n has, which the suite of versions tests.
test.each(FOR_NEWEST_HOST)('examples/%s is made of the newest nodes of n8n', (name) => {
	const newest = nodesOf(name).map((node) => ({
		...node,
		typeVersion: Math.max(...versionsOf(types, node.type)),
	}));
	expect(nodesOf(name)).toEqual(newest);
});
