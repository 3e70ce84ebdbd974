import type { Execution } from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import { type ChatModel, useChatModel } from './chatModel';
import { addLedger, pathOf } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { services, useEmptySandbox, useExamples, usePublished } from './instance';
import type { ServiceRequest } from '../../../tools/services';
import { settingsOf } from './settings';
import { APPROVERS, HOSTILE, pressButton, SLACK_CREDENTIAL } from './slack';

const EXAMPLE = 'agent-prepares-person-pays.json';

/** The header that the system which posts invoices authenticates itself with. */
const KEY = { name: 'X-Invoices-Key', value: 'made-up-key' };

/** The example with an agent in a real n8n, its model and its Slack. */
export interface AgentTrial {
	fixture: () => Fixture;
	model: () => ChatModel;
	/**
	 * Publishes the example, its tool with these parameters in place of its own, with these settings, and options of
	 * the nodes that ask; returns where its ledger is.
	 */
	publish: (tool?: object, values?: object, asking?: object) => Promise<{ ledger: object }>;
	/** Posts an invoice, and waits for what Slack is told of it. */
	post: (number: string) => Promise<ServiceRequest>;
	/** Posts an invoice that leads to no question, and waits for the end. */
	postToEnd: (number: string) => Promise<Execution>;
	/** Waits for the end of the newest execution. */
	end: () => Promise<Execution>;
	/** Has Ann press a button of a question, and waits for the end. */
	answer: (question: ServiceRequest, label: string) => Promise<Execution>;
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

	const answer = async (question: ServiceRequest, label: string): Promise<Execution> => {
		expect(await pressButton(fixture().n8n.url, question, label)).toBe(200);

		return await end();
	};

	useEmptySandbox(fixture);

	return {
		fixture,
		model,
		end,
		answer,
		publish: async (tool = {}, values = {}, asking = {}) => {
			const { n8n } = fixture();
			const ledger = await addLedger(n8n);
			const token = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
			const { credentialData } = model();
			const workflow = await publish(EXAMPLE, {
				ledger,
				credentials: {
					'Invoice arrives': await n8n.createCredential('Key', 'httpHeaderAuth', KEY),
					'Chat model': await n8n.createCredential('Model', 'openAiApi', credentialData),
					'Ask in Slack': token,
					'Remind in Slack': token,
					'Tell that nothing is paid': token,
					'Say that nothing was prepared': token,
					'Tell the result in Slack': token,
				},
				options: { 'Ask in Slack': asking, 'Remind in Slack': asking },
				parameters: {
					...settingsOf(EXAMPLE, {
						approvers: APPROVERS,
						allowed_payees: fixture().sandbox.verifiedVendorEmail,
						...values,
					}),
					'Prepare payout': tool,
				},
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
