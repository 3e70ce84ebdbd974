import { nodeError, outputItems, successfulItems } from '../../tools/n8n';
import { activateApproval, answerInChat, batchOf } from './support/approval';
import { importExample } from './support/example';
import { useFixture } from './support/fixture';
import { addVendor } from './support/payouts';
import { useSlack } from './support/slack';
import { answerWithSecret, payVendor } from './support/trigger';

const SLACK_TOKEN = 'xoxb-made-up-token';

const slack = useSlack();
const fixture = useFixture(() => slack().environment);

test('examples/pay-a-vendor.json pays a vendor once, however often it runs', async () => {
	const { n8n, sandbox } = fixture();
	const { id } = await importExample(fixture(), 'pay-a-vendor.json');
	const before = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
	const pay = async () =>
		successfulItems(await n8n.runManually(id), 'Pay vendor once').map(({ json }) => json);

	const [first] = await pay();
	expect(first).toMatchObject({ status: 'funded', unique_reference: 'INV-1042' });
	expect(await pay()).toMatchObject([
		{ status: 'duplicate', first_status: 'funded', payable_id: first?.payable_id },
	]);

	expect(await sandbox.control.requests('createFunding')).toHaveLength(1);
	const after = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
	expect(after.balance - before.balance).toBe(25_000);
	expect((await sandbox.control.ledger()).sum).toBe(0);
});

test('examples/pay-step-by-step.json goes on where it was cut off, and makes nothing twice', async () => {
	const { n8n, sandbox } = fixture();
	const { control } = sandbox;
	await control.clearRequests();
	await control.addFault({
		kind: 'status',
		status: 422,
		match: { operationId: 'approvePayable' },
	});
	const { id } = await importExample(fixture(), 'pay-step-by-step.json');

	const cutOff = await n8n.runManually(id);
	const [payable] = outputItems(cutOff, 'Create payable');
	expect(nodeError(cutOff, 'Approve payable')?.message).toContain('422');
	const paying = await n8n.runManually(id);
	const [funding] = successfulItems(paying, 'Fund from balance');
	expect(outputItems(paying, 'Create payable')).toMatchObject([
		{ json: { id: payable?.json.id, duplicate: true } },
	]);
	const again = await n8n.runManually(id);
	expect(nodeError(again, 'Approve payable')?.message).toContain('is paid already');

	expect(await control.requests('createPayable')).toHaveLength(1);
	expect(await control.requests('createFunding')).toHaveLength(1);
	expect(await control.payables()).toContainEqual(
		expect.objectContaining({
			id: payable?.json.id,
			status: 'paid',
			funding_id: funding?.json.id,
		}),
	);
});

test('examples/slack-on-payable-paid.json posts to Slack who was paid how much', async () => {
	const { n8n, sandbox } = fixture();
	const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: SLACK_TOKEN });
	const workflow = await importExample(fixture(), 'slack-on-payable-paid.json', {
		credentials: { 'Post to Slack': token },
	});
	await n8n.activate(workflow.id);

	for (const [position, amount] of [199_990, 7].entries()) {
		await payVendor(fixture(), amount);
		const execution = await n8n.executions.newestOf(workflow.id, position + 1);
		expect(successfulItems(execution, 'Post to Slack')).toMatchObject([{ json: { ok: true } }]);
	}

	const [first, second] = (await sandbox.control.payables()).slice(-2);
	const message = (text: string) => ({
		method: 'POST',
		path: '/api/chat.postMessage',
		authorization: `Bearer ${SLACK_TOKEN}`,
		body: { channel: '#payouts', text },
	});
	const paid = [
		message(`ana@example.com was paid $1999.90 (payable ${first?.id})`),
		message(`ana@example.com was paid $0.07 (payable ${second?.id})`),
	];
	expect(slack().requests).toMatchObject(paid);

	await n8n.deactivate(workflow.id);
	await answerWithSecret(fixture());
	const unsigned = await importExample(fixture(), 'slack-on-payable-paid.json', {
		credentials: { 'Post to Slack': token },
		options: { 'When a payable is paid': { unsignedEvents: 'accept' } },
	});
	await n8n.activate(unsigned.id);
	await payVendor(fixture(), 300);
	await n8n.executions.newestOf(unsigned.id, 1);
	const third = (await sandbox.control.payables()).at(-1);
	expect(slack().requests).toMatchObject([
		...paid,
		message(
			`Not signed by the service, so look it up: ana@example.com was paid $3.00 (payable ${third?.id})`,
		),
	]);
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
	const refused = await n8n.client.callWebhook('won-deal', deal);
	expect(refused.status).toBe(403);

	const post = async (body: object) =>
		await n8n.client.callWebhook('won-deal', body, { [header.name]: header.value });
	expect(await post({ ...deal, deal_id: ' ' })).toMatchObject({ status: 400 });
	const answer = await post(deal);
	const again = await post({ ...deal, deal_id: ' d-17', email: ' Dora@example.com' });

	const { partners, payables } = await sandbox.control.state();
	expect(partners.filter((partner) => partner.email === email)).toMatchObject([
		{ business_name: 'Dora Lenz Film', status: 'invited' },
	]);
	const payablesOfVendor = payables.filter((payable) => payable.payee_email === email);
	expect(payablesOfVendor).toMatchObject([
		{ amount: 125_050, description: 'Launch', status: 'draft' },
	]);
	expect(answer).toEqual({
		status: 200,
		data: { payable_id: payablesOfVendor[0]?.id, status: 'draft', duplicate: false },
	});
	expect(again).toEqual({
		status: 200,
		data: { payable_id: payablesOfVendor[0]?.id, status: null, duplicate: true },
	});
	const mails = (await sandbox.control.outbox()).filter(({ to }) => to === email);
	// The service mails an invitation for each request.
	expect(mails).toHaveLength(2);
	const asked = (await sandbox.control.requests('createPayable')).at(-1);
	expect(asked).toMatchObject({ body: { payee_email: email, send_invite: true } });
});

describe('examples/approve-in-chat-then-pay.json', () => {
	const photographer = 'photos@example.com';
	let id: string;

	beforeEach(async () => {
		const { control } = fixture().sandbox;
		await control.reset();
		await control.setRequestsPerMinute(100_000);
		id = await activateApproval(fixture());
	});

	afterEach(async () => {
		await fixture().n8n.deactivate(id);
	});

	const answer = async (batch: object, text: string) =>
		await answerInChat(fixture().n8n, slack(), id, batch, text);

	/** All payables, the largest first: they are created concurrently, in no order. */
	const payablesByAmount = async () =>
		(await fixture().sandbox.control.payables()).sort((one, other) => other.amount - one.amount);

	test('pays with one funding when a person approves, and once', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await addVendor(fixture().sandbox, photographer);
		const batch = batchOf('2026-05', email, photographer);

		const { execution, question } = await answer(batch, 'Pay');
		expect(question).toContain('Pay 2 vendors $370.50 in total? (batch 2026-05)');
		expect(question).toContain('left out: ');
		const payouts = successfulItems(execution, 'Pay from balance').map(({ json }) => json);
		expect(payouts).toMatchObject([
			{ status: 'funded', unique_reference: `2026-05 ${email}` },
			{ status: 'funded', unique_reference: `2026-05 ${photographer}` },
		]);
		const funded = [{ id: payouts[0]?.funding_id, amount: 37_050, status: 'funded' }];
		const paid = [
			{ payee_email: email, amount: 25_000, status: 'paid' },
			{ payee_email: photographer, amount: 12_050, status: 'paid' },
		];
		expect(await control.fundings()).toMatchObject(funded);
		expect(await payablesByAmount()).toMatchObject(paid);

		const otherLetters = batchOf(' 2026-05', ` ${email.toUpperCase()}`, photographer);
		const again = await answer(otherLetters, 'Pay');
		expect(successfulItems(again.execution, 'Pay from balance')).toMatchObject([
			{ json: { status: 'duplicate', payable_id: payouts[0]?.payable_id } },
			{ json: { status: 'duplicate', payable_id: payouts[1]?.payable_id } },
		]);
		expect(await control.fundings()).toMatchObject(funded);
		expect(await payablesByAmount()).toMatchObject(paid);
	});

	test('leaves out a vendor who is in the batch twice', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const batch = batchOf('2026-07', email, ` ${email.toUpperCase()}`, photographer);

		const { question } = await answer(batch, 'Pay');
		expect(question).toContain('Pay 1 vendors $120.50 in total? (batch 2026-07)');
		expect(question.split('this vendor more than once in it')).toHaveLength(3);
		expect(await control.payables()).toMatchObject([
			{ payee_email: photographer, amount: 12_050, status: 'approved' },
		]);
	});

	test('pays nothing when the person declines, and asks again for the same payables', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const batch = batchOf('2026-06', email, photographer);
		const { execution } = await answer(batch, 'Do not pay');
		expect(outputItems(execution, 'Declined: nothing is paid')).toHaveLength(1);
		expect(await control.requests('createFunding')).toEqual([]);
		expect(await payablesByAmount()).toMatchObject([
			{ status: 'approved' },
			{ status: 'approved' },
		]);

		await answer(batch, 'Pay');
		expect(await payablesByAmount()).toMatchObject([{ status: 'paid' }, { status: 'approved' }]);
		expect(await control.fundings()).toHaveLength(1);
	});
});
