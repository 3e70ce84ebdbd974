import type { Claim } from '../../../nodes/PartnerPayments/ledger/ledger';
import { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type * as StoreChange from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
import { IN_TABLE } from '../../../nodes/PartnerPayments/ledger/nodeStore/referenceKeys';
import {
	assertNotInTable,
	OwnReferences,
} from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
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

/** What another process has of the module, with a memory of its own. */
async function inAnotherProcess() {
	let loaded: typeof StoreChange | undefined;
	await jest.isolateModulesAsync(async () => {
		loaded = await import('../../../nodes/PartnerPayments/ledger/nodeStore/storeChange');
	});
	if (loaded === undefined) throw new Error('The module was not loaded');
	return loaded;
}

/** What a Data Table is told of references of the node. */
async function refused(...references: string[]): Promise<Record<string, InputError>> {
	const errors = await new OwnReferences(database.host(execution), SCOPE).refuse(
		references.map(claimOf),
	);
	return Object.fromEntries([...errors].map(([claim, error]) => [claim.reference, error]));
}

/** Keeps references in the node's own store, as far as a run comes with each. */
async function keep(states: Record<string, 'claimed' | 'funding' | 'funded' | 'awaiting_deposit'>) {
	await assertNotInTable(database.host(execution), SCOPE);
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
	await refused('new');
	const before = new Map([...database.rows].map(([name, { data }]) => [name, [...data].sort()]));
	await refused('paid', 'unclear', 'new');
	const after = new Map([...database.rows].map(([name, { data }]) => [name, [...data].sort()]));
	expect(after).toEqual(before);
	expect(Object.keys(await refused('new', 'paid'))).toEqual(['paid']);
});

test('a node that has kept none by itself asks its database once', async () => {
	expect(await refused('new')).toEqual({});
	const { length } = database.statements;
	expect(await refused('new', 'other')).toEqual({});
	expect(database.statements).toHaveLength(length);
});

test('other keys of the node are not taken for references, and stay', async () => {
	const { helpers } = database.host(execution);
	const options = { mode: 'entries' as const, maxEntries: 60_000 };
	await helpers.checkProcessedAndRecord(['one', 'two', 'three', 'four'], 'node', options);
	expect(await refused('new')).toEqual({});
	const { processed } = await helpers.checkProcessedAndRecord(['one', 'four'], 'node', options);
	expect(processed).toEqual(['one', 'four']);
});

describe('a node that has kept references in a table', () => {
	test('keeps none by itself any more, in no process', async () => {
		await assertNotInTable(database.host(execution), SCOPE);
		expect(await refused('new')).toEqual({});
		const refusal = {
			message: expect.stringContaining('has kept references in a Data Table'),
			hint: expect.stringMatching(/^Set Remember In to Data Table again.*pay it in no other way/),
		};
		await expect(assertNotInTable(database.host(execution), SCOPE)).rejects.toMatchObject(refusal);
		const elsewhere = await inAnotherProcess();
		await expect(elsewhere.assertNotInTable(database.host(execution), SCOPE)).rejects.toMatchObject(
			refusal,
		);
	});

	test('is told from one that several runs ask about at once', async () => {
		const runs = [1, 2, 3].map(async () => {
			await assertNotInTable(database.host(execution), SCOPE);
		});
		await expect(Promise.all(runs)).resolves.toHaveLength(3);
	});

	test('is told from one over which a process has died while it looked', async () => {
		const [lookedFor = ''] = IN_TABLE;
		const options = { mode: 'entries' as const, maxEntries: 60_000 };
		await database.host(execution).helpers.checkProcessedAndRecord([lookedFor], 'node', options);
		await expect(assertNotInTable(database.host(execution), SCOPE)).resolves.toBeUndefined();
	});

	test('takes no lock between processes for that, which other nodes may have', async () => {
		await refused('new');
		const elsewhere = await inAnotherProcess();
		const own = new elsewhere.OwnReferences(database.host(execution), SCOPE);
		expect(await own.refuse([claimOf('new')])).toEqual(new Map());
		expect(database.statements.filter(({ scope }) => scope === 'workflow')).toEqual([]);
	});
});
