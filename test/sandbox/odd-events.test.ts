import { demo, http, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const { workspaceId } = demo;

test.each<[what: string, event_type: string, data: object]>([
	['a partner of nothing', 'partner.status_changed', { partner: {} }],
	['a payable of nothing', 'payable.paid', { payable: {} }],
	[
		'a partner whose values are lists',
		'partner.status_changed',
		{ partner: { email: [], status: [] } },
	],
	['a partner whose values are null', 'payable.paid', { partner: { email: null, status: null } }],
	['a payable whose ID is an object', 'payable.paid', { payable: { id: { deep: 1 } } }],
	['a payable whose ID is a number', 'payable.paid', { payable: { id: 7, status: 7 } }],
	['an amount that is text', 'payable.paid', { payable: { id: 'pbl_1', amount: 'much' } }],
	['half a cent', 'payable.paid', { payable: { id: 'pbl_1', amount: 0.5 } }],
	['an amount beyond exact numbers', 'payable.paid', { payable: { id: 'pbl_1', amount: 1e300 } }],
	['an amount below nothing', 'payable.paid', { payable: { id: 'pbl_1', amount: -5 } }],
	['a payee that is an object', 'payable.paid', { payable: { amount: 5, payee_email: {} } }],
	['a state of the prototype', 'payable.paid', { payable: { status: 'constructor' } }],
	['markup', 'partner.status_changed', { partner: { email: '<script>', status: '</td>' } }],
])('an event that is accepted is shown: %s', async (_, event_type, data) => {
	const events = [{ event_type, workspaceId, data }];

	const recorded = await http.post(`${fixture.sandbox.controlUrl}/events`, { events });

	const pages = await Promise.all(
		['/events', '/deliveries', '', '/records/pbl_1'].map(async (path) => {
			const page = await http.get<string>(fixture.consoleUrl(path));
			return page.status;
		}),
	);
	expect(recorded.status).toBe(200);
	expect(pages).toEqual([200, 200, 200, 404]);
	expect(await fixture.control.events()).toMatchObject([{ event_type, data }]);
});
