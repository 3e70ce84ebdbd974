import { importExample, pathOf } from './support/example';
import { useFixture } from './support/fixture';

const fixture = useFixture();

test('examples/crm-deal-to-invite.json invites the vendor of a deal and tells the CRM the payable', async () => {
	const { n8n, sandbox } = fixture();
	const header = { name: 'X-CRM-Key', value: 'made-up-key' };
	const key = await n8n.createCredential('CRM', 'httpHeaderAuth', header);
	const workflow = await importExample(fixture(), 'crm-deal-to-invite.json', {
		credentials: { 'A deal is won': key },
	});
	await n8n.activate(workflow.id);
	const email = 'dora@example.com';
	const owed = { email, amount: 1250.5, description: 'Launch' };
	const deal = { deal_id: 'D-17', business_name: 'Dora Lenz Film', ...owed };
	const refused = await n8n.client.callWebhook(pathOf(workflow), deal);
	expect(refused.status).toBe(403);

	const post = async (body: object) =>
		await n8n.client.callWebhook(pathOf(workflow), body, { [header.name]: header.value });
	expect(await post({ ...deal, deal_id: ' ' })).toMatchObject({ status: 400 });
	const answer = await post(deal);
	const again = await post({ ...deal, deal_id: ' d-17', email: ' Dora@example.com' });

	const { partners, payables } = await sandbox.control.state();
	expect(partners.filter((partner) => partner.email === email)).toMatchObject([
		{ business_name: 'Dora Lenz Film', status: 'invited' },
	]);
	const payablesOfVendor = payables.filter((payable) => payable.payee_email === email);
	expect(payablesOfVendor).toMatchObject([
		{ amount: 125_050, description: 'Launch [Deal D-17]', status: 'approved' },
	]);
	expect(answer).toEqual({
		status: 200,
		data: { payable_id: payablesOfVendor[0]?.id, status: 'prepared', duplicate: false },
	});
	expect(again).toEqual({
		status: 200,
		data: { payable_id: payablesOfVendor[0]?.id, status: 'duplicate', duplicate: true },
	});
	const mails = (await sandbox.control.outbox()).filter(({ to }) => to === email);
	// The service mails an invitation for each request.
	expect(mails).toHaveLength(2);
	const asked = (await sandbox.control.requests('createPayable')).at(-1);
	expect(asked).toMatchObject({ body: { payee_email: email, send_invite: true } });
});
