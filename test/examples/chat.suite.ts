import { type Execution, outputItems, type StoredWorkflow, successfulItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { importExample, pathOf } from '../n8n/support/example';
import type { ServiceRequest } from '../../tools/services';
import type { Fixture } from '../n8n/support/fixture';
import { addVendor } from '../n8n/support/payouts';
import { answerWithSecret, deliver, payVendor } from '../n8n/support/trigger';
import { services, useEmptySandbox, useExamples, usePublished } from './support/instance';
import { settingsOf } from './support/settings';
import {
	ANN,
	approverOf,
	APPROVERS,
	BOB,
	expectQuoted,
	HOSTILE,
	pressButton,
	pressTogether,
	SHORT_WAIT,
	SLACK_CREDENTIAL,
} from './support/slack';

const SLACK_TOKEN = 'xoxb-made-up-token';
/** The header that the system which posts payouts authenticates itself with. */
const KEY = { name: 'X-Payouts-Key', value: 'made-up-key' };

export function testChat(): void {
	const fixture = useExamples();

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
			message(`\`ana@example.com\` was paid $1999.90 (payable \`${first?.id}\`)`),
			message(`\`ana@example.com\` was paid $0.07 (payable \`${second?.id}\`)`),
		];

		expect(services().requests).toMatchObject(paid);

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

		expect(services().requests).toMatchObject([
			...paid,
			message(
				`Not signed by the service, so look it up: \`ana@example.com\` was paid $3.00 (payable \`${third?.id}\`)`,
			),
		]);

		const payable = { id: third?.id, payee_email: HOSTILE, amount: HOSTILE };
		const event = { id: 'forged', event_type: 'payable.paid', data: { payable } };
		const { url = '' } = (await sandbox.control.subscriptions()).at(-1) ?? {};
		await deliver(url, event);
		await n8n.executions.newestOf(unsigned.id, 2);

		expectQuoted(services().requests.at(-1));
	});

	describe('examples/approve-in-chat-then-pay.json', () => {
		const EXAMPLE = 'approve-in-chat-then-pay.json';
		const photographer = 'photos@example.com';
		let workflow: StoredWorkflow;

		useEmptySandbox(fixture);
		const publish = usePublished(fixture);

		/** Publishes the example with these settings, and options of the nodes that ask. */
		const publishFor = async (values: object = {}, asking: object = {}): Promise<void> => {
			const { n8n } = fixture();
			const token = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
			const key = await n8n.createCredential('Key', 'httpHeaderAuth', KEY);
			workflow = await publish(EXAMPLE, {
				credentials: {
					'Ask in Slack': token,
					'Remind in Slack': token,
					'Tell that nothing is paid': token,
					'Tell the result in Slack': token,
					'Payouts are due': key,
				},
				options: { 'Ask in Slack': asking, 'Remind in Slack': asking },
				parameters: settingsOf(EXAMPLE, { approvers: APPROVERS, ...values }),
			});
		};

		beforeEach(async () => {
			await publishFor();
		});

		const answer = async (batch: object, text: string) =>
			await answerInChat(fixture(), workflow, batch, text);

		/** Posts a batch about which there is nothing to ask; returns what Slack learns. */
		const tell = async (batch: object): Promise<string> => {
			const { n8n } = fixture();
			const runs = n8n.database.countEnded(workflow.id);
			await n8n.client.callWebhook(pathOf(workflow), batch, { [KEY.name]: KEY.value });
			await n8n.executions.newestOf(workflow.id, runs + 1);

			return JSON.stringify(services().requests.at(-1)?.body);
		};

		/** What was posted to Slack for all to see. */
		const messages = () =>
			services().requests.filter(({ path }) => path === '/api/chat.postMessage');

		const textOf = (message?: ServiceRequest): string => JSON.stringify(message?.body);

		/** All payables, the largest first: they are created concurrently, in no order. */
		const payablesByAmount = async () =>
			(await fixture().sandbox.control.payables()).sort((one, other) => other.amount - one.amount);

		test('pays with one funding when a person approves, and once', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await addVendor(fixture().sandbox, photographer);
			const batch = batchOf('INV-5', email, photographer);

			const { execution, told, question } = await answer(batch, 'Pay');

			const payouts = successfulItems(execution, 'Pay from balance').map(({ json }) => json);
			const approved_by = approverOf(ANN);
			const funded = [{ id: payouts[0]?.funding_id, amount: 37_050, status: 'funded' }];
			const paid = [
				{ payee_email: email, amount: 25_000, status: 'paid' },
				{ payee_email: photographer, amount: 12_050, status: 'paid' },
			];
			expect(question).toContain('Pay 2 invoices: $370.50 in total?*');
			expect(question).toMatch(/\$120\.50 `photos@example\.com INV-5-2[^`]* never paid /);
			expect(told).toContain('Held, nothing paid: 2 ($370.50)');
			expect(told).toContain('Not paid by this run: 1 ($120.50)');
			expect(payouts).toMatchObject([
				{ status: 'funded', unique_reference: 'INV-5-1', approved_by },
				{ status: 'funded', unique_reference: 'INV-5-2', approved_by },
			]);
			expect(await control.fundings()).toMatchObject(funded);
			expect(await payablesByAmount()).toMatchObject(paid);

			const otherLetters = batchOf(' INV-5', ` ${email.toUpperCase()}`, photographer);

			const again = await tell(otherLetters);

			expect(again).toContain('Paid before, nothing paid now: 2 ($370.50)');
			expect(messages()).toHaveLength(4);
			expect(await control.fundings()).toMatchObject(funded);
			expect(await payablesByAmount()).toMatchObject(paid);
		});

		test('leaves out an invoice that is in the batch twice, and one without a number', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const twice = {
				email,
				amount: '250.00',
				invoice: `INV-7 ${HOSTILE.replaceAll(/[*!]/g, '').replaceAll('\n', ' ')}`,
			};

			const payouts = [
				twice,
				{ ...twice, email: ` ${email.toUpperCase()}`, invoice: ` ${twice.invoice}` },
				{ email, amount: '30.00' },
				{ email: photographer, amount: '120.50', invoice: 'P-7' },
			];

			const { told, question } = await answer({ payouts }, 'Pay');

			expect(question).toContain('Pay 1 invoices: $120.50 in total?*');
			expect(told).toContain('More than one row has this vendor and this invoice');
			expect(told).toContain('It has no invoice');
			expect(await control.payables()).toMatchObject([
				{
					payee_email: photographer,
					amount: 12_050,
					description: expect.stringContaining('[P-7]'),
				},
			]);
		});

		test('pays nothing when the person declines, and asks again for the same payables', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const batch = batchOf('INV-6', email, photographer);

			const { execution } = await answer(batch, 'Do not pay');

			expect(outputItems(execution, 'Pay from balance')).toEqual([]);
			expect(textOf(messages().at(-1))).toContain('A person has declined: nothing is paid now.*');
			expect(await control.requests('createFunding')).toEqual([]);
			expect(await control.vendor(email)).toMatchObject({ balance: 0 });

			await answer(batch, 'Pay');

			expect(await payablesByAmount()).toMatchObject([{ status: 'paid' }, { status: 'approved' }]);
			expect(await control.fundings()).toHaveLength(1);
		});

		test('takes the yes of approvers only, and pays once when two of them answer', async () => {
			const { n8n, sandbox } = fixture();
			const { verifiedVendorEmail: email, control } = sandbox;
			const { question } = await askInChat(fixture(), workflow, batchOf('INV-20', email, email));

			await pressTogether(n8n.url, question, 'Pay');
			const execution = await n8n.executions.newestOf(workflow.id, 1);

			const [payout] = successfulItems(execution, 'Pay from balance');
			expect([approverOf(ANN), approverOf(BOB)]).toContain(payout?.json['approved_by']);
			expect(await control.vendor(email)).toMatchObject({ balance: 37_050 });
			expect(await control.fundings()).toHaveLength(1);
		});

		test('takes no yes of others, reminds once, and says that it pays nothing without an answer', async () => {
			const { n8n, sandbox } = fixture();
			const { verifiedVendorEmail: email, control } = sandbox;
			await publishFor({ approvers: BOB.id }, SHORT_WAIT);
			const { question } = await askInChat(fixture(), workflow, batchOf('INV-21', email, email));

			expect(await pressButton(n8n.url, question, 'Pay')).toBe(200);

			await n8n.executions.newestOf(workflow.id, 1);
			expect(services().requests.map(({ path }) => path)).toContain('/api/chat.postEphemeral');
			expect(messages().slice(2).map(textOf)).toEqual([
				expect.stringContaining('Reminder: *Pay 2 invoices: $370.50 in total?*'),
				expect.stringContaining('No one has answered: nothing is paid now.*'),
			]);
			expect(await control.vendor(email)).toMatchObject({ balance: 0 });
			expect(await control.fundings()).toEqual([]);
		});

		test('prepares nothing while no one may answer', async () => {
			const { n8n, sandbox } = fixture();
			await publishFor({ approvers: '' });

			const batch = batchOf('INV-22', sandbox.verifiedVendorEmail, photographer);
			await n8n.client.callWebhook(pathOf(workflow), batch, { [KEY.name]: KEY.value });
			const { status } = await n8n.executions.newestOf(workflow.id, 1);

			expect(status).toBe('error');
			expect(await sandbox.control.payables()).toEqual([]);
		});

		test('asks again about payables that an earlier run has prepared', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await answer(batchOf('INV-8', email, email), 'Pay');
			const batch = batchOf('INV-9', email, email, ['260.00', '130.50']);

			const { told } = await answer(batch, 'Do not pay');
			const { question } = await answer(batch, 'Pay');

			expect(told).toContain('Prepared, nothing paid yet: 2 ($390.50)');
			expect(question).toContain('Pay 2 invoices: $390.50 in total?*');
			expect(question).toContain(`$260.00 \`${email} INV-9-1`);
			expect(question).toContain(`$130.50 \`${email} INV-9-2`);
			expect(await control.vendor(email)).toMatchObject({ balance: 37_050 + 39_050 });
			expect(await control.payables()).toHaveLength(4);
		});

		test('holds a possible duplicate, and pays it after a yes to it', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			await answer(batchOf('INV-10', email, email), 'Pay');

			const { told, question } = await answer(batchOf('A-11', email, email), 'Pay');

			expect(told).toContain('Held, nothing paid: 2 ($370.50)');
			expect(told).toContain('The next question asks about what is held.');
			expect(told).not.toContain('If it is another invoice');
			expect(question).toContain('Possible duplicate of INV-10-1');
			expect(await control.vendor(email)).toMatchObject({ balance: 2 * 37_050 });
		});
	});
}

/** A batch with an invoice of each vendor, over $250.00 and $120.50, and one that cannot be prepared. */
function batchOf(
	invoice: string,
	first: string,
	second: string,
	[one, other] = ['250.00', '120.50'],
): object {
	const description = 'Spring campaign';
	const payouts = [
		{ email: first, invoice: `${invoice}-1`, amount: one, description },
		{ email: second, invoice: `${invoice}-2`, amount: other, description },
		{ email: HOSTILE, invoice: `${invoice}-3`, amount: '120.50', description },
	];

	return { payouts };
}

/** Posts a batch to the workflow that asks in chat; returns what it tells, and what it asks. */
async function askInChat(
	{ n8n }: Fixture,
	workflow: StoredWorkflow,
	batch: object,
): Promise<{ told: ServiceRequest | undefined; question: ServiceRequest }> {
	const asked = services().requests.length;
	await n8n.client.callWebhook(pathOf(workflow), batch, { [KEY.name]: KEY.value });

	const question = await poll('the question in Slack', () => services().requests[asked + 1]);

	return { told: services().requests[asked], question };
}

/** Posts a batch, and answers the question about it. */
async function answerInChat(
	fixture: Fixture,
	workflow: StoredWorkflow,
	batch: object,
	answer: string,
): Promise<{ execution: Execution; told: string; question: string }> {
	const { n8n } = fixture;
	const runs = n8n.database.countEnded(workflow.id);
	const { told, question } = await askInChat(fixture, workflow, batch);

	expectQuoted(told);

	expect(await pressButton(n8n.url, question, answer, { secret: 'forged' })).toBe(401);
	expect(await pressButton(n8n.url, question, answer)).toBe(200);
	const execution = await n8n.executions.newestOf(workflow.id, runs + 1);

	return { execution, told: JSON.stringify(told?.body), question: JSON.stringify(question.body) };
}
