import type { IDataObject } from 'n8n-workflow';

import { jsonOf, payable, startScriptedService } from './support';

const CREATION = '/v1/payable';
const APPROVAL = '/approve';
const FUNDING = '/v1/funding';
/** Without the ID that a creation must return. */
const UNREADABLE = 200;

const service = startScriptedService();

/** Sends a payout while the service answers the requests of a path with a status; returns its items. */
async function sendRefusedAt(path: string, status: number): Promise<IDataObject[]> {
	service.useScript(({ url }) =>
		url.endsWith(path)
			? { status, body: { message: 'No' } }
			: { body: { id: 'x1', balance: 1_000_000 } },
	);

	const { items } = await service.execute(
		'payout.send',
		payable({ fundingMethod: 'balance', uniqueReference: 'INV-1' }),
		{ onError: 'continueRegularOutput' },
	);
	return jsonOf(items);
}

test.each([
	[CREATION, 422, 'failed'],
	[CREATION, 401, 'failed'],
	[CREATION, 403, 'failed'],
	[CREATION, 404, 'failed'],
	[CREATION, 409, 'failed'],
	[CREATION, 303, 'not_sent'],
	[CREATION, 500, 'not_sent'],
	[CREATION, UNREADABLE, 'not_sent'],
	[APPROVAL, 422, 'failed'],
	[APPROVAL, 401, 'failed'],
	[APPROVAL, 403, 'failed'],
	[APPROVAL, 404, 'failed'],
	[APPROVAL, 409, 'failed'],
	[APPROVAL, 303, 'not_sent'],
	[APPROVAL, 500, 'not_sent'],
])(
	'a payout whose %s is answered with %s is %s, and never funded',
	async (path, status, expected) => {
		const items = await sendRefusedAt(path, status);

		expect(items).toMatchObject([{ status: expected }]);
		expect(service.requests.filter(({ url }) => url === FUNDING)).toEqual([]);
	},
);

test.each([401, 403, 409, 422, 500])(
	'a payout whose approval is answered with %s says not to approve or fund its payable by hand',
	async (status) => {
		const items = await sendRefusedAt(APPROVAL, status);

		const [{ hint } = {}] = items;
		expect(hint).toContain('Do not approve or fund this payable');
		expect(hint).not.toContain('may have been done already');
	},
);

test('a payable that is approved by itself has the plain hint of its status', async () => {
	service.useScript(() => ({ status: 403, body: { message: 'No' } }));

	const { error } = await service.execute('payable.approve', { payableId: 'p1' });

	expect(error?.description).toContain('The connected account may not do this.');
	expect(error?.description).not.toContain('Do not approve');
});
