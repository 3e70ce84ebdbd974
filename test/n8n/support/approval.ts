import type { Execution, N8n } from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import { importExample } from './example';
import type { Fixture } from './fixture';
import { answerForm, type Slack } from './slack';

/** The header that the system which posts payouts authenticates itself with. */
const KEY = { name: 'X-Payouts-Key', value: 'made-up-key' };

/** Imports and activates the example that asks for approval in chat; returns its id. */
export async function activateApproval(fixture: Fixture): Promise<string> {
	const { n8n } = fixture;
	const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
	const key = await n8n.createCredential('Key', 'httpHeaderAuth', KEY);
	const credentials = { 'Ask in Slack': token, 'Payouts are due': key };
	const { id } = await importExample(fixture, 'approve-in-chat-then-pay.json', { credentials });
	await n8n.activate(id);
	return id;
}

/** A batch with a payout for each vendor, $250.00 and then $120.50, and one that cannot be prepared. */
export function batchOf(batch: string, first: string, ...others: string[]): object {
	const description = 'Spring campaign';
	return {
		batch,
		payouts: [
			{ email: first, amount: '250.00', description },
			...others.map((email) => ({ email, amount: '120.50', description })),
			{ email: 'dora@example.com', amount: 'twelve', description },
		],
	};
}

/** Posts a batch to the workflow that asks in chat, and answers its message. */
export async function answerInChat(
	n8n: N8n,
	slack: Slack,
	workflowId: string,
	batch: object,
	answer: string,
): Promise<{ execution: Execution; question: string }> {
	const asked = slack.requests.length;
	const runs = n8n.database.countEnded(workflowId);
	await n8n.client.callWebhook('payouts-are-due', batch, { [KEY.name]: KEY.value });
	const question = await poll('a message in Slack', () => slack.requests[asked]);
	await answerForm(question, 'Answer', answer);
	const execution = await n8n.executions.newestOf(workflowId, runs + 1);
	return { execution, question: JSON.stringify(question.body) };
}
