import type { AxiosInstance } from 'axios';
import type { Funding, Partner, Payable } from '../../sandbox/client';
import { createSubscription, demo, http, ok, SandboxFixture } from './fixture';
import { deliveryFixture } from './delivery-fixture';

const { fixture, receiver, control, settled } = deliveryFixture();
const production = new SandboxFixture({ production: true });
const { otherWorkspaceId: workspace_id, unattachedVendorServiceId: payee_service_id } = demo;
const { unattachedVendorEmail: address } = demo;
const NAME = 'Cleo Park Design';

/** A buyer to whom the vendor has no relation. */
let stranger: AxiosInstance;

beforeEach(async () => {
	stranger = await fixture.otherClient();
	await control().deposit(workspace_id, 5_000);
});

const create = async (fields: object) => {
	const body = { workspace_id, amount: 1_000, ...fields };
	return ok(await stranger.post<{ payable: Payable }>('/payable', body)).payable;
};

const approve = async (id: string) =>
	ok(await stranger.post<{ payable: Payable }>(`/payable/${id}/approve`)).payable;

const fund = async (id: string) => {
	const body = { workspace_id, amount: 1_000, method: 'balance', payable_ids: [id] };
	return ok(await stranger.post<{ funding: Funding }>('/funding', body)).funding;
};

const partner = async (id: string) =>
	ok(await stranger.get<Partner>(`/workspace/${workspace_id}/partner/${id}`));

describe("a vendor's identifier does not tell a buyer the vendor's address", () => {
	test('in payables and events', async () => {
		await createSubscription(stranger, receiver.url(), undefined, workspace_id);

		const created = await create({ payee_service_id });
		const approved = await approve(created.id);
		const funding = await fund(created.id);
		await settled();

		const told = receiver.received.map(({ body }) => body);
		expect(told).toHaveLength(5);
		expect(JSON.stringify([created, approved, funding, told])).not.toContain(address);
		expect([created, approved]).toMatchObject([
			{ payee_email: null, payee_service_id },
			{ payee_email: null, payee_service_id },
		]);
	});

	test('in the partner that an invitation makes, until the vendor accepts', async () => {
		const payable = await create({ payee_service_id, send_invite: true });
		const before = await partner(payable.partner_id ?? '');

		await control().acceptInvitation(workspace_id, address);
		const after = await partner(payable.partner_id ?? '');

		expect(before).toMatchObject({ email: null, business_name: null, status: 'invited' });
		expect(payable.payee_email).toBeNull();
		expect(after).toMatchObject({ email: address, business_name: NAME, status: 'verified' });
		expect((await approve(payable.id)).payee_email).toBe(address);
	});

	test('but a buyer who has named the address reads it', async () => {
		const payable = await create({ payee_email: address });
		const both = await create({ payee_email: address, payee_service_id, send_invite: true });

		const { email, business_name } = await partner(both.partner_id ?? '');

		expect([payable.payee_email, both.payee_email, email]).toEqual([address, address, address]);
		expect(business_name).toBeNull();
	});

	test('and an invitation by address shows it in what came before', async () => {
		const payable = await create({ payee_service_id });
		const path = `/workspace/${workspace_id}/partner/invite`;
		ok(await stranger.post<unknown>(path, { invites: [{ payee_email: address }] }));

		expect((await approve(payable.id)).payee_email).toBe(address);
	});

	test('while who runs the sandbox sees all', async () => {
		const { id } = await create({ payee_service_id });

		expect(await control().payables()).toMatchObject([{ id, payee_email: address }]);
	});
});

describe("the vendor's page", () => {
	const pageOf = async (path: string) => await http.get<string>(production.pageUrl(path));

	test.each(['', '?key=', '?key=wrong', '?key=ven_ana', '?token=x'])(
		'is not for who knows the identifier alone in production: "%s"',
		async (query) => {
			const { status, data } = await pageOf(`/vendor/${demo.verifiedVendorServiceId}${query}`);

			expect(status).toBe(404);
			expect(data).not.toContain(demo.verifiedVendorEmail);
		},
	);

	test('is for who has its link, which the console has', async () => {
		const { data } = await pageOf('/_sandbox/console/vendors');
		const links = [...data.matchAll(/href="(\/vendor\/(ven_\w+)\?key=[^"]+)"/g)];

		const pages = await Promise.all(
			links.map(async ([, link = '']) => (await pageOf(link)).status),
		);
		const [, first = ''] = links[0] ?? [];
		const foreign = await pageOf(first.replace(/ven_\w+/, String(links[1]?.[2])));

		expect(pages).toEqual([200, 200, 200]);
		expect(foreign.status).toBe(404);
	});

	test('is not linked where anyone can type an address', async () => {
		const email = encodeURIComponent(demo.verifiedVendorEmail);
		const { data } = await pageOf(`/join?invitationId=${demo.workspaceId}&email=${email}`);

		expect(data).toContain('can pay you now');
		expect(data).not.toContain('/vendor/');
	});
});
