import type { Execution } from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import { type ChatModel, useChatModel } from './chatModel';
import { addLedger, pathOf } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { services, useEmptySandbox, useExamples, usePublished } from './instance';
import type { ServiceRequest } from '../../../tools/services';
import { HOSTILE } from './slack';

/** The header that the system which posts invoices authenticates itself with. */
const KEY = { name: 'X-Invoices-Key', value: 'made-up-key' };

/** The example with an agent in a real n8n, its model and its Slack. */
export interface AgentTrial {
	fixture: () => Fixture;
	model: () => ChatModel;
	/** Publishes the example, its tool with these parameters in place of its own; returns where its ledger is. */
	publish: (tool?: object) => Promise<{ ledger: object }>;
	/** Posts an invoice, and waits for what Slack is told of it. */
	post: (number: string) => Promise<ServiceRequest>;
	/** Posts an invoice that leads to no question, and waits for the end. */
	postToEnd: (number: string) => Promise<Execution>;
	/** Waits for the end of the newest execution. */
	end: () => Promise<Execution>;
}

/** Sets up the example for the tests of a file. */
export function useAgent(): AgentTrial {
	const model = useChatModel();
	const fixture = useExamples();
	let id = '';
	let path = '';
	let posted = 0;

	const publish = usePublished(fixture);
	const call = async (number: string): Promise<void> => {
		posted += 1;
		const invoice = { number, text: `Three videos. Total: $250.00 ${HOSTILE}` };
		await fixture().n8n.client.callWebhook(path, invoice, { [KEY.name]: KEY.value });
	};

	const end = async (): Promise<Execution> => await fixture().n8n.executions.newestOf(id, posted);

	useEmptySandbox(fixture);

	return {
		fixture,
		model,
		end,
		publish: async (tool = {}) => {
			const { n8n } = fixture();
			const ledger = await addLedger(n8n);
			const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
			const { credentialData } = model();
			const workflow = await publish('agent-prepares-person-pays.json', {
				ledger,
				credentials: {
					'Invoice arrives': await n8n.createCredential('Key', 'httpHeaderAuth', KEY),
					'Chat model': await n8n.createCredential('Model', 'openAiApi', credentialData),
					'Ask in Slack': token,
					'Say that nothing was prepared': token,
					'Tell the result in Slack': token,
				},
				parameters: { 'Prepare payout': tool },
			});

			({ id } = workflow);
			path = pathOf(workflow);
			posted = 0;

			return { ledger };
		},
		post: async (number) => {
			const told = services().requests.length;
			await call(number);

			return await poll('a message in Slack', () => services().requests[told]);
		},
		postToEnd: async (number) => {
			await call(number);
			return await end();
		},
	};
}
