import type { IDataObject } from 'n8n-workflow';

import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { attemptOf, paymentOf, statusesIn } from '../ledger/ledgerContract';
import { N8nProcesses } from '../ledger/n8nProcesses';
import { FakeService, payAll } from './payouts';

let service: FakeService;
let n8n: N8nProcesses;
let ledger: Ledger;

beforeEach(async () => {
	service = new FakeService();
	n8n = new N8nProcesses();
	ledger = await n8n.open({ process: 'one' });
});

const references = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `INV-${index + 1}`);
const statusesOf = (items: IDataObject[]): unknown[] => items.map(({ status }) => status);
/** A funding of its own for each payout. */
const apart = (description: string) => ({ fundingText: { description } });
const isFunding = (path: string): boolean => path === '/v1/funding';

test('a group is funded at once, and names its references in brackets', async () => {
	const items = await payAll(service, ledger, ['INV-1', 'INV-10']);
	expect(items).toMatchObject([
		{ status: 'funded', payable_id: 'pay-1', funding_id: 'fund-1' },
		{ status: 'funded', payable_id: 'pay-2', funding_id: 'fund-1' },
	]);
	expect(service.fundings).toEqual([
		expect.objectContaining({ amount: 50_000, description: '[INV-1] [INV-10]' }),
	]);
});

test('a funding that is refused is halved, and pays all but the one that cannot be paid #one-unfundable-payout', async () => {
	const all = references(100);
	for (const bad of ['INV-1', 'INV-78']) {
		service.script = (path, asked) =>
			isFunding(path) && JSON.stringify(asked['description']).includes(`[${bad}]`)
				? 422
				: undefined;
		service.fundings.length = 0;
		const run = await payAll(service, await new N8nProcesses().open(), all);
		expect(statusesOf(run)).toEqual(all.map((one) => (one === bad ? 'failed' : 'funded')));
		expect(service.fundings.length).toBeLessThanOrEqual(15);
	}
});

test.each([402, 422])(
	'fundings that are all refused with %i cost a handful of them, and their payouts are paid later #refusals-end-the-run',
	async (status) => {
		const all = references(100);
		service.script = (path) => (isFunding(path) ? status : undefined);
		expect(statusesOf(await payAll(service, ledger, all))).toEqual(all.map(() => 'not_sent'));
		expect(service.fundings.length).toBeLessThanOrEqual(8);
		service.script = () => undefined;
		const again = await payAll(service, await n8n.open({ process: 'one' }), all);
		expect(statusesOf(again)).toEqual(all.map(() => 'funded'));
	},
);

test('a service that does not answer ends the run with the first funding #silent-service-ends-the-run', async () => {
	const all = references(100);
	service.script = (path) => (isFunding(path) ? 503 : undefined);
	const expected = (rest: string) => all.map((_, at) => (at < 50 ? 'unconfirmed' : rest));
	expect(statusesOf(await payAll(service, ledger, all))).toEqual(expected('not_sent'));
	expect(service.fundings).toHaveLength(1);
	service.script = () => undefined;
	const again = await payAll(service, await n8n.open({ process: 'one' }), all);
	expect(statusesOf(again)).toEqual(expected('funded'));
});

test('five fundings that are refused in a row end the run, which keeps its payables', async () => {
	service.script = (path) => (isFunding(path) ? 403 : undefined);
	const items = await payAll(service, ledger, references(8), apart);
	expect(service.fundings).toHaveLength(5);
	const statuses = statusesOf(items);
	expect(statuses.filter((status) => status === 'failed')).toHaveLength(5);
	expect(statuses.filter((status) => status === 'not_sent')).toHaveLength(3);
	service.script = () => undefined;
	const again = await payAll(service, await n8n.open({ process: 'one' }), references(8));
	expect(statusesOf(again)).toEqual(references(8).map(() => 'funded'));
	expect(again[0]).toHaveProperty('payable_id', items[0]?.['payable_id']);
});

test.each([500, 404, 405, 406, 410, 303, 408])(
	'a funding that is answered with %s is unconfirmed, ends the run and is never sent again #lost-funding-unconfirmed',
	async (status) => {
		service.script = (path) =>
			isFunding(path) && service.fundings.length === 1 ? status : undefined;
		const items = await payAll(service, ledger, references(3), apart);
		expect(statusesOf(items).sort()).toEqual(['not_sent', 'not_sent', 'unconfirmed']);
		const again = await payAll(service, await n8n.open(), references(3), apart);
		expect(statusesOf(again).sort()).toEqual(['funded', 'funded', 'unconfirmed']);
		expect(service.fundings).toHaveLength(3);
	},
);

test('a funding that meets the limit of requests is sent again, and paid once', async () => {
	service.script = (path) => (isFunding(path) && service.fundings.length < 3 ? 429 : undefined);
	expect(statusesOf(await payAll(service, ledger, ['INV-1']))).toEqual(['funded']);
	expect(service.fundings).toHaveLength(3);
	expect(await statusesIn(await n8n.open(), paymentOf('INV-1'))).toEqual(['done']);
}, 30_000);

test('what another run has begun meanwhile is left out of the funding, and the rest is paid', async () => {
	const other = await n8n.open();
	const late: Ledger = Object.create(ledger);
	late.begin = async (payments, daily) => {
		late.begin = ledger.begin.bind(ledger);
		await (await attemptOf(other, paymentOf('INV-2'))).complete('funded', 'fund-9');
		return await ledger.begin(payments, daily);
	};
	const items = await payAll(service, late, references(3));
	expect(statusesOf(items)).toEqual(['funded', 'duplicate', 'funded']);
	expect(service.fundings).toMatchObject([{ payable_ids: ['pay-1', 'pay-3'], amount: 50_000 }]);
});

test('a creation without an answer is made again, since it moves no money #creation-unconfirmed', async () => {
	let creations = 0;
	service.script = (path) => (path === '/v1/payable' && (creations += 1) === 1 ? 500 : undefined);
	expect(statusesOf(await payAll(service, ledger, ['INV-1']))).toEqual(['funded']);
	expect(creations).toBe(2);
	service.script = (path) => (path === '/v1/payable' ? 500 : undefined);
	expect(statusesOf(await payAll(service, ledger, ['INV-2']))).toEqual(['not_sent']);
});

test('an approval without an answer is sent again #lost-approval', async () => {
	let approvals = 0;
	service.script = (path) =>
		path.endsWith('/approve') && (approvals += 1) === 1 ? 500 : undefined;
	expect(statusesOf(await payAll(service, ledger, ['INV-1']))).toEqual(['funded']);
	expect(approvals).toBe(2);
});

test('what is prepared is paid later with its payable, and is no payment until then #stops-before-money-moves', async () => {
	const none = { method: 'none' } as const;
	expect(statusesOf(await payAll(service, ledger, ['INV-1'], none))).toEqual(['prepared']);
	expect(await payAll(service, await n8n.open({ process: 'one' }), ['INV-1'], none)).toMatchObject([
		{ status: 'duplicate', first_status: 'prepared', payable_id: 'pay-1' },
	]);
	const twice = await payAll(service, ledger, ['INV-3', 'INV-3'], none);
	expect(twice).toMatchObject([{ status: 'prepared' }, { first_status: 'prepared' }]);
	expect(service.fundings).toEqual([]);
	const paid = await payAll(service, await n8n.open({ process: 'one' }), ['INV-1']);
	expect(paid).toMatchObject([{ status: 'funded', payable_id: 'pay-1' }]);
});

test('a limit of the day needs a ledger that other nodes share, and nothing is sent without', async () => {
	const { workspaceId } = paymentOf('INV-1');
	const daily = { workspaceId, limit: 1_000_000, since: new Date().toISOString() };
	expect(statusesOf(await payAll(service, ledger, ['INV-1'], { daily }))).toEqual(['failed']);
	expect(service.fundings).toEqual([]);
});
