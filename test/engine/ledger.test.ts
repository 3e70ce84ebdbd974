import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { rowOf } from '../../nodes/PartnerPayments/ledger/table/rows';
import {
	byEmail,
	byId,
	jsonOf,
	OTHER_WORKSPACE,
	payable,
	startScriptedService,
	tablesOf,
	WORKSPACE,
	type Changes,
} from './support';

const FUNDING = '/v1/funding';
const workspaceId = byId(WORKSPACE);

const service = startScriptedService();

/** How many IDs the service has given, each once. */
let ids = 0;
/** Has executions belong to one workflow, and so to one project with its ledger. */
let project: Changes;

beforeEach(() => {
	project = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	service.useScript(() => {
		ids += 1;
		return { body: { id: `x${ids}`, balance: 1_000_000 } };
	});
});

/** The items that an operation returns. */
async function run(operation: string, parameters: INodeParameters): Promise<IDataObject[]> {
	return jsonOf((await service.execute(operation, parameters, project)).items);
}

interface Invoice {
	reference?: string;
	payee?: string;
	amount?: string;
	method?: 'balance' | 'invoice' | 'none';
	options?: INodeParameters;
}

/** A row of another execution that has paid this invoice. */
const RIVAL = rowOf(
	{ reference: 'INV-1', payee: 'ada@example.com', amount: 25_000, workspaceId: WORKSPACE },
	{ state: 'funded', claim: randomUUID(), execution: '7', environment: 'sandbox' },
);

/** How such a row differs when its payable was funded by its ID. */
const BY_ID = { reference: '', key: '', payee: '' };

const sendParameters = ({
	reference = 'INV-1',
	payee = 'ada@example.com',
	amount = '250.00',
	method = 'balance',
	options = {},
}: Invoice = {}): INodeParameters =>
	payable({
		payee: byEmail(payee),
		amount,
		options,
		fundingMethod: method,
		uniqueReference: reference,
	});

/** Sends a payout of 250.00 for the invoice INV-1 of Ada, unless told otherwise. */
async function send(invoice: Invoice = {}): Promise<IDataObject> {
	const [item = {}] = await run('payout.send', sendParameters(invoice));
	return item;
}

async function fund(payableId: unknown): Promise<IDataObject> {
	const [item = {}] = await run('funding.create', {
		workspaceId,
		method: 'balance',
		amount: '250.00',
		payableIds: String(payableId),
	});
	return item;
}

async function resolve(
	outcome: string,
	reference = 'INV-1',
	more: INodeParameters = {},
): Promise<IDataObject> {
	const parameters = {
		workspaceId,
		findBy: 'uniqueReference',
		uniqueReference: reference,
		outcome,
		...more,
	};
	const [item = {}] = await run('payout.resolve', parameters);
	return item;
}

const link = (fundingId: string) => run('funding.linkDeposit', { fundingId, depositId: 'dep' });

const entries = async (filters: INodeParameters = {}, workspace = WORKSPACE) =>
	await run('payout.getMany', { workspaceId: byId(workspace), returnAll: true, filters });

const fundings = (): unknown[] => service.requests.filter(({ url }) => url === FUNDING);

describe('a payable of a reference is not funded by its ID', () => {
	test('when the reference was paid with another amount after "Not Paid" #by-id-after-not-paid', async () => {
		const { payable_id: first } = await send({ method: 'none' });
		await resolve('notPaid');
		expect(await send({ amount: '300.00' })).toMatchObject({ status: 'funded' });

		expect(await fund(first)).toMatchObject({ error: expect.stringContaining('"INV-1"') });

		expect(fundings()).toHaveLength(1);
	});

	test('while a rule holds it #by-id-while-held', async () => {
		const { payable_id: prepared } = await send({ method: 'none' });
		expect(await send({ options: { holdAbove: '100' } })).toMatchObject({ status: 'held' });

		expect(await fund(prepared)).toMatchObject({ error: expect.stringContaining('"INV-1"') });

		expect(fundings()).toEqual([]);
	});

	test('when its run has lost a race #by-id-surplus', async () => {
		await send({ reference: 'INV-0', method: 'none' });
		const tables = tablesOf(project.workflowId ?? '');
		tables.before = async (kinds) => {
			await Promise.resolve();
			if (kinds === 'insert get') {
				tables.before = async () => await Promise.resolve();
				tables.add({ ...RIVAL, payable_id: 'x-rival' });
			}
		};

		const loser = await send();

		expect(loser).toMatchObject({ status: 'duplicate', payable_id: 'x-rival' });
		const [surplus] = await entries({ status: 'surplus' });
		expect(surplus).toMatchObject({ unique_reference: 'INV-1' });
		expect(await fund(surplus?.['payable_id'])).toMatchObject({ error: expect.any(String) });
		expect(fundings()).toEqual([]);
	});
});

describe('a rule holds', () => {
	test.each([
		['an invoice that waits for its deposit', 'invoice' as const],
		['a payable that is only prepared', 'none' as const],
	])('the first payout to a payee with %s #unpaid-is-new-payee', async (_, method) => {
		await send({ method });

		const next = await send({ reference: 'INV-2', options: { holdNewPayees: true } });

		expect(next).toMatchObject({ status: 'held' });
	});

	test('an address that only looks like a known one #lookalike-address', async () => {
		await send({ payee: 'mark@example.com' });

		const held = await send({
			reference: 'INV-2',
			payee: 'mar\u212A@example.com',
			options: { holdNewPayees: true },
		});

		expect(held).toMatchObject({ status: 'held' });
	});

	test('a payout again with other values after "Not Paid", and keeps these #held-again', async () => {
		const options = { holdAbove: '100' };
		await send({ options });
		await resolve('notPaid');

		expect(await send({ amount: '300.00', options })).toMatchObject({ status: 'held' });

		expect(await entries({ status: 'held' })).toMatchObject([{ amount_usd: '300.00' }]);
		expect(await send({ amount: '300.00', payee: 'eve@example.com' })).toMatchObject({
			status: 'failed',
		});
		expect(fundings()).toEqual([]);
	});

	test("another vendor's invoice with the same number, as a possible duplicate #hold-same-number", async () => {
		await send();
		const other = { payee: 'eve@example.com', amount: '99.00' };

		const held = await send({ ...other, options: { holdDuplicatesDays: 30 } });

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('INV-1') });
		expect(await send(other)).toMatchObject({ status: 'funded' });
	});
});

describe('a limit', () => {
	test('of the day counts no payout that is void #void-is-not-spent', async () => {
		await send({ reference: 'INV-0', options: { holdAbove: '100' } });
		await resolve('void', 'INV-0');

		expect(await send({ options: { maxPerDay: '250' } })).toMatchObject({ status: 'funded' });
	});

	test('of a total counts what the execution has paid in an earlier call #total-of-execution', async () => {
		const options = { maxTotal: '400' };
		expect(await send({ options })).toMatchObject({ status: 'funded' });

		const second = await send({ reference: 'INV-2', options });

		expect(second).toMatchObject({
			status: 'not_sent',
			error: expect.stringContaining('Maximum Total'),
		});
		expect(fundings()).toHaveLength(1);
	});
});

test('a payable that loses its approval is surplus, and its reference is paid with another one #unapproved-is-surplus', async () => {
	let isFirst = true;
	service.useScript(({ url }) => {
		ids += 1;
		const isRefused = isFirst && url.endsWith('/approve');
		isFirst &&= !isRefused;
		return isRefused
			? { status: 422, body: { message: 'No' } }
			: { body: { id: `x${ids}`, balance: 1_000_000 } };
	});
	const { payable_id: refused } = await send();

	expect(await send()).toMatchObject({ status: 'funded' });

	expect(await entries({ status: 'surplus' })).toMatchObject([{ payable_id: refused }]);
});

/** Has the service not answer the next funding, as if the connection had broken. */
function loseNextAnswer(): void {
	let isFirst = true;
	service.useScript(({ url }) => {
		ids += 1;
		const isLost = isFirst && url === FUNDING;
		isFirst &&= !isLost;
		return isLost ? { status: 502, body: {} } : { body: { id: `x${ids}`, balance: 1_000_000 } };
	});
}

/** Has the service say that what is to be funded is in another funding. */
function refuseAsFunded(): void {
	service.useScript(({ url }) => {
		ids += 1;
		return url === FUNDING
			? { status: 409, body: { message: 'It is in another funding already' } }
			: { body: { id: `x${ids}`, balance: 1_000_000 } };
	});
}

describe('a person has resolved a payout as not paid', () => {
	test('and the service says that it is in a funding: then it is unconfirmed again #conflict-after-not-paid', async () => {
		loseNextAnswer();
		expect(await send()).toMatchObject({ status: 'unconfirmed' });
		project.executionId = '2';
		await resolve('notPaid');
		refuseAsFunded();

		expect(await send()).toMatchObject({ status: 'unconfirmed' });

		expect(await send()).toMatchObject({ status: 'unconfirmed' });
		expect(await send({ amount: '251.00' })).toMatchObject({ status: 'failed' });
		expect(await send({ payee: 'eve@example.com' })).toMatchObject({ status: 'failed' });
		expect(fundings()).toHaveLength(1);
	});

	test('though the service may have paid it before a 409: then another amount is held #conflict-then-not-paid', async () => {
		refuseAsFunded();
		const unconfirmed = await send();
		project.executionId = '2';
		await resolve('notPaid');

		const options = { holdDuplicatesDays: 6 };
		const again = await send({ amount: '251.00', options });
		const renamed = await send({ reference: 'INV-1 v2', amount: '252.00', options });

		expect(unconfirmed).toMatchObject({ status: 'unconfirmed' });
		expect(again).toMatchObject({ status: 'held' });
		expect(renamed).toMatchObject({ status: 'held' });
		expect(fundings()).toHaveLength(1);
	});

	test.each(['notPaid', 'void', 'notPaid, then notPaid'])(
		'as %s: no deposit is linked to its funding #link-resolved',
		async (outcomes) => {
			const { funding_id: fundingId } = await send({ method: 'invoice' });
			for (const outcome of outcomes.split(', then ')) {
				await resolve(outcome);
			}

			const [linked] = await link(fundingId as string);

			expect(linked).toMatchObject({ error: expect.stringContaining('"INV-1"') });
			expect(service.requests.filter(({ url }) => url.includes('link'))).toEqual([]);
		},
	);
});

test('no deposit is linked to an invoice whose payout was paid in another way since #link-paid-otherwise', async () => {
	const { funding_id: fundingId, payable_id: payableId } = await send({ method: 'invoice' });
	await resolve('notPaid');
	expect(await send()).toMatchObject({ status: 'funded', payable_id: payableId });
	// An event says that the payable is paid.
	const [{ rows } = { rows: [] }] = tablesOf(project.workflowId ?? '').tables;
	rows.forEach((row) => Object.assign(row, { state: 'paid' }));

	const linked = await link(fundingId as string);

	expect(linked).toMatchObject([{ error: expect.stringContaining('"INV-1"') }]);
	expect(service.requests.filter(({ url }) => url.includes('link'))).toEqual([]);
});

describe('a person resolves', () => {
	test('nothing that became unconfirmed in the same execution #resolve-own-execution', async () => {
		loseNextAnswer();
		await send();

		expect(await resolve('notPaid')).toMatchObject({ error: expect.stringContaining('INV-1') });

		project.executionId = '2';
		expect(await resolve('notPaid')).toMatchObject({ is_resolved: true });
	});

	test('all payouts of one funding at once #resolve-whole-funding', async () => {
		loseNextAnswer();
		const items = ['INV-1', 'INV-2', 'INV-3'].map((number) => ({ number }));
		const parameters = sendParameters({ reference: '={{ $json.number }}' });
		await service.execute('payout.send', parameters, { ...project, items });
		project.executionId = '2';

		await resolve('paid', 'INV-2', { wholeFunding: true });

		expect(await entries({ status: 'unconfirmed' })).toEqual([]);
		expect(await entries({ status: 'paid' })).toHaveLength(3);
	});

	test('as paid nothing that was only prepared together with it #void-not-sent-together', async () => {
		const items = ['INV-1', 'INV-2'].map((number) => ({ number }));
		const parameters = sendParameters({ reference: '={{ $json.number }}', method: 'none' });
		await service.execute('payout.send', parameters, { ...project, items });
		await Promise.all([resolve('void'), resolve('void', 'INV-2')]);

		await resolve('paid', 'INV-2', { wholeFunding: true });

		expect(await entries({ status: 'void' })).toMatchObject([{ unique_reference: 'INV-1' }]);
	});

	test('as paid what must not be paid, and was #void-was-paid', async () => {
		await send({ method: 'invoice' });
		await resolve('void');

		expect(await resolve('paid')).toMatchObject({ is_resolved: true, status: 'paid' });

		expect(await send()).toMatchObject({ status: 'duplicate' });
	});

	test('by the spelling and the payee of the ledger, which an error names #resolve-by-other-name', async () => {
		await send({ method: 'none' });

		const otherSpelling = await resolve('void', 'inv 1');
		const otherPayee = await resolve('void', 'INV-1', { payeeOfReference: 'adda@example.com' });

		expect(otherSpelling).toMatchObject({ error: expect.stringContaining('"INV-1"') });
		expect(otherPayee).toMatchObject({ error: expect.stringContaining('ada@example.com') });
	});
});

test("another vendor's invoice beside an open one with its number is paid, and the run says so #beside-open", async () => {
	await send({ options: { holdAbove: '100' } });
	const other = sendParameters({ payee: 'eve@example.com', amount: '99.00' });

	const { items, hints } = await service.execute('payout.send', other, project);

	expect(jsonOf(items)).toMatchObject([{ status: 'funded' }]);
	expect(hints.join()).toContain('ada@example.com');
});

test('the entries of another workspace are not listed #entries-of-workspace', async () => {
	await send();

	expect(await entries({}, OTHER_WORKSPACE)).toEqual([]);
	expect(await entries()).toMatchObject([{ unique_reference: 'INV-1' }]);
});

test('of a reference of two vendors, a person says which one is meant #resolve-one-of-two', async () => {
	const options = { holdAbove: '10' };
	await send({ method: 'none' });
	await send({ payee: 'eve@example.com', amount: '99.00', options });
	const which = { payeeOfReference: 'Eve@example.com' };

	const unclear = await resolve('void');
	const clear = await resolve('void', 'INV-1', which);

	expect(unclear['error']).toMatch(/ada@example\.com \(prepared\), .* eve@example\.com \(held\)/);
	expect(clear).toMatchObject({ is_resolved: true, payee: 'eve@example.com' });
	expect(await entries({ status: 'prepared' })).toMatchObject([{ payee: 'ada@example.com' }]);
});

test.each(['void', 'notPaid'])(
	'an invoice whose deposit never comes is resolved: %s #resolve-unpaid-invoice',
	async (outcome) => {
		await send({ method: 'invoice' });

		expect(await resolve(outcome)).toMatchObject({ is_resolved: true });

		const next = outcome === 'void' ? 'failed' : 'funded';
		expect(await send()).toMatchObject({ status: next });
	},
);

test('a payable that was funded by its ID and a reference have is resolved by its ID #resolve-both', async () => {
	await send({ reference: 'INV-0', method: 'none' });
	const { payable_id: payableId } = await send({ method: 'none' });
	const tables = tablesOf(project.workflowId ?? '');
	tables.add({ ...RIVAL, ...BY_ID, payable_id: payableId, state: 'unconfirmed' });
	expect(await send()).toMatchObject({ status: 'unconfirmed' });
	const parameters = { workspaceId, findBy: 'payableId', payableId: payableId as string };

	const [resolved] = await run('payout.resolve', { ...parameters, outcome: 'paid' });

	expect(resolved).toMatchObject({ is_resolved: true });
	expect(await send()).toMatchObject({ status: 'duplicate' });
});

test('two vendors may have invoices with one number and two amounts #invoice-of-two-vendors', async () => {
	const parameters = sendParameters({
		reference: '={{ $json.number }}',
		payee: '={{ $json.vendor }}',
		amount: '={{ $json.amount }}',
	});
	const items = [
		{ number: 'JULY', vendor: 'ada@example.com', amount: 1 },
		{ number: 'July', vendor: 'eve@example.com', amount: 2 },
	];

	const paid = await service.execute('payout.send', parameters, { ...project, items });

	expect(jsonOf(paid.items)).toMatchObject([{ status: 'funded' }, { status: 'funded' }]);
	expect(fundings()).toMatchObject([{ body: { amount: 300 } }]);
});
