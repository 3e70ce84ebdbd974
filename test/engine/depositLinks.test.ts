import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { SENDING_MS } from '../../nodes/PartnerPayments/ledger/times';
import { stringOrEmpty } from '../../nodes/PartnerPayments/shared/typeGuards';
import type { Answer } from './scriptedService';
import {
	byEmail,
	byId,
	jsonOf,
	payable,
	startScriptedService,
	tablesOf,
	WORKSPACE,
	type Changes,
} from './support';

const service = startScriptedService();

let ids = 0;
let project: Changes & { workflowId: string };
/** How the service answers the links, one after the other; then it takes them. */
let answers: Answer[];
/** What happens when a link has arrived at the service. */
let onLink: () => Promise<void>;

beforeEach(() => {
	project = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	answers = [];
	onLink = async () => await Promise.resolve();
	service.useScript(async ({ url }) => {
		ids += 1;
		const success: Answer = { body: { id: `x${ids}`, balance: 1_000_000 } };
		if (!url.includes('link-deposit')) {
			return success;
		}
		const answer = answers.shift() ?? success;
		await onLink();
		return answer;
	});
});

async function run(operation: string, parameters: INodeParameters): Promise<IDataObject> {
	const [item = {}] = jsonOf((await service.execute(operation, parameters, project)).items);
	return item;
}

/** Sends a payout; returns the ID of its funding. */
async function send(fundingMethod: 'balance' | 'invoice' = 'invoice'): Promise<string> {
	const item = await run(
		'payout.send',
		payable({ payee: byEmail('ada@example.com'), fundingMethod, uniqueReference: 'INV-1' }),
	);
	return stringOrEmpty(item['funding_id']);
}

const link = async (fundingId: string, depositId: string): Promise<IDataObject> =>
	await run('funding.linkDeposit', { fundingId, depositId });

const resolve = async (outcome: string, wholeFunding = false): Promise<IDataObject> =>
	await run('payout.resolve', {
		wholeFunding,
		workspaceId: byId(WORKSPACE),
		findBy: 'uniqueReference',
		uniqueReference: 'INV-1',
		outcome,
	});

/** The deposits of the links that the service got. */
const linked = (): unknown[] =>
	service.requests
		.filter(({ url }) => url.includes('link-deposit'))
		.map(({ body }) => (body as IDataObject)['deposit_id']);

const rows = (): IDataObject[] => tablesOf(project.workflowId).tables[0]?.rows ?? [];

/** Has so much time passed since the rows were written that no answer is awaited. */
function passTime(): void {
	const updatedAt = new Date(Date.now() - SENDING_MS - 60_000);
	rows().forEach((row) => Object.assign(row, { updatedAt }));
}

describe('a funding that the ledger knows takes one deposit #one-deposit', () => {
	test('and no second one after it', async () => {
		const fundingId = await send();

		const first = await link(fundingId, 'dep-1');
		const second = await link(fundingId, 'dep-2');

		expect(first).toMatchObject({ deposit_id: 'dep-1' });
		expect(second).toMatchObject({ error: expect.stringContaining('dep-1') });
		expect(linked()).toEqual(['dep-1']);
		expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
	});

	test.each([
		['two deposits', ['dep-1', 'dep-2']],
		['the same deposit twice', ['dep-1', 'dep-1']],
	])('of %s that are linked at once', async (_, depositIds) => {
		const fundingId = await send();

		const items = await Promise.all(
			depositIds.map(async (depositId) => await link(fundingId, depositId)),
		);

		expect(linked()).toHaveLength(1);
		expect(items.filter(({ error }) => error === undefined)).toHaveLength(1);
		expect(rows()).toMatchObject([{ state: 'funded', deposit_id: linked()[0] }]);
	});

	test('and none if it was paid from the balance', async () => {
		const fundingId = await send('balance');

		const item = await link(fundingId, 'dep-1');

		expect(item).toMatchObject({ error: expect.stringContaining('INV-1') });
		expect(linked()).toEqual([]);
	});

	test('and none if a person has resolved it as paid', async () => {
		const fundingId = await send();
		await resolve('paid', true);

		const item = await link(fundingId, 'dep-1');

		expect(item).toMatchObject({ error: expect.stringContaining('INV-1') });
		expect(linked()).toEqual([]);
	});

	test('and stays open to it when a person takes the invoice for its payment #paid-without-deposit', async () => {
		const fundingId = await send();

		const resolved = await resolve('paid');
		const item = await link(fundingId, 'dep-1');

		expect(resolved).toMatchObject({ error: expect.stringContaining('INV-1') });
		expect(item).toMatchObject({ deposit_id: 'dep-1' });
		expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
	});

	test('and none if the ledger cannot be written', async () => {
		const fundingId = await send();
		const tables = tablesOf(project.workflowId);
		tables.before = async (kinds) => {
			await Promise.resolve();
			if (kinds.includes('update')) {
				throw new Error('The table is full');
			}
		};

		const item = await link(fundingId, 'dep-1');

		expect(item).toMatchObject({ error: expect.any(String) });
		expect(linked()).toEqual([]);
	});

	test('and none if the ledger cannot be read', async () => {
		const fundingId = await send();
		tablesOf(project.workflowId).before = async (kinds) => {
			await Promise.resolve();
			if (kinds.includes('get')) {
				throw new Error('The table cannot be read');
			}
		};

		const item = await link(fundingId, 'dep-1');

		expect(item).toMatchObject({ error: expect.any(String) });
		expect(linked()).toEqual([]);
	});

	test('and a person is told if the ledger could not write it down', async () => {
		const fundingId = await send();
		const tables = tablesOf(project.workflowId);
		onLink = async () => {
			await Promise.resolve();
			tables.before = async (kinds) => {
				await Promise.resolve();
				if (kinds.includes('update')) {
					throw new Error('The table is full');
				}
			};
		};

		const { items, hints } = await service.execute(
			'funding.linkDeposit',
			{ fundingId, depositId: 'dep-1' },
			project,
		);

		expect(jsonOf(items)).toMatchObject([{ deposit_id: 'dep-1', balance: 1_000_000 }]);
		expect(hints).toHaveLength(1);
		expect(rows()).toMatchObject([{ state: 'awaiting_deposit', deposit_id: 'dep-1' }]);
	});

	test('and a person is told nothing if the ledger has it', async () => {
		const fundingId = await send();

		const { items, hints } = await service.execute(
			'funding.linkDeposit',
			{ fundingId, depositId: 'dep-1' },
			project,
		);

		expect(jsonOf(items)).toMatchObject([{ deposit_id: 'dep-1', balance: 1_000_000 }]);
		expect(hints).toEqual([]);
	});
});

describe('after a link without an answer', () => {
	beforeEach(() => {
		answers = ['cut'];
	});

	test('no other deposit is linked, also later #deposit-in-doubt', async () => {
		const fundingId = await send();
		await link(fundingId, 'dep-1');
		const soon = await link(fundingId, 'dep-2');
		passTime();

		const later = await link(fundingId, 'dep-2');

		expect([soon, later]).toMatchObject([
			{ error: expect.stringContaining('dep-1') },
			{ error: expect.stringContaining('dep-1') },
		]);
		expect(linked()).toEqual(['dep-1']);
		expect(rows()).toMatchObject([{ state: 'awaiting_deposit', deposit_id: 'dep-1' }]);
	});

	test('the same deposit is linked again when no answer can come any more', async () => {
		const fundingId = await send();
		await link(fundingId, 'dep-1');
		const soon = await link(fundingId, 'dep-1');
		passTime();

		const later = await link(fundingId, 'dep-1');

		expect(soon).toMatchObject({ error: expect.stringContaining('Another run') });
		expect(later).toMatchObject({ deposit_id: 'dep-1' });
		expect(linked()).toEqual(['dep-1', 'dep-1']);
		expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
	});

	test.each([404, 409, 422])(
		'a refusal of the same deposit with %i leaves it in doubt',
		async (status) => {
			const fundingId = await send();
			await link(fundingId, 'dep-1');
			passTime();
			answers = [{ status }];

			const item = await link(fundingId, 'dep-1');

			expect(item).toMatchObject({
				error: expect.stringContaining('earlier run'),
				details: { unconfirmed: true, status },
			});
			expect(rows()).toMatchObject([{ state: 'awaiting_deposit', deposit_id: 'dep-1' }]);
		},
	);

	test('another failure of the same deposit is reported as it is', async () => {
		const fundingId = await send();
		await link(fundingId, 'dep-1');
		passTime();
		answers = [{ status: 500 }];

		const item = await link(fundingId, 'dep-1');

		expect(item).toMatchObject({
			error: expect.not.stringContaining('earlier run'),
			details: { unconfirmed: true, status: 500 },
		});
		expect(rows()).toMatchObject([{ state: 'awaiting_deposit', deposit_id: 'dep-1' }]);
	});

	test('a person resolves it, but not while an answer can still come', async () => {
		const fundingId = await send();
		await link(fundingId, 'dep-1');

		const soon = await resolve('paid');
		passTime();
		const later = await resolve('paid');

		expect(soon).toMatchObject({ error: expect.stringContaining('dep-1') });
		expect(later).toMatchObject({ is_resolved: true, status: 'paid', deposit_id: 'dep-1' });
	});
});

test.each([400, 404, 409, 422])(
	'a first link that is refused with %i can be corrected at once #deposit-corrected',
	async (status) => {
		const fundingId = await send();
		answers = [{ status }];
		const refused = await link(fundingId, 'dep-typo');

		const corrected = await link(fundingId, 'dep-1');

		expect(refused).toMatchObject({ error: expect.any(String), details: { status } });
		expect(corrected).toMatchObject({ deposit_id: 'dep-1' });
		expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
	},
);

test.each([408, 500])('a first link that is answered with %i stays in doubt', async (status) => {
	const fundingId = await send();
	answers = [{ status }];

	await link(fundingId, 'dep-1');

	expect(rows()).toMatchObject([{ state: 'awaiting_deposit', deposit_id: 'dep-1' }]);
});

test('a link that has to wait for the limit of the account is sent again by the same run', async () => {
	const fundingId = await send();
	answers = [{ status: 429 }];

	const item = await link(fundingId, 'dep-1');

	expect(item).toMatchObject({ deposit_id: 'dep-1' });
	expect(linked()).toEqual(['dep-1', 'dep-1']);
	expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
});

test('a person cannot resolve a funding while its deposit is being linked #resolve-while-linking', async () => {
	const fundingId = await send();
	let resolved: IDataObject = {};
	onLink = async () => {
		resolved = await resolve('notPaid');
	};

	const item = await link(fundingId, 'dep-1');

	expect(resolved).toMatchObject({ error: expect.stringContaining('dep-1') });
	expect(item).toMatchObject({ deposit_id: 'dep-1' });
	expect(rows()).toMatchObject([{ state: 'funded' }]);
});

test('an answer that comes after a person has resolved the funding as not paid is not lost', async () => {
	const fundingId = await send();
	onLink = async () => {
		passTime();
		await resolve('notPaid');
	};

	await link(fundingId, 'dep-1');

	expect(rows()).toMatchObject([{ state: 'funded', deposit_id: 'dep-1' }]);
});
