import type { TableStore } from '../../nodes/PartnerPayments/ledger/table/tableStore';
import { ledgerContract } from '../unit/ledger/ledgerContract.suite';
import { projectStoreOf, sender, storeOf, TestTable } from './support/ledgerTable';
import { useResource } from './support/resource';
import { sharedN8n } from './support/shared';

const n8n = useResource(sharedN8n, () => {});

/** The two ways to a table. */
const STORES: Array<[string, () => Promise<TableStore>]> = [
	['the project', async () => await projectStoreOf(n8n())],
	[
		'the public API',
		async () => {
			const { url, client } = n8n();
			return await Promise.resolve(storeOf(sender(url, client.session.apiKey)));
		},
	],
];

describe.each(STORES)('the ledger over %s', (_, connect) => {
	let store: TableStore;
	beforeAll(async () => {
		store = await connect();
	});

	ledgerContract(async () => {
		const empty = await TestTable.add(n8n(), store);
		return { open: (options) => empty.open(options) };
	});
});
