import { testOperations } from './operations.suite';
import {
	byEmail,
	byId,
	jsonOf,
	OTHER_WORKSPACE,
	payable,
	PAYABLE_BODY,
	sent,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);
const inWorkspace = (path: string): string => `/v1/workspace/${WORKSPACE}${path}`;
const DEPOSITS_PATH = inWorkspace('/wallet/deposit');
const INVITATIONS_PATH = inWorkspace('/partner/invite');
const INVITE_URL = `https://app.example.com/signup?invitationId=${WORKSPACE}&bsp_tag=acme`;

testOperations(service, [
	{
		operation: 'payable.approve',
		detail: 'an empty answer',
		parameters: { payableId: 'p1' },
		answer: '',
		request: ['POST', '/v1/payable/p1/approve'],
		output: [{ id: 'p1' }],
	},
	{
		operation: 'payable.create',
		detail: 'everything',
		parameters: payable({
			workspaceId: { __rl: true, mode: 'url', value: INVITE_URL },
			payee: { __rl: true, mode: 'serviceId', value: 'ven_1' },
			options: {
				description: ' Video edit ',
				dueDate: '2026-07-01T09:00:00',
				sendInvite: true,
				lineItems: { item: [{ amount: '9.99', description: ' a ' }, { amount: 10 }] },
				additionalFields: { reference: { deep: [1] } },
			},
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
		operation: 'payable.create',
		detail: 'from an expression for each field',
		parameters: payable({
			workspaceId: byId('={{ $json.workspace }}'),
			payee: byEmail('={{ $json.email }}'),
			amount: '={{ $json.price * 3 }}',
			options: { dueDate: '={{ $json.due.toDateTime() }}' },
		}),
		answer: { id: 'p1' },
		request: [
			'POST',
			'/v1/payable',
			{
				...PAYABLE_BODY,
				payee_email: 'ben@example.com',
				amount: 450,
				due_date: '2026-03-01T10:00:00.000Z',
			},
		],
		output: [{ id: 'p1' }],
		changes: {
			items: [{ workspace: WORKSPACE, email: 'ben@example.com', price: 1.5, due: '2026-03-01' }],
		},
	},
	{
		operation: 'deposit.getAll',
		detail: 'as many as the limit says',
		parameters: { workspaceId, limit: 2 },
		answer: { deposits: [{ id: 'd1' }, { id: 'd2' }, { id: 'd3' }] },
		request: ['GET', DEPOSITS_PATH],
		output: [{ id: 'd1' }, { id: 'd2' }],
	},
	{
		operation: 'deposit.getAll',
		detail: 'all',
		parameters: { workspaceId, returnAll: true },
		answer: Array.from({ length: 60 }, (_, id) => ({ id })),
		request: ['GET', DEPOSITS_PATH],
		output: Array.from({ length: 60 }, (_, id) => ({ id })),
	},
]);

test('250 invitations are sent in 3 requests and come out in order #invitations-in-groups', async () => {
	service.useScript(({ body }) => {
		const { invites } = body as { invites: { payee_email: string }[] };
		return { body: { invites: invites.map((invite) => ({ ...invite, status: 'invited' })) } };
	});

	const items = Array.from({ length: 250 }, (_, number) => ({ email: `v${number}@example.com` }));
	const parameters = { workspaceId, payeeEmail: '={{ $json.email }}' };

	const outcome = await service.execute('partner.invite', parameters, { items });

	const sizes = service.requests.map(({ body }) => (body as { invites: unknown[] }).invites.length);

	expect(sizes.sort()).toEqual([100, 100, 50]);
	expect(outcome.items).toEqual(
		items.map(({ email }, item) => ({
			json: { payee_email: email, status: 'invited' },
			pairedItem: { item },
		})),
	);
});

test('invitations to different workspaces are sent apart, and come out in order', async () => {
	service.useScript(() => ({ body: '' }));
	const parameters = {
		workspaceId: byId('={{ $json.workspace }}'),
		payeeEmail: '={{ $json.email }}',
		options: { invitesPerRequest: 2 },
	};

	const workspaces = [WORKSPACE, OTHER_WORKSPACE, WORKSPACE, WORKSPACE];
	const emailOf = (number: number): string => `v${number}@example.com`;

	const { items } = await service.execute('partner.invite', parameters, {
		items: workspaces.map((workspace, number) => ({ workspace, email: emailOf(number) })),
	});

	const invites = (...numbers: number[]) => ({
		invites: numbers.map((number) => ({ payee_email: emailOf(number) })),
	});

	// All at once, so that they arrive in any order.
	expect(new Set(sent(service.requests))).toEqual(
		new Set([
			['POST', INVITATIONS_PATH, invites(0, 2)],
			['POST', INVITATIONS_PATH, invites(3)],
			['POST', `/v1/workspace/${OTHER_WORKSPACE}/partner/invite`, invites(1)],
		]),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
});

test.each<[expression: string, evaluated: string]>([
	['={{ $json.text }}', '={{ ($json.text) }}'],
	['={{$json["A field"]}}', '={{ ($json["A field"]) }}'],
	['={{ $json.constructor }}', '={{ ($json.constructor) }}'],
	['={{ $json.toString }}', '={{ ($json.toString) }}'],
])('%s yields what n8n makes of it', async (expression, evaluated) => {
	const values = [
		'text',
		' Ünï 🎉 ',
		'',
		'0',
		'null',
		'={{ 1 }}',
		7,
		2.5,
		0,
		true,
		null,
		['a'],
		{},
	];

	const items = [{}, ...values.map((text) => ({ text, 'A field': text }))];
	const read = async (description: string) => {
		service.useScript(() => ({ body: { id: 'p1' } }));
		const parameters = payable({ options: { description } });
		const { items: results } = await service.execute('payable.create', parameters, {
			items,
			onError: 'continueRegularOutput',
		});

		// They arrive in any order.
		const bodies = new Set(sent(service.requests).map((request) => JSON.stringify(request)));

		return { bodies, results: jsonOf(results) };
	};

	const own = await read(expression);
	const ofN8n = await read(evaluated);

	expect(own).toEqual(ofN8n);
	expect(own.results).toHaveLength(items.length);
});

const DESCRIPTIONS = [
	'= 3 videos x 50',
	'$uper clip',
	'Intro for {{client}}',
	'{{ $json.amount }}',
];

test.each(DESCRIPTIONS)('a description from the data is data, whatever it is: %s', async (text) => {
	const line = { amount: '={{ $json.amount }}', description: '={{ $json.text }}' };
	const options = { description: '={{ $json.text }}', lineItems: { item: [line] } };
	service.useScript(() => ({ body: { id: 'p1' } }));

	const { error } = await service.execute(
		'payable.create',
		payable({ amount: '={{ $json.amount }}', options }),
		{ items: [{ text, amount: 5 }] },
	);

	expect(error).toBeUndefined();
	expect(service.requests.at(-1)?.body).toMatchObject({
		description: text,
		line_items: [{ description: text }],
	});
});

test.each(['$uper clip', 'Intro for {{client}}', '$json.text'])(
	'a description that is typed as an expression in "Fixed" is refused: %s',
	async (description) => {
		const { error } = await service.execute(
			'payable.create',
			payable({ options: { description } }),
		);

		expect(error?.message).toContain(`"Description" holds an expression as text: "${description}"`);
		expect(service.requests).toEqual([]);
	},
);
