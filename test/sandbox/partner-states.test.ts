import { ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const verify = async () =>
	await fixture.sandbox.control.verifyVendor(fixture.sandbox.pendingVendorEmail);

beforeEach(async () => await fixture.sandbox.control.reset());

describe('partners', () => {
	const invite = async (email: string, workspaceId = fixture.sandbox.workspaceId) =>
		ok(
			await fixture.api.post<{ invites: { partner_id: string; status: string }[] }>(
				`/workspace/${workspaceId}/partner/invite`,
				{ invites: [{ payee_email: email }] },
			),
		).invites[0];
	const status = async (partnerId = '', workspaceId = fixture.sandbox.workspaceId) =>
		ok(await fixture.api.get<{ status: string }>(`/workspace/${workspaceId}/partner/${partnerId}`))
			.status;

	test('invited, pending, rejected, verified, each told to subscribers', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const partner = await invite('new@example.com');
		expect(partner?.status).toBe('invited');
		await control.acceptInvitation(workspaceId, 'new@example.com');
		expect(await status(partner?.partner_id)).toBe('pending');
		await control.rejectVendor('new@example.com');
		expect(await status(partner?.partner_id)).toBe('rejected');
		await control.verifyVendor('new@example.com');
		expect(await status(partner?.partner_id)).toBe('verified');
		const events = await control.events();
		expect(events.map(({ data }) => ('partner' in data ? data.partner.status : undefined))).toEqual(
			['pending', 'rejected', 'verified'],
		);
	});

	test('a vendor of the network is verified in another workspace on accepting', async () => {
		const { control, secondWorkspaceId, verifiedVendorEmail } = fixture.sandbox;
		const partner = await invite(verifiedVendorEmail, secondWorkspaceId);
		expect(await status(partner?.partner_id, secondWorkspaceId)).toBe('invited');
		await control.acceptInvitation(secondWorkspaceId, verifiedVendorEmail);
		expect(await status(partner?.partner_id, secondWorkspaceId)).toBe('verified');
	});

	test('one decision reaches every workspace, also those of other buyers', async () => {
		const { control, secondWorkspaceId, otherWorkspaceId, pendingVendorEmail } = fixture.sandbox;
		await control.acceptInvitation(secondWorkspaceId, pendingVendorEmail);
		await control.acceptInvitation(otherWorkspaceId, pendingVendorEmail);
		await verify();
		const partners = await control.partners();
		expect(
			partners.filter(({ email }) => email === pendingVendorEmail).map((partner) => partner.status),
		).toEqual(['verified', 'verified', 'verified']);
	});

	test('inviting again keeps the one record and mails again', async () => {
		const first = await invite('new@example.com');
		const second = await invite('New@Example.com');
		expect(second).toMatchObject({ partner_id: first?.partner_id });
		expect(await fixture.sandbox.control.outbox()).toHaveLength(2);
	});

	test('the invite link leads to the same identity', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const link = (await control.workspaces())[0]?.inviteUrl ?? '';
		expect((await fixture.api.get(link)).data).toContain('Northwind Media US');
		await control.acceptInvitation(workspaceId, 'Link@example.com', 'L');
		await control.acceptInvitation(workspaceId, 'link@example.com');
		const partners = (await control.partners()).filter(({ email }) => email === 'link@example.com');
		expect(partners).toMatchObject([{ status: 'pending', business_name: 'L' }]);
	});

	test('a verified vendor is never rejected', async () => {
		const { control, verifiedVendorEmail } = fixture.sandbox;
		await expect(control.rejectVendor(verifiedVendorEmail)).rejects.toMatchObject({
			response: { status: 409 },
		});
	});
});
