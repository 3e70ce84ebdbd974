import { byName, N8nProcess, N8nTables } from './n8nTables';

const LEDGER = byName('Payout Ledger');
const OPENED = { message: '', hint: '' };

/** An n8n in which a node has used a ledger table, and a process that was started after that. */
async function afterFirstUse() {
	const n8n = new N8nTables();
	expect(await (await N8nProcess.start(n8n)).use({ table: LEDGER })).toEqual(OPENED);
	const table = n8n.only();
	n8n.requests.length = 0;
	return { n8n, table, restarted: await N8nProcess.start(n8n) };
}

const made = ({ requests }: N8nTables): string[] =>
	requests.filter((request) => request.startsWith('POST'));

describe('a ledger table that is chosen by name', () => {
	test('is found again without a request, nor a statement, in the same process', async () => {
		const n8n = new N8nTables();
		const process = await N8nProcess.start(n8n);
		await process.use({ table: LEDGER });
		const { length: requests } = n8n.requests;
		const { length: statements } = n8n.database.statements;
		expect(await process.use({ table: LEDGER })).toEqual(OPENED);
		expect(n8n.requests).toHaveLength(requests);
		expect(n8n.database.statements).toHaveLength(statements);
	});

	test('costs one request and eight statements in another process', async () => {
		const { n8n, restarted } = await afterFirstUse();
		const { length } = n8n.database.statements;
		expect(await restarted.use({ table: LEDGER })).toEqual(OPENED);
		expect(n8n.requests).toEqual(['GET /data-tables']);
		expect(n8n.database.statements).toHaveLength(length + 8);
	});

	test.each([0, 1])(
		'is made once by processes that need it at the same moment, for a node with %i keys of its own',
		async (count) => {
			const n8n = new N8nTables();
			if (count > 0) await n8n.addKey('INV-1');
			const processes = [];
			for (let index = 0; index < 4; index += 1) processes.push(await N8nProcess.start(n8n));
			const results = await Promise.all(
				processes.map(async (process) => await process.use({ table: LEDGER })),
			);
			expect(results).toEqual(processes.map(() => OPENED));
			expect(n8n.only()).toMatchObject({ name: LEDGER.value });
		},
	);

	test.each(['renamed', 'hidden', 'deleted'])(
		'and was %s is not made anew, in a process that knows nothing of it',
		async (what) => {
			const { n8n, table, restarted } = await afterFirstUse();
			if (what === 'renamed') table.name = 'Payments of 2026';
			if (what === 'deleted') n8n.delete(table);
			const apiKey = what === 'hidden' ? 'another user' : 'owner';
			for (let times = 0; times < 2; times += 1) {
				const { message, hint } = await restarted.use({ table: LEDGER, apiKey });
				expect(message).toBe(
					'The Data Table "Payout Ledger", which this node has used before, is not to be found',
				);
				expect(hint).toMatch(
					/^It was renamed, moved or deleted, or the API key is now that of a user who may not see it\./,
				);
				expect(hint).toMatch(/Have the table restored from a backup/);
				expect(hint.includes('"Payments of 2026" is the ledger')).toBe(what === 'renamed');
			}
			expect(made(n8n)).toEqual([]);
		},
	);

	test('that was renamed is not made anew by another node, which is told its name', async () => {
		const { n8n, table, restarted } = await afterFirstUse();
		table.name = 'Payments of 2026';
		n8n.add('Contacts', 'owner', [{ name: 'reference', type: 'string' }]);
		expect(await restarted.use({ table: LEDGER, node: 'node-2' })).toEqual({
			message:
				'The Data Table "Payout Ledger" does not exist, but "Payments of 2026" has the columns of a payout ledger',
			hint: expect.stringMatching(
				/^If "Payments of 2026" is the ledger that was meant, choose it from the list, or rename it back\. Do not take a new table in its place/,
			),
		});
		expect(made(n8n)).toEqual([]);
		const fromList = { mode: 'list' as const, value: table.id };
		expect(await restarted.use({ table: fromList })).toEqual(OPENED);
		table.name = LEDGER.value;
		expect(await restarted.use({ table: LEDGER })).toEqual(OPENED);
	});

	test.each([
		['the same user', 'owner'],
		['another user', 'another user'],
	])('is not taken for another one of the same name, of %s', async (_, owner) => {
		const { n8n, table, restarted } = await afterFirstUse();
		n8n.delete(table);
		const other = n8n.add(LEDGER.value, owner);
		for (let times = 0; times < 2; times += 1) {
			const { message } = await restarted.use({ table: LEDGER, apiKey: owner });
			expect(message).toBe(
				'The Data Table "Payout Ledger" is not the one that this node has used by that name before',
			);
		}
		const fromList = { mode: 'list' as const, value: other.id };
		expect(await restarted.use({ table: fromList, apiKey: owner })).toEqual(OPENED);
	});

	test('is made anew under a name that was never used, where no ledger can be seen', async () => {
		const { n8n, table, restarted } = await afterFirstUse();
		n8n.delete(table);
		expect(await restarted.use({ table: byName('Second') })).toEqual(OPENED);
		expect(n8n.only().name).toBe('Second');
	});

	test('is made for a node that has keys of its own, which stay', async () => {
		const n8n = new N8nTables();
		await n8n.addKey('INV-1');
		expect(await (await N8nProcess.start(n8n)).use({ table: LEDGER })).toEqual(OPENED);
		expect(await (await N8nProcess.start(n8n)).use({ table: LEDGER })).toEqual(OPENED);
		expect(await n8n.addKey('INV-1')).toBe(false);
	});

	test('is not made while nothing can be kept of it', async () => {
		const n8n = new N8nTables();
		const process = await N8nProcess.start(n8n);
		n8n.database.before = async () => await Promise.reject(new Error('database is locked'));
		const { message } = await process.use({ table: LEDGER });
		expect(message).toBe("n8n's database does not keep what is known of unique references");
		const unsaved = await process.use({ table: LEDGER, workflow: '' });
		expect(unsaved.message).toBe(
			'The Data Table "Payout Ledger" does not exist, and it is made only in a workflow that was saved',
		);
		expect(made(n8n)).toEqual([]);
		n8n.add(LEDGER.value);
		expect(await process.use({ table: LEDGER, workflow: '' })).toEqual(OPENED);
	});
});

test('a name that stands in the field From List was not chosen there', async () => {
	const { n8n, restarted } = await afterFirstUse();
	const table = { mode: 'list', value: LEDGER.value } as const;
	expect(await restarted.use({ table })).toEqual({
		message: '"Payout Ledger" is a name, and no Data Table that was chosen from the list',
		hint: 'At Ledger Table, open the list and click the table in it.',
	});
	expect(n8n.requests).toEqual([]);
});
