import { normalizeReference } from '../../../nodes/PartnerPayments/shared/reference';
import { FakeTable } from './fakeTable';
import { FakeService, payAll, requestOf } from './payouts';

test.each([
	['an invisible character before an accent', 'INV-e\u200d\u0301', 'INV-\u00e9'],
	['half of an emoji that was cut in two', 'INV-7\ud83c', 'INV-7'],
])('two spellings of a reference in one run are paid once: %s', async (_, one, other) => {
	const [table, service] = [new FakeTable(), new FakeService()];
	const requests = [one, other].map((text) => requestOf(normalizeReference(text)));
	const items = await payAll(service, table.open(), requests);
	expect(items.map(({ status }) => status)).toEqual(['funded', 'duplicate']);
	expect(service.fundings).toMatchObject([{ amount: 25_000, payable_ids: ['pay-1'] }]);
});
