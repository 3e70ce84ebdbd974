import { N8n } from '../../tools/n8n';
import { ledgerContract } from '../unit/ledger/ledgerContract';
import { sender, TestTable } from './support/ledgerTable';
import { useResource } from './support/resource';

const n8n = useResource(
	async () => await N8n.start({}),
	async (started) => {
		await started.stop();
	},
);

describe('the ledger in a Data Table', () => {
	const traits = {
		sharesFacts: true,
		takesOver: true,
		knowsOtherKinds: true,
		refusesOtherCapitals: true,
	};
	ledgerContract(traits, async () => {
		const table = await TestTable.make(sender(n8n().url, n8n().client.apiKey));
		return { open: (options) => table.open(options) };
	});
});
