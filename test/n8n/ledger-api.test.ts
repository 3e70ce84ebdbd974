import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/table/n8nApi';
import { begins, paymentOf } from '../unit/ledger/ledgerRuns';
import { sender, storeOf, TestTable } from './support/ledgerTable';
import { useResource } from './support/resource';
import { sharedN8n } from './support/shared';

const n8n = useResource(sharedN8n, () => {});
const send = (): SendToN8n => sender(n8n().url, n8n().client.session.apiKey);
const ada = paymentOf('INV-1');

describe('over the public API, a claim', () => {
	let table: TestTable;

	beforeEach(async () => {
		table = await TestTable.shared(send());
	});

	test.each(['POST', 'GET'])(
		'is not begun when a text answers its %s, as n8n does while it starts #text-for-an-answer',
		async (method) => {
			const starting: SendToN8n = async (request) =>
				request.method === method
					? await Promise.resolve({ status: 200, body: 'n8n is starting up. Please wait' })
					: await send()(request);

			await expect(table.open({ store: storeOf(starting) }).begin([ada])).rejects.toThrow(
				/is not n8n/,
			);
			expect(await begins(table.open(), ada)).toBe(true);
		},
	);
});
