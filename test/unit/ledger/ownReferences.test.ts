import type { Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import { OwnReferences } from '../../../nodes/PartnerPayments/ledger/nodeStore/ownReferences';
import type { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import { N8nDatabase, type ExecutionOf } from './n8nDatabase';

const SCOPE = { kind: 'payout', environment: 'sandbox' } as const;
const claimOf = (reference: string): Claim => ({
	workspaceId: 'w1',
	reference,
	content: '{"amount":1}',
	payee: 'ada@studio.example',
	amount: 1,
});

let database: N8nDatabase;
let execution: ExecutionOf;
let nodes = 0;

beforeEach(() => {
	database = new N8nDatabase();
	nodes += 1;
	execution = { process: '1', node: `node-${nodes}` };
});

/** What a Data Table is told of references of the node. */
async function refused(...references: string[]): Promise<Record<string, InputError>> {
	const errors = await new OwnReferences(database.host(execution), SCOPE).refuse(
		references.map(claimOf),
	);
	return Object.fromEntries([...errors].map(([claim, error]) => [claim.reference, error]));
}

/** Keeps references in the node's own store, as far as a run comes with each. */
async function keep(states: Record<string, 'claimed' | 'funding' | 'funded' | 'awaiting_deposit'>) {
	const ledger = openNodeLedger(database.host(execution), SCOPE);
	for (const [reference, state] of Object.entries(states)) {
		const claims = [claimOf(reference)];
		await ledger.claim(claims);
		if (state === 'claimed') continue;
		await ledger.begin(claims, 'funding');
		if (state !== 'funding') await ledger.settle(claims, state, {});
	}
}

test('a reference that the node has kept by itself is refused, with what came of it', async () => {
	await keep({ paid: 'funded', owed: 'awaiting_deposit', unclear: 'funding', begun: 'claimed' });
	const errors = await refused('paid', 'owed', 'unclear', 'begun', 'new');
	expect(Object.keys(errors)).toEqual(['paid', 'owed', 'unclear', 'begun']);
	expect(errors).toMatchObject({
		paid: {
			message: '"paid" is paid already: this node knows it from when Remember In was This Node',
			hint: expect.stringContaining('Do not pay it under another reference'),
		},
		owed: { message: expect.stringContaining('is funded by invoice already') },
		unclear: {
			message: expect.stringContaining('is in doubt: this node'),
			hint: expect.stringContaining('pay it in no other way'),
		},
		begun: { message: expect.stringContaining('is prepared, and not paid') },
	});
});

test('looking leaves what the node has kept as it is', async () => {
	await keep({ paid: 'funded', unclear: 'funding' });
	const before = new Map([...database.rows].map(([name, { data }]) => [name, [...data].sort()]));
	await refused('paid', 'unclear', 'new');
	const after = new Map([...database.rows].map(([name, { data }]) => [name, [...data].sort()]));
	expect(after).toEqual(before);
	expect(Object.keys(await refused('new', 'paid'))).toEqual(['paid']);
});

test('a node that has kept none asks its database once', async () => {
	expect(await refused('new')).toEqual({});
	expect(await refused('new', 'other')).toEqual({});
	expect(database.statements.map(({ verb }) => verb)).toEqual(['select']);
});

test('a node that keeps references later is asked again', async () => {
	expect(await refused('paid')).toEqual({});
	await keep({ paid: 'funded' });
	expect(Object.keys(await refused('paid'))).toEqual(['paid']);
});

test('the keys of ledger tables that a node has used by name are not taken for references', async () => {
	const { helpers } = database.host(execution);
	const options = { mode: 'entries' as const, maxEntries: 60_000 };
	await helpers.checkProcessedAndRecord(['one', 'two', 'three', 'four'], 'node', options);
	expect(await refused('new')).toEqual({});
	expect(database.keys(JSON.stringify(['workflow-1', `n:node-${nodes}`]))).toHaveLength(4);
});
