import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byEmail, byId, jsonOf, payable, startScriptedService, WORKSPACE } from './support';

/** With the Kelvin sign, whose small letter is a "k". */
const KELVIN = 'mar\u212a@x.example';
const MARK = 'mark@x.example';

const service = startScriptedService();

beforeEach(() => {
	service.useScript((_, position) => ({ body: { id: `x${position}`, balance: 1_000_000 } }));
});

/** Sends a payout to an address in a workflow; returns what comes out, or the error. */
async function pay(
	address: string,
	workflowId: string,
	parameters: INodeParameters = {},
): Promise<IDataObject> {
	const { items } = await service.execute(
		'payout.send',
		payable({
			payee: byEmail(address),
			uniqueReference: 'INV-7',
			fundingMethod: 'balance',
			...parameters,
		}),
		{ workflowId, onError: 'continueRegularOutput' },
	);

	return jsonOf(items)[0] ?? {};
}

test('a payout to an address in other capitals is the same payout', async () => {
	const workflowId = randomUUID();

	expect(await pay(MARK, workflowId)).toMatchObject({ status: 'funded', payee: MARK });
	expect(await pay('MARK@X.example', workflowId)).toMatchObject({
		status: 'duplicate',
		payee: MARK,
	});
});

test.each([
	['mark@x.example.', 'Remove the dot at the end'],
	['mailto:mark@x.example', 'Remove "mailto:"'],
	['mark@-x.example', 'Remove the hyphen'],
])('a payout to what is no address is refused with what to remove: %s', async (address, advice) => {
	const refused = await pay(address, randomUUID());

	expect(refused).toMatchObject({ status: 'failed', hint: expect.stringContaining(advice) });
	expect(service.requests).toEqual([]);
});

test('a payout to an address with another letter is another payout', async () => {
	const workflowId = randomUUID();

	const first = await pay(MARK, workflowId);
	const second = await pay(KELVIN, workflowId, { uniqueReference: 'INV-8' });

	expect([first, second]).toMatchObject([
		{ status: 'funded', payee: MARK },
		{ status: 'funded', payee: KELVIN },
	]);
});

test('a reference is not used again for an address with another letter', async () => {
	const workflowId = randomUUID();
	await pay(MARK, workflowId);

	const second = await pay(KELVIN, workflowId);

	expect(second).toMatchObject({ status: 'failed' });
});

test.each([
	['MARK@x.example.', MARK],
	[KELVIN, KELVIN],
])('Get Many finds the payouts to %s, and no others', async (payee, found) => {
	const workflowId = randomUUID();
	await pay(MARK, workflowId);
	await pay(KELVIN, workflowId, { uniqueReference: 'INV-8' });

	const { items } = await service.execute(
		'payout.getMany',
		{ workspaceId: byId(WORKSPACE), returnAll: true, filters: { payee } },
		{ workflowId },
	);

	expect(jsonOf(items)).toMatchObject([{ payee: found }]);
});

test('an address is allowed with and without the final dot of its host, and with no other letter', async () => {
	const options = { allowedPayees: 'Mark@x.example.' };

	const allowed = await pay(MARK, randomUUID(), { options });
	const refused = await pay(KELVIN, randomUUID(), { options });

	expect(allowed).toMatchObject({ status: 'funded' });
	expect(refused['error']).toContain('is not in "Limit: Allowed Payees"');
});
