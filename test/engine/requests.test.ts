import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { waitedMs } from './environment';
import { ScriptedService, type Answer, type Received } from './scriptedService';
import { byId, funding, OTHER_WORKSPACE, payable, run, WORKSPACE, type Changes } from './support';

const service = new ScriptedService();
const INVITE_URL = `https://app.example.com/signup?invitationId=${WORKSPACE}&bsp_tag=acme`;

beforeAll(async () => {
	await service.start();
});
afterAll(async () => {
	await service.stop();
});

/** What of a request matters to the service. */
const sent = (requests: Received[]): unknown[] =>
	requests.map(({ method, url, body }) =>
		body === undefined ? [method, url] : [method, url, body],
	);
const jsonOf = (items: { json: IDataObject }[]): IDataObject[] => items.map(({ json }) => json);

interface Case {
	what: string;
	operation: string;
	parameters: INodeParameters;
	answer: unknown;
	/** The one request. */
	request: [method: string, url: string, body?: object];
	output: object[];
	changes?: Changes;
}

const PAYABLE_BODY = {
	workspace_id: WORKSPACE,
	payee_email: 'ana@example.com',
	amount: 1999,
	amount_denomination: 'us_cents',
	send_invite: false,
};
const FUNDING_BODY = {
	workspace_id: WORKSPACE,
	method: 'balance',
	amount: 1999,
	amount_denomination: 'us_cents',
	payable_ids: ['p1'],
};
const workspaceId = byId(WORKSPACE);

const cases: Case[] = [
	{
		what: 'deposit.getAll: as many as the limit says',
		operation: 'deposit.getAll',
		parameters: { workspaceId, limit: 2 },
		answer: { deposits: [{ id: 'd1' }, { id: 'd2' }, { id: 'd3' }] },
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet/deposit`],
		output: [{ id: 'd1' }, { id: 'd2' }],
	},
	{
		what: 'deposit.getAll: all',
		operation: 'deposit.getAll',
		parameters: { workspaceId, returnAll: true },
		answer: Array.from({ length: 60 }, (_, id) => ({ id })),
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet/deposit`],
		output: Array.from({ length: 60 }, (_, id) => ({ id })),
	},
	{
		what: 'deposit.simulate',
		operation: 'deposit.simulate',
		parameters: {
			workspaceId,
			amount: '100.5',
			amountUnit: 'major',
			options: { additionalFields: '{"memo":"m"}' },
		},
		answer: { deposit: { id: 'd1' } },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/wallet/deposit`,
			{ amount: 10_050, amount_denomination: 'us_cents', memo: 'm' },
		],
		output: [{ id: 'd1' }],
	},
	{
		what: 'funding.create: from the balance',
		operation: 'funding.create',
		parameters: funding({ poNumber: 'of invoices only' }),
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding', FUNDING_BODY],
		output: [{ id: 'f1', status: 'completed' }],
	},
	{
		what: 'funding.create: by invoice, with everything',
		operation: 'funding.create',
		parameters: funding({
			method: 'invoice',
			payableIds: ' p1, p2 ,,p3 ',
			description: 'February',
			poNumber: 'PO-1',
			options: { additionalFields: '{"reference":"r"}' },
		}),
		answer: { id: 'f1' },
		request: [
			'POST',
			'/v1/funding',
			{
				...FUNDING_BODY,
				method: 'invoice',
				payable_ids: ['p1', 'p2', 'p3'],
				description: 'February',
				po_number: 'PO-1',
				reference: 'r',
			},
		],
		output: [{ id: 'f1' }],
	},
	{
		what: 'funding.create: payables from an expression',
		operation: 'funding.create',
		parameters: funding({ payableIds: '={{ $json.ids }}', amount: '={{ $json.total }}' }),
		answer: { id: 'f1' },
		request: ['POST', '/v1/funding', { ...FUNDING_BODY, payable_ids: ['a', 'b'], amount: 7 }],
		output: [{ id: 'f1' }],
		changes: { items: [{ ids: ['a', 'b'], total: 7 }] },
	},
	{
		what: 'funding.getInvoicePdf: only the address',
		operation: 'funding.getInvoicePdf',
		parameters: { fundingId: 'f/1' },
		answer: { document: 'https://files.example.com/f1.pdf?sig=1' },
		request: ['GET', '/v1/funding/f%2F1/pdf-url'],
		output: [{ id: 'f/1', pdf_url: 'https://files.example.com/f1.pdf?sig=1' }],
	},
	{
		what: 'funding.linkDeposit',
		operation: 'funding.linkDeposit',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1', status: 'completed' }],
	},
	{
		what: 'funding.linkDeposit: an empty answer',
		operation: 'funding.linkDeposit',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: '',
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1' }],
	},
	{
		what: 'partner.get',
		operation: 'partner.get',
		parameters: { workspaceId, partnerId: 'ptr 1' },
		answer: { id: 'ptr 1', status: 'verified', more: { a: 1 } },
		request: ['GET', `/v1/workspace/${WORKSPACE}/partner/ptr%201`],
		output: [{ id: 'ptr 1', status: 'verified', more: { a: 1 } }],
	},
	{
		what: 'partner.invite',
		operation: 'partner.invite',
		parameters: { workspaceId, payeeEmail: 'ana@example.com', payeeBusinessName: 'Ana Ruiz' },
		answer: { invites: [{ payee_email: 'ana@example.com', partner_id: 'ptr' }] },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/partner/invite`,
			{ invites: [{ payee_email: 'ana@example.com', payee_business_name: 'Ana Ruiz' }] },
		],
		output: [
			{ payee_email: 'ana@example.com', payee_business_name: 'Ana Ruiz', partner_id: 'ptr' },
		],
	},
	{
		what: 'payable.approve',
		operation: 'payable.approve',
		parameters: { payableId: 'p1' },
		answer: { payable: { id: 'p1', status: 'approved' } },
		request: ['POST', '/v1/payable/p1/approve'],
		output: [{ id: 'p1', status: 'approved' }],
	},
	{
		what: 'payable.approve: an empty answer',
		operation: 'payable.approve',
		parameters: { payableId: 'p1' },
		answer: '',
		request: ['POST', '/v1/payable/p1/approve'],
		output: [{ id: 'p1' }],
	},
	{
		what: 'payable.create: only what it needs',
		operation: 'payable.create',
		parameters: payable(),
		answer: { payable: { id: 'p1', status: 'draft' } },
		request: ['POST', '/v1/payable', PAYABLE_BODY],
		output: [{ id: 'p1', status: 'draft' }],
	},
	{
		what: 'payable.create: everything',
		operation: 'payable.create',
		parameters: payable({
			workspaceId: { __rl: true, mode: 'url', value: INVITE_URL },
			payeeIdentifiedBy: 'serviceId',
			payeeServiceId: 'ven_1',
			description: ' Video edit ',
			dueDate: '2026-07-01T09:00:00',
			sendInvite: true,
			lineItems: { item: [{ amount: '9.99', description: ' a ' }, { amount: 10 }] },
			options: { additionalFields: { reference: { deep: [1] } } },
		}),
		answer: { id: 'p1' },
		request: [
			'POST',
			'/v1/payable',
			{
				workspace_id: WORKSPACE,
				payee_service_id: 'ven_1',
				amount: 1999,
				amount_denomination: 'us_cents',
				description: 'Video edit',
				due_date: '2026-07-01T07:00:00.000Z',
				send_invite: true,
				line_items: [
					{ amount: 999, description: 'a' },
					{ amount: 1000, description: '' },
				],
				reference: { deep: [1] },
			},
		],
		output: [{ id: 'p1' }],
		changes: { timezone: 'Europe/Berlin' },
	},
	{
		what: 'payable.create: from an expression for each field',
		operation: 'payable.create',
		parameters: payable({
			workspaceId: { __rl: true, mode: 'id', value: '={{ $json.workspace }}' },
			payeeEmail: '={{ $json.email }}',
			amount: '={{ $json.price * 3 }}',
			dueDate: '={{ $json.due.toDateTime() }}',
		}),
		answer: { id: 'p1' },
		request: [
			'POST',
			'/v1/payable',
			{
				...PAYABLE_BODY,
				payee_email: 'ben@example.com',
				amount: 450,
				due_date: '2026-03-01T00:00:00.000Z',
			},
		],
		output: [{ id: 'p1' }],
		changes: {
			items: [{ workspace: WORKSPACE, email: 'ben@example.com', price: 1.5, due: '2026-03-01' }],
		},
	},
	{
		what: 'wallet.get',
		operation: 'wallet.get',
		parameters: { workspaceId },
		answer: { wallet: { balance: 5, account: { number: '1' } } },
		request: ['GET', `/v1/workspace/${WORKSPACE}/wallet`],
		output: [{ balance: 5, account: { number: '1' } }],
	},
	{
		what: 'webhookSubscription.create',
		operation: 'webhookSubscription.create',
		parameters: {
			workspaceId,
			url: 'https://hooks.example.com/x',
			events: ['payablePaid', 'partnerStatusChanged'],
			options: { additionalFields: '{"secret_kind":"hmac"}' },
		},
		answer: { webhook_subscription: { id: 's1' } },
		request: [
			'POST',
			`/v1/workspace/${WORKSPACE}/webhook-subscription`,
			{
				url: 'https://hooks.example.com/x',
				events: ['partner.status_changed', 'payable.paid'],
				secret_kind: 'hmac',
			},
		],
		output: [{ id: 's1' }],
	},
	{
		what: 'workspace.get',
		operation: 'workspace.get',
		parameters: { workspaceId: byId(` ${WORKSPACE} `) },
		answer: { id: WORKSPACE, vendor_invite_url: INVITE_URL },
		request: ['GET', `/v1/workspace/${WORKSPACE}`],
		output: [{ id: WORKSPACE, vendor_invite_url: INVITE_URL }],
	},
	{
		what: 'workspace.getInviteLink: asked once for many items',
		operation: 'workspace.getInviteLink',
		parameters: { workspaceId },
		answer: { id: WORKSPACE, vendor_invite_url: INVITE_URL },
		request: ['GET', `/v1/workspace/${WORKSPACE}`],
		output: Array.from({ length: 3 }, () => ({
			workspace_id: WORKSPACE,
			vendor_invite_url: INVITE_URL,
		})),
		changes: { items: [{}, {}, {}] },
	},
];

test.each(cases)('$what', async ({ operation, parameters, answer, request, output, changes }) => {
	service.play(() => ({ body: answer }));
	const { items, error } = await run(service, operation, parameters, changes);
	expect(error).toBeUndefined();
	expect(sent(service.requests)).toEqual([request]);
	expect(service.requests[0]?.authorization).toBe('Bearer token-1-opaque');
	expect(jsonOf(items)).toEqual(output);
	const inputs = changes?.items?.length ?? 1;
	const pairs = items.map((_, position) => ({ item: inputs === 1 ? 0 : position }));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
});

test.each(['', '/', '///', '/v1', '/api/v1/'])('the base URL may end in %p', async (end) => {
	service.play(() => ({ body: { id: 'p1' } }));
	const credentials = { apiBaseUrl: service.url + end, authBaseUrl: `${service.url}/` };
	await run(service, 'payable.approve', { payableId: 'p1' }, { credentials });
	expect(sent(service.requests)).toEqual([
		['POST', `${end.replace(/\/+$/, '')}/payable/p1/approve`],
	]);
});

test('each item has its own values, and all share one token', async () => {
	service.play(({ body }) => ({ body: { payable: { id: 'p', ...(body as object) } } }));
	const emails = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
	const outcome = await run(
		service,
		'payable.create',
		payable({ payeeEmail: '={{ $json.email }}' }),
		{
			items: emails.map((email) => ({ email })),
		},
	);
	expect(jsonOf(outcome.items).map((item) => item.payee_email)).toEqual(emails);
	expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
		emails.map((_, item) => ({ item })),
	);
	expect(service.tokensIssued).toBe(1);
});

test('250 invitations travel in 3 requests and come out in order', async () => {
	service.play(({ body }) => {
		const { invites } = body as { invites: { payee_email: string }[] };
		return { body: { invites: invites.map((invite) => ({ ...invite, status: 'invited' })) } };
	});
	const emails = Array.from({ length: 250 }, (_, number) => `vendor${number}@example.com`);
	const { items } = await run(
		service,
		'partner.invite',
		{ workspaceId, payeeEmail: '={{ $json.email }}' },
		{ items: emails.map((email) => ({ email })) },
	);
	expect(
		service.requests.map(({ body }) => (body as { invites: unknown[] }).invites.length).sort(),
	).toEqual([100, 100, 50]);
	expect(jsonOf(items)).toEqual(emails.map((email) => ({ payee_email: email, status: 'invited' })));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(emails.map((_, item) => ({ item })));
});

test('invitations to different workspaces travel apart, and come out in order', async () => {
	service.play(() => ({ body: '' }));
	const { items } = await run(
		service,
		'partner.invite',
		{
			workspaceId: { __rl: true, mode: 'id', value: '={{ $json.workspace }}' },
			payeeEmail: '={{ $json.email }}',
			options: { invitesPerRequest: 2 },
		},
		{
			items: [WORKSPACE, OTHER_WORKSPACE, WORKSPACE, WORKSPACE].map((workspace, number) => ({
				workspace,
				email: `v${number}@example.com`,
			})),
		},
	);
	const invites = (...numbers: number[]) => ({
		invites: numbers.map((number) => ({ payee_email: `v${number}@example.com` })),
	});
	// All at once, so that they arrive in any order.
	expect(new Set(sent(service.requests))).toEqual(
		new Set([
			['POST', `/v1/workspace/${WORKSPACE}/partner/invite`, invites(0, 2)],
			['POST', `/v1/workspace/${WORKSPACE}/partner/invite`, invites(3)],
			['POST', `/v1/workspace/${OTHER_WORKSPACE}/partner/invite`, invites(1)],
		]),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
});

describe('combined items make one funding', () => {
	const combined = funding({ combineItems: true, payableIds: '={{ $json.id }}', amount: '' });
	const payables = [
		{ id: 'p1', amount: 100, amount_denomination: 'us_cents' },
		{ id: 'p2', amount: 250, amount_denomination: 'us_cents' },
	];
	const body = { ...FUNDING_BODY, amount: 350, payable_ids: ['p1', 'p2'] };

	beforeEach(() => {
		service.play(() => ({ body: { funding: { id: 'f1' } } }));
	});

	test.each([
		['the sum', combined],
		['a total that agrees', { ...combined, amount: '3.50', amountUnit: 'major' }],
	])('of %s', async (_, parameters) => {
		const { items } = await run(service, 'funding.create', parameters, { items: payables });
		expect(sent(service.requests)).toEqual([['POST', '/v1/funding', body]]);
		expect(items).toEqual([{ json: { id: 'f1' }, pairedItem: [{ item: 0 }, { item: 1 }] }]);
	});

	test('of a typed total, when the items name no amount', async () => {
		await run(
			service,
			'funding.create',
			{ ...combined, amount: '350' },
			{
				items: [{ id: 'p1' }, { id: 'p2' }],
			},
		);
		expect(sent(service.requests)).toEqual([['POST', '/v1/funding', body]]);
	});

	test('for each method and description', async () => {
		const parameters = { ...combined, description: '={{ $json.month }}' };
		const { items } = await run(service, 'funding.create', parameters, {
			items: [
				{ ...payables[0], month: 'May' },
				{ ...payables[1], month: 'June' },
				{ id: 'p3', amount: 1, month: 'May' },
			],
		});
		expect(service.requests.map((request) => request.body)).toEqual([
			expect.objectContaining({ amount: 101, payable_ids: ['p1', 'p3'], description: 'May' }),
			expect.objectContaining({ amount: 250, payable_ids: ['p2'], description: 'June' }),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			{ item: 1 },
		]);
	});

	test.each([
		['a typed total that disagrees', { amount: '351' }, payables, 'here 3.50, but the items say'],
		[
			'totals that disagree with each other',
			{ amount: '={{ $json.total }}' },
			[
				{ id: 'p1', total: 5 },
				{ id: 'p2', total: 6 },
			],
			'but the items say otherwise',
		],
		['no amount at all', {}, [{ id: 'p1' }], 'Amount is empty, and the input item has no amount'],
		[
			'an amount in another unit',
			{},
			[{ id: 'p1', amount: 5, amount_denomination: 'us_dollars' }],
			'has no amount in minor units',
		],
		['a payable twice', {}, [payables[0], payables[0]], '"p1" is in item 0 already'],
	])('refused: %s', async (_, changes, items, message) => {
		const outcome = await run(
			service,
			'funding.create',
			{ ...combined, ...changes },
			{ items: items as IDataObject[] },
		);
		expect(outcome.error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test('a payable in two items is refused without combining as well', async () => {
		const outcome = await run(
			service,
			'funding.create',
			{ ...combined, combineItems: false, amount: '100' },
			{ items: [{ id: 'p1' }, { id: 'p1' }] },
		);
		expect(outcome.error?.message).toContain('"p1" is in item 0 already [item 1]');
		expect(service.requests).toEqual([]);
	});

	test('refused before any request, when another group would be fine', async () => {
		const outcome = await run(
			service,
			'funding.create',
			{ ...combined, description: '={{ $json.month }}' },
			{
				items: [
					{ ...payables[0], month: 'May' },
					{ ...payables[1], month: 'June' },
					{ ...payables[1], month: 'June' },
				],
			},
		);
		expect(outcome.error?.message).toContain('"p2" is in item 1 already');
		expect(service.requests).toEqual([]);
	});
});

describe('an invoice that is downloaded', () => {
	const PDF = Buffer.from('%PDF-1.7\nbinary \u0000 ÿ');
	const download = async (parameters: INodeParameters = {}) =>
		await run(service, 'funding.getInvoicePdf', { fundingId: 'f1', download: true, ...parameters });

	test('comes as a file, and its server sees no credential', async () => {
		service.play(({ url }) =>
			url.startsWith('/files/')
				? { body: PDF, type: 'application/pdf' }
				: { body: { pdf_url: `${service.url}/files/f1.pdf?sig=1` } },
		);
		const { items, error } = await download({ binaryPropertyName: 'invoice' });
		expect(error).toBeUndefined();
		expect(service.requests.map(({ url, authorization }) => [url, authorization])).toEqual([
			['/v1/funding/f1/pdf-url', 'Bearer token-1-opaque'],
			['/files/f1.pdf?sig=1', undefined],
		]);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['invoice']);
		expect(items[0]?.binary?.invoice).toMatchObject({
			fileName: 'invoice-f1.pdf',
			mimeType: 'application/pdf',
		});
		expect(Buffer.from(items[0]?.binary?.invoice?.data ?? '', 'base64').equals(PDF)).toBe(true);
	});

	test('is found at an address that carries a signed token', async () => {
		const token = 'eyJhbGciOiJIUzI1NiJ9.eyJmaWxlIjoiZjEucGRmIn0.c2lnbmF0dXJl';
		service.play(({ url }) =>
			url === `/files/f1.pdf?token=${token}`
				? { body: PDF, type: 'application/pdf' }
				: { body: { pdf_url: `${service.url}/files/f1.pdf?token=${token}` } },
		);
		const { items, error } = await download();
		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
	});

	test.each([
		['no PDF', { body: '<html>Sign in</html>', type: 'text/html' }, 'without a PDF file'],
		['nothing', { body: '' }, 'without a PDF file'],
		['a refusal', { status: 403, body: 'Expired' }, 'Could not download the invoice'],
		['a broken connection', 'cut' as const, 'Could not download the invoice'],
	])('is refused when its server gives %s', async (_, answer, message) => {
		service.play(({ url }) =>
			url.startsWith('/files/') ? answer : { body: { pdf_url: `${service.url}/files/f1.pdf` } },
		);
		const { error } = await download();
		expect(error?.message).toContain(message);
		expect(error?.message).toContain('[item 0]');
	});

	test('is not fetched over plain http from another machine', async () => {
		service.play(() => ({ body: { pdf_url: 'http://files.example.com/f1.pdf' } }));
		const { error } = await download();
		expect(error?.message).toContain('must start with https://');
	});
});

describe('a request that does not work at once', () => {
	const TOO_MANY: Answer = { status: 429, body: { message: 'Slow down' } };
	const asking = (seconds: string): Answer => ({
		...TOO_MANY,
		headers: { 'Retry-After': seconds },
	});
	const BROKEN: Answer = { status: 503, body: { message: 'Oops' } };
	const DONE: Answer = { body: { id: 'p1' } };
	const DONE_BEFORE: Answer = { status: 409, body: { message: 'It is approved already' } };
	const approval = { payableId: 'p1' };

	test.each<[operation: string, parameters: INodeParameters, before: Answer[]]>([
		['payable.create', payable(), [TOO_MANY, asking('0'), asking('30'), TOO_MANY]],
		['funding.create', funding(), [asking(new Date(Date.now() + 60_000).toUTCString())]],
		['payable.approve', approval, [BROKEN, 'cut', TOO_MANY, 'cut', BROKEN]],
		['workspace.get', { workspaceId }, ['cut', 'cut', 'cut', 'cut']],
	])('%s is sent again', async (operation, parameters, before) => {
		service.play((_, position) => before[position] ?? DONE);
		const { items, error } = await run(service, operation, parameters);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
		const [first, ...others] = sent(service.requests);
		expect(others).toEqual(before.map(() => first));
		expect(service.tokensIssued).toBe(1);
	});

	test.each<[before: Answer]>([['cut'], [BROKEN]])(
		'an approval that turns out to be done is done, after %j',
		async (before) => {
			service.play((_, position) => (position === 0 ? before : DONE_BEFORE));
			const { items, error } = await run(service, 'payable.approve', approval);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
			expect(service.requests).toHaveLength(2);
		},
	);

	test('an approval that is refused at once is not', async () => {
		service.play(() => DONE_BEFORE);
		const { error } = await run(service, 'payable.approve', approval);
		expect(error?.message).toContain('"It is approved already" (status 409)');
		expect(service.requests).toHaveLength(1);
	});

	test('the service that wants to be left alone for hours is, and this is said', async () => {
		service.play(() => asking('7200'));
		const { error } = await run(service, 'payable.create', payable());
		expect(error?.message).toBe(
			'Could not create the payable: the service takes no request of this account for another 120 minutes [item 0]',
		);
		expect(service.requests).toHaveLength(1);
	});

	test('an invoice is loaded again', async () => {
		const pdf: Answer = { body: Buffer.from('%PDF-1.7'), type: 'application/pdf' };
		const answers: Answer[] = [{ body: { pdf_url: `${service.url}/f1.pdf` } }, 'cut', BROKEN, pdf];
		service.play((_, position) => answers[position] ?? 'cut');
		const parameters = { fundingId: 'f1', download: true };
		const { items, error } = await run(service, 'funding.getInvoicePdf', parameters);
		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
		expect(service.requests).toHaveLength(4);
	});
});

describe('the limit of an account', () => {
	/** How many windows the node has waited for approvals of an account with three places in each. */
	const windowsWaited = async (count: number, changes: Changes): Promise<number> => {
		const before = waitedMs();
		const { error } = await run(
			service,
			'payable.approve',
			{ payableId: 'p1' },
			{
				...changes,
				items: Array.from({ length: count }, () => ({})),
				credentials: { requestsPerMinute: 3, rateWindowSeconds: 1000, ...changes.credentials },
			},
		);
		expect(error).toBeUndefined();
		return Math.floor((waitedMs() - before) / 1_000_000);
	};

	test('is kept', async () => {
		service.play(() => ({ body: '' }));
		expect(await windowsWaited(3, {})).toBe(0);
		expect(await windowsWaited(4, {})).toBeGreaterThanOrEqual(1);
		expect(await windowsWaited(9, {})).toBeGreaterThanOrEqual(2);
	});

	test('is kept by all executions together', async () => {
		service.play(() => ({ body: '' }));
		const credentials = { clientId: 'shared-client' };
		const before = waitedMs();
		await Promise.all([windowsWaited(2, { credentials }), windowsWaited(2, { credentials })]);
		expect(waitedMs() - before).toBeGreaterThanOrEqual(1_000_000);
	});
});

test('an execution that is stopped sends nothing more', async () => {
	const stop = new AbortController();
	service.play((_, position) => {
		if (position === 2) stop.abort();
		return { status: 429, body: '' };
	});
	const { items } = await run(service, 'payable.create', payable(), { stop: stop.signal });
	expect(items).toEqual([]);
	expect(service.requests).toHaveLength(3);
});
