import type { IDataObject } from 'n8n-workflow';

import { approved, begins, claimOf, NEW, statesOf } from './ledgerContract-support';
import { N8nProcesses } from './n8nProcesses';

const PAYOUTS = { kind: 'payout', environment: 'sandbox' } as const;
const FIRST = claimOf('INV-1');
const FACTS = { payable_id: 'pay-1', funding_id: 'fund-1' };

/** Static data in which others keep things, too. */
const foreign = () => ({
	counter: 7,
	partnerPayments: { 'node-2': { 'INV-2': { content: 'something' } }, 'node-1': { odd: 1 } },
});

/** A run that funds a payout. */
async function fund(
	n8n: N8nProcesses,
	staticData: IDataObject,
	reference = 'INV-1',
): Promise<void> {
	const claim = claimOf(reference);
	const run = await n8n.open({ ...PAYOUTS, staticData });
	await run.claim([claim]);
	await run.advance([claim], approved('pay-1'));
	await run.begin([claim], 'funding');
	await run.settle([claim], 'funded', { funding_id: 'fund-1' });
	await run.finish([claim]);
}

test('what a run has learned is there after a restart, beside what others keep', async () => {
	const n8n = new N8nProcesses();
	const staticData = foreign();
	await fund(n8n, staticData);
	expect(staticData).toMatchObject(foreign());
	const restarted = await n8n.open({ ...PAYOUTS, staticData });
	expect(await restarted.claim([FIRST])).toMatchObject([{ state: 'funded', facts: FACTS }]);
});

test('a run that learns nothing writes nothing', async () => {
	const n8n = new N8nProcesses();
	await fund(n8n, {});
	const staticData = {};
	const run = await n8n.open({ ...PAYOUTS, staticData });
	await run.claim([FIRST, claimOf('INV-2')]);
	await run.finish([FIRST, claimOf('INV-2')]);
	expect(staticData).toEqual({});
});

test('what static data says decides nothing', async () => {
	const n8n = new N8nProcesses();
	const staticData = {};
	await fund(n8n, staticData);
	const elsewhere = await new N8nProcesses().open({ ...PAYOUTS, staticData });
	expect(await elsewhere.claim([FIRST])).toEqual([NEW]);
	expect(await begins(elsewhere, [FIRST])).toBe(true);
});

test('a payable that another run has overtaken is not named again', async () => {
	const n8n = new N8nProcesses();
	const staticData = {};
	const loser = await n8n.open({ ...PAYOUTS, staticData, process: 'loser' });
	await loser.claim([FIRST]);
	await loser.advance([FIRST], approved('pay-2'));
	await fund(n8n, {});
	expect(await loser.begin([FIRST], 'funding')).toEqual(
		new Map([[FIRST, { state: 'funded', facts: {}, isApprovalUnanswered: false }]]),
	);
	await loser.finish([FIRST]);
	expect(JSON.stringify(staticData)).not.toContain('pay-2');
	const later = await n8n.open({ ...PAYOUTS, staticData, process: 'loser' });
	expect(await later.claim([FIRST])).toMatchObject([{ state: 'funded', facts: {} }]);
});

test('a doubt is looked up anew by the process that had it', async () => {
	const n8n = new N8nProcesses();
	const run = await n8n.open({ ...PAYOUTS, process: 'one' });
	await run.claim([FIRST]);
	await run.begin([FIRST], 'funding');
	await run.finish([FIRST]);
	const other = await n8n.open({ ...PAYOUTS, process: 'two' });
	await other.claim([FIRST]);
	await other.settle([FIRST], 'funded', {});
	expect(await statesOf(await n8n.open({ ...PAYOUTS, process: 'one' }), [FIRST])).toEqual([
		'funded',
	]);
});

test('malformed static data is passed over', async () => {
	const n8n = new N8nProcesses();
	await fund(n8n, {});
	const name = JSON.stringify(['payout', 'sandbox', FIRST.workspaceId, 'INV-1']);
	for (const entry of [null, 7, {}, { content: 1, state: 'approved', facts: {} }]) {
		const staticData = { partnerPayments: { 'node-1': { [name]: entry } } };
		const run = await n8n.open({ ...PAYOUTS, staticData });
		expect(await run.claim([FIRST])).toMatchObject([{ state: 'funded', facts: {} }]);
	}
});

test('the newest 2,000 entries are kept', async () => {
	const n8n = new N8nProcesses();
	const staticData = { partnerPayments: { 'node-1': {} } };
	const run = await n8n.open({ ...PAYOUTS, staticData });
	const many = Array.from({ length: 2_005 }, (_, index) => claimOf(`INV-${index}`));
	await run.claim(many);
	await run.advance(many, approved('pay-1'));
	await run.finish(many);
	const names = Object.keys(staticData.partnerPayments['node-1']);
	expect(names).toHaveLength(2_000);
	expect(names.at(-1)).toContain('INV-2004');
	expect(names.at(0)).toContain('INV-5"');
});
