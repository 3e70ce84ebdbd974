import { nodeError, outputItems, successfulItems } from '../../tools/n8n';
import { importExample, pathOf } from './support/example';
import { useFixture } from './support/fixture';

const fixture = useFixture();

test('examples/pay-step-by-step.json continues where it was cut off, and makes nothing twice', async () => {
	const { n8n, sandbox } = fixture();
	const { control } = sandbox;
	await control.clearRequests();
	await control.addFault({ kind: 'status', status: 403, match: { operationId: 'createFunding' } });
	const { id } = await importExample(fixture(), 'pay-step-by-step.json');

	const cutOff = await n8n.runManually(id);
	const [payable] = outputItems(cutOff, 'Prepare payout');
	expect(nodeError(cutOff, 'Pay from balance')?.message).toContain('403');
	const paid = await n8n.runManually(id);
	expect(successfulItems(paid, 'Pay from balance')).toMatchObject([
		{ json: { status: 'funded', payable_id: payable?.json['payable_id'] } },
	]);
	const again = await n8n.runManually(id);
	expect(successfulItems(again, 'Pay from balance')).toMatchObject([
		{ json: { status: 'duplicate' } },
	]);
	expect(await control.requests('createPayable')).toHaveLength(1);
	expect(await control.requests('createFunding')).toHaveLength(2);
});

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
