import type { Execution, N8n, StoredWorkflow } from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import { importExample, pathOf } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { answerForm, type Slack } from './slack';

/** The header that the system which posts payouts authenticates itself with. */
const KEY = { name: 'X-Payouts-Key', value: 'made-up-key' };

/** Imports and activates the example that asks for approval in chat. */
export async function activateApproval(fixture: Fixture): Promise<StoredWorkflow> {
	const { n8n } = fixture;
	const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
	const key = await n8n.createCredential('Key', 'httpHeaderAuth', KEY);
	const credentials = { 'Ask in Slack': token, 'Payouts are due': key };
	const file = 'approve-in-chat-then-pay.json';
	const workflow = await importExample(fixture, file, { credentials });
	await n8n.activate(workflow.id);
	return workflow;
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
	workflow: StoredWorkflow,
	batch: object,
	answer: string,
): Promise<{ execution: Execution; question: string }> {
	const asked = slack.requests.length;
	const runs = n8n.database.countEnded(workflow.id);
	await n8n.client.callWebhook(pathOf(workflow), batch, { [KEY.name]: KEY.value });
	const question = await poll('a message in Slack', () => slack.requests[asked]);
	await answerForm(question, 'Answer', answer);
	const execution = await n8n.executions.newestOf(workflow.id, runs + 1);
	return { execution, question: JSON.stringify(question.body) };
}
