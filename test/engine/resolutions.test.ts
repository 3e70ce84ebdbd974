import { randomUUID } from 'node:crypto';

import { SENDING_MS } from '../../nodes/PartnerPayments/ledger/times';
import { stringOrEmpty } from '../../nodes/PartnerPayments/shared/typeGuards';
import { BEN, CARLA, FUNDING, PAID, rowsIn, startPayoutService } from './payoutService';
import { byId, jsonOf, tablesOf, WORKSPACE, type Changes } from './support';

const { service, useWallet, answerFundings, pay, fundings } = startPayoutService();

test('an unconfirmed invoice takes its deposit, and is resolved as paid after that', async () => {
	const workflowId = randomUUID();
	const invoice = { fundingMethod: 'invoice' };
	answerFundings(500);
	const [unconfirmed] = await pay([BEN], invoice, { workflowId });
	// Forgets the requests so far.
	useWallet(1_000_000);

	const link = { fundingId: 'found-1', depositId: 'deposit-1' };
	const linked = await service.execute('funding.linkDeposit', link, { workflowId });
	const resolved = await service.execute('payout.resolve', PAID, {
		workflowId,
		executionId: '2',
	});
	const [again] = await pay([BEN], invoice, { workflowId });

	expect(unconfirmed).toMatchObject({ status: 'unconfirmed' });
	expect(linked.error).toBeUndefined();
	expect(resolved.items).toMatchObject([{ json: { is_resolved: true, status: 'paid' } }]);
	expect(again).toMatchObject({ status: 'duplicate', first_status: 'paid' });
	expect(fundings()).toEqual([]);
	expect(
		service.requests.filter(({ url }) => url === `${FUNDING}/found-1/link-deposit`),
	).toHaveLength(1);
});

test('a funding that is answered with 409 names the way to say that it was there, and is not sent again then', async () => {
	const workflowId = randomUUID();
	answerFundings(409);
	const [refused] = await pay([BEN], {}, { workflowId });
	useWallet(1_000_000);

	const byPayable = {
		...PAID,
		findBy: 'payableId',
		payableId: stringOrEmpty(refused?.['payable_id']),
	};
	const resolved = await service.execute('payout.resolve', byPayable, {
		workflowId,
		executionId: '2',
	});
	const [again] = await pay([BEN], {}, { workflowId });

	expect(refused).toMatchObject({
		status: 'unconfirmed',
		hint: expect.stringContaining('"Resolve" of "Payout"'),
	});
	expect(resolved.items).toMatchObject([{ json: { is_resolved: true, status: 'paid' } }]);
	expect(again).toMatchObject({ status: 'duplicate', first_status: 'paid' });
	expect(fundings()).toEqual([]);
});

test.each([400, 402, 422])(
	'a payout whose funding is refused with %i is corrected as its hint says #corrected-after-refusal',
	async (status) => {
		const workflowId = randomUUID();
		const corrected = { ...BEN, amount: BEN.amount + 1 };
		answerFundings(status);
		const [refused] = await pay([BEN], {}, { workflowId });
		useWallet(1_000_000);

		const [tooEarly] = await pay([corrected], {}, { workflowId });
		await service.execute('payout.resolve', { ...PAID, outcome: 'notPaid' }, { workflowId });
		const [paid] = await pay([corrected], {}, { workflowId });

		expect(refused).toMatchObject({
			status: 'failed',
			hint: expect.stringMatching(/^No money has moved\..* stays prepared\..* as "Not Paid"/),
		});
		expect(tooEarly).toMatchObject({ status: 'failed' });
		expect(paid).toMatchObject({ status: 'funded', amount_cents: corrected.amount });
	},
);

test.each([400, 422])(
	'a payable of an earlier run that is refused with %i may be funded already, and the hint says so first #refused-again',
	async (status) => {
		const workflowId = randomUUID();
		answerFundings(status);
		await pay([BEN], {}, { workflowId });

		const [refused] = await pay([BEN], {}, { workflowId });

		expect(refused).toMatchObject({
			status: 'failed',
			hint: expect.stringMatching(
				/^(?!No money).* payable \S+\. Found: .*"Paid"\. .*Not found: .*"Not Paid"/,
			),
		});
	},
);

test.each([
	[
		'whose payable was not approved',
		(path: string) => (path.endsWith('/approve') ? 422 : undefined),
	],
	[
		'that may not be funded by this account',
		(path: string) => (path === FUNDING ? 403 : undefined),
	],
])('a payout %s says nothing of correcting it', async (_, statusOf) => {
	useWallet(1_000_000, statusOf);

	const [refused] = await pay([BEN]);

	expect(refused).toMatchObject({ error: expect.any(String) });
	expect(refused?.['hint']).not.toContain('stays prepared');
});

describe('a deposit that is not linked', () => {
	const link = { fundingId: 'deposit-1', depositId: 'found-1' };

	test('since nothing is there is unconfirmed, and says first that the IDs may be swapped #link-swapped', async () => {
		useWallet(0, (path) => (path.endsWith('/link-deposit') ? 404 : undefined));

		const { items } = await service.execute('funding.linkDeposit', link, {
			onError: 'continueRegularOutput',
		});

		expect(jsonOf(items)).toMatchObject([
			{
				error: expect.stringMatching(/^The IDs may be swapped or wrong .*unconfirmed/),
				details: { unconfirmed: true, status: 404, hint: expect.stringContaining('"Deposit ID"') },
			},
		]);
	});

	test.each([405, 500])('with the answer %i says nothing of its IDs first', async (status) => {
		useWallet(0, (path) => (path.endsWith('/link-deposit') ? status : undefined));

		const { error } = await service.execute('funding.linkDeposit', link);

		expect(error?.message).toMatch(/^Unconfirmed whether/);
	});
});

test.each([
	['prepared', undefined],
	['not_paid', 'notPaid'],
])('what is %s is prepared again as a duplicate that is not paid', async (first, outcome) => {
	const workflowId = randomUUID();
	await pay([BEN], { fundingMethod: 'none' }, { workflowId });
	if (outcome !== undefined) {
		await service.execute('payout.resolve', { ...PAID, outcome }, { workflowId });
	}

	const [again] = await pay([BEN], { fundingMethod: 'none' }, { workflowId });
	const [paid] = await pay([BEN], {}, { workflowId });

	expect(again).toMatchObject({ status: 'duplicate', first_status: first });
	expect(paid).toMatchObject({ status: 'funded', payable_id: again?.['payable_id'] });
});

/** What the ledger lists with a status. */
async function listed(status: string, workflowId: string) {
	const filters = { status };
	const parameters = { workspaceId: byId(WORKSPACE), returnAll: true, filters };
	const { items } = await service.execute('payout.getMany', parameters, { workflowId });
	return jsonOf(items);
}

test('what is only prepared is resolved as paid by its payable alone, not by who agrees to it #prepared-not-paid', async () => {
	const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	await pay([BEN], { fundingMethod: 'none' }, project);

	const agreed = await service.execute('payout.resolve', PAID, project);
	const [paid] = await pay([BEN], {}, project);

	expect(jsonOf(agreed.items)).toMatchObject([
		{
			error: expect.stringContaining('prepared'),
			details: { hint: expect.stringContaining('"Send"') },
		},
	]);
	expect(paid).toMatchObject({ status: 'funded' });
});

test('what was prepared, then resolved as Not Paid, is no longer listed as prepared', async () => {
	const workflowId = randomUUID();
	await pay([BEN], { fundingMethod: 'none' }, { workflowId });

	await service.execute('payout.resolve', { ...PAID, outcome: 'notPaid' }, { workflowId });

	expect(await listed('prepared', workflowId)).toEqual([]);
	expect(await listed('not_paid', workflowId)).toHaveLength(1);
});

test('what was prepared, then sent without an answer, stays listed as prepared after Not Paid', async () => {
	const workflowId = randomUUID();
	await pay([BEN], { fundingMethod: 'none' }, { workflowId });
	answerFundings(500);
	await pay([BEN], {}, { workflowId });

	await service.execute(
		'payout.resolve',
		{ ...PAID, outcome: 'notPaid' },
		{ workflowId, executionId: '2' },
	);

	expect(await listed('prepared', workflowId)).toHaveLength(1);
});

test('a payout that is held is not resolved as paid, and the error says how it can be', async () => {
	const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	await pay([BEN], { options: { holdAbove: '1.00' } }, project);

	const paid = await service.execute('payout.resolve', PAID, project);
	const retired = await service.execute('payout.resolve', { ...PAID, outcome: 'void' }, project);

	const [error] = jsonOf(paid.items);
	expect(error).toMatchObject({
		error: expect.stringContaining('the ledger table says "held"'),
		details: { hint: expect.stringMatching(/^Nothing has changed\..* choose "Void"/) },
	});
	expect(jsonOf(retired.items)).toMatchObject([{ is_resolved: true, status: 'void' }]);
});

test('a number of two vendors is resolved by its payee alone, also where only one of them waits #resolve-one-vendor', async () => {
	const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	const other = { ...BEN, payee: 'eve@example.com', amount: 555 };
	await pay([BEN], {}, project);
	await pay([other], { fundingMethod: 'none' }, project);

	const unnamed = await service.execute('payout.resolve', PAID, project);
	const named = await service.execute(
		'payout.resolve',
		{ ...PAID, payeeOfReference: other.payee, outcome: 'notPaid' },
		project,
	);

	expect(jsonOf(unnamed.items)).toMatchObject([
		{ error: expect.stringMatching(/several payees: .*ben@.*eve@/) },
	]);
	expect(jsonOf(named.items)).toMatchObject([{ is_resolved: true, payee: other.payee }]);
});

describe('an invoice that pays two vendors, and waits for its deposit', () => {
	const invoice = { fundingMethod: 'invoice' };

	test.each(['notPaid', 'void'])(
		'is resolved as %s as a whole alone #invoice-as-a-whole',
		async (outcome) => {
			const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
			await pay([BEN, CARLA], invoice, project);

			const alone = await service.execute('payout.resolve', { ...PAID, outcome }, project);
			const statesAfterOne = rowsIn(project).map(({ state }) => state);
			const whole = { ...PAID, outcome, wholeFunding: true };
			const both = await service.execute('payout.resolve', whole, project);

			expect(jsonOf(alone.items)).toMatchObject([{ error: expect.stringContaining('"INV-3"') }]);
			expect(statesAfterOne).toEqual(['awaiting_deposit', 'awaiting_deposit']);
			expect(jsonOf(both.items)).toMatchObject([{ is_resolved: true }, { is_resolved: true }]);
		},
	);

	test('is resolved as paid without the payout that was run again since #run-again-stays', async () => {
		const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
		const whole = { ...PAID, wholeFunding: true };
		await pay([BEN, CARLA], invoice, project);
		await service.execute('payout.resolve', { ...whole, outcome: 'notPaid' }, project);
		await pay([CARLA], invoice, { ...project, executionId: '2' });

		const { items } = await service.execute('payout.resolve', whole, {
			...project,
			executionId: '3',
		});

		const states = rowsIn(project).map(({ reference, state }) => [reference, state]);
		expect(jsonOf(items)).toMatchObject([{ is_resolved: true, unique_reference: BEN.reference }]);
		expect(states).toEqual([
			[BEN.reference, 'paid'],
			[CARLA.reference, 'not_paid'],
			[CARLA.reference, 'awaiting_deposit'],
		]);
	});

	test('is not resolved as paid after a wrong Not Paid, as long as the ledger knows no deposit #canceled-invoice', async () => {
		const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
		await pay([BEN], invoice, project);
		await service.execute('payout.resolve', { ...PAID, outcome: 'notPaid' }, project);
		answerFundings(409);
		const [again] = await pay([BEN], {}, project);
		const [later] = await pay([BEN], {}, project);

		const resolved = await service.execute('payout.resolve', PAID, {
			...project,
			executionId: '2',
		});

		expect(again).toMatchObject({
			status: 'unconfirmed',
			hint: expect.stringMatching(/Funding x\d+ .*transfer nothing/),
		});
		expect(later).toMatchObject({ status: 'unconfirmed', hint: again?.['hint'] });
		expect(jsonOf(resolved.items)).toMatchObject([
			{ error: expect.stringContaining('invoice x'), details: { hint: expect.any(String) } },
		]);
	});
});

test('a payout whose funding was answered after Not Paid is resolved as paid, and people are told which funding', async () => {
	const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	await pay([BEN], {}, project);
	// As the answer leaves a row that a person had resolved while the answer was awaited.
	Object.assign(rowsIn(project)[0] ?? {}, { state: 'not_paid' });
	const later = { ...project, executionId: '2' };
	const [again] = await pay([BEN], {}, later);
	const fundingId = rowsIn(project)[0]?.['funding_id'] as string;

	const resolved = await service.execute('payout.resolve', PAID, { ...project, executionId: '3' });

	expect(again).toMatchObject({
		status: 'unconfirmed',
		hint: expect.stringContaining(`Funding ${fundingId}`),
	});
	expect(jsonOf(resolved.items)).toMatchObject([{ is_resolved: true, status: 'paid' }]);
});

test('a deposit that is linked while the ledger cannot be written is resolved with its whole funding', async () => {
	const project: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };
	const [invoice] = await pay([BEN], { fundingMethod: 'invoice' }, project);
	const tables = tablesOf(project.workflowId ?? '');
	tables.before = async (kinds) => {
		await Promise.resolve();
		// The mark, which is an update as well, finds the rows after it.
		if (kinds === 'update') {
			throw new Error('The table is full');
		}
	};

	const link = { fundingId: stringOrEmpty(invoice?.['funding_id']), depositId: 'deposit-1' };
	const linked = await service.execute('funding.linkDeposit', link, project);
	tables.before = async () => await Promise.resolve();
	const updatedAt = new Date(Date.now() - SENDING_MS - 60_000);
	tables.tables[0]?.rows.forEach((row) => Object.assign(row, { updatedAt }));
	const whole = { ...PAID, wholeFunding: true };
	const resolved = await service.execute('payout.resolve', whole, project);

	expect(linked.hints).toEqual([expect.stringContaining('Do not link it again')]);
	expect(jsonOf(resolved.items)).toMatchObject([{ is_resolved: true, status: 'paid' }]);
});
