import { randomUUID } from 'node:crypto';

import { poll, TWO_WAITS } from '../../../tools/n8n/poll';
import type { StoredWorkflow } from '../../../tools/n8n';
import { byId, type PinnedItem } from '../../../tools/n8n/workflow';
import type { ServiceRequest } from '../../../tools/services';
import { type ExampleSettings, importExample } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { addVendor } from '../../n8n/support/payouts';
import { useChatModel } from './chatModel';
import { services, useEmptySandbox } from './instance';
import { settingsOf } from './settings';
import { ANN, pressButton, SLACK_CREDENTIAL } from './slack';

/** The file of the template. */
export const EXAMPLE = 'invoices-by-mail.json';
const TRIGGER = 'When a mail arrives';
const SLACK_NODES = [
	'Show the PDF in Slack',
	'Ask in Slack',
	'Remind in Slack',
	'Tell the result in Slack',
];

/** A second vendor whom the service has verified. */
export const PHOTOS = 'photos@example.com';

/** Where the mails of both vendors come from. */
export const ANA_SENDS = 'billing@ana.example';
export const PHOTOS_SENDS = 'office@photos.example';

/** Of a run that has not ended. */
const OPEN = ['new', 'running', 'waiting'];

/** A file of a mail. */
export interface Attachment {
	name: string;
	type: string;
	content: Buffer;
}

export const pdfNamed = (name: string, content: Buffer): Attachment => ({
	name,
	type: 'application/pdf',
	content,
});

/** A mail as n8n's Email Trigger hands it over. */
export function mailFrom(address: string, ...attachments: Attachment[]): PinnedItem {
	const files = attachments.map(({ name, type, content }, index) => [
		`attachment_${index}`,
		{ data: content.toString('base64'), mimeType: type, fileName: name },
	]);
	const item: PinnedItem = {
		json: {
			subject: 'Our invoice',
			from: { value: [{ address, name: 'Accounts' }], text: address },
			messageId: '<made-up@example.com>',
		},
	};
	if (files.length > 0) {
		item.binary = Object.fromEntries(files) as NonNullable<PinnedItem['binary']>;
	}

	return item;
}

/** A message to Slack, with all that it shows. */
export const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);

/** Whether a message to Slack has buttons. */
export const isQuestion = (message: ServiceRequest): boolean =>
	textOf(message).includes('"button"');

/** Imports the template before each test; returns what tests do with it. */
export function useInvoicesByMail(fixture: () => Fixture) {
	const model = useChatModel();
	useEmptySandbox(fixture);

	/** The workflow that a test has imported. */
	let id = '';
	let workflow: StoredWorkflow;

	beforeEach(async () => {
		const { sandbox } = fixture();
		await sandbox.control.setSettings({ paused: false });
		await sandbox.control.clearFaults();
		await addVendor(sandbox, PHOTOS);
		await importFor();
	});

	/** Imports the example with these settings, and options of the nodes that ask. */
	async function importFor(
		values: object = {},
		asking: object = {},
		ledger?: object,
	): Promise<void> {
		const { n8n, sandbox } = fixture();
		const slack = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
		const { credentialData } = model();
		const settings: ExampleSettings = {
			credentials: {
				'Chat model': await n8n.createCredential('Model', 'openAiApi', credentialData),
				...Object.fromEntries(SLACK_NODES.map((name) => [name, slack] as const)),
			},
			options: { 'Ask in Slack': asking, 'Remind in Slack': asking },
			parameters: settingsOf(EXAMPLE, {
				vendors: JSON.stringify([
					{ name: 'Ana Films', email: sandbox.verifiedVendorEmail, mail_from: ANA_SENDS },
					{ name: 'Photos Ltd', email: PHOTOS, mail_from: PHOTOS_SENDS },
				]),
				slack_channel_id: 'C0PAYOUTS1',
				approvers: `U0OTHER, ${ANN.id}`,
				...values,
			}),
		};
		if (ledger !== undefined) {
			settings.ledger = ledger;
		}

		workflow = await importExample(fixture(), EXAMPLE, settings);
		({ id } = workflow);
	}

	/** Has the model read these fields in each PDF. */
	const modelReads = (fields: object): void => {
		model().say(`\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``);
	};

	/** What was posted to Slack. */
	const messages = (): ServiceRequest[] =>
		services().requests.filter(({ path }) => path === '/api/chat.postMessage');

	const questions = (): ServiceRequest[] => messages().filter(isQuestion);

	const toldSince = (seen: number): string[] =>
		messages()
			.slice(seen)
			.filter((message) => !isQuestion(message))
			.map(textOf);

	/** Waits until no run of the workflow is under way; returns how each has ended. */
	const statuses = async (): Promise<string[]> =>
		await poll(
			'the end of all runs',
			() => {
				const all = fixture().n8n.database.statuses(id);

				return all.some((one) => OPEN.includes(one)) ? undefined : all;
			},
			TWO_WAITS,
		);

	/** Starts a run; returns what waits for its questions and its end. */
	const watch = async (start: () => Promise<unknown>) => {
		const seen = messages().length;
		await start();

		return {
			statuses,
			questions: async (count = 1) =>
				await poll(`${count} questions`, () => {
					const [first, ...others] = messages().slice(seen).filter(isQuestion);
					const isAsked = first !== undefined && others.length >= count - 1;

					return isAsked ? ([first, ...others] as const) : undefined;
				}),
			/** What else Slack was told, once all that was started has ended. */
			end: async (): Promise<string> => {
				expect(new Set(await statuses())).toEqual(new Set(['success']));

				return toldSince(seen).join('\n');
			},
		};
	};

	/** Runs the workflow by hand for mails that have arrived together. */
	const receive = async (...mails: PinnedItem[]) => {
		const { n8n } = fixture();

		return await watch(async () => {
			await n8n.pin(id, TRIGGER, mails);
			const { status } = await n8n.runManually(id, TRIGGER);

			expect(status).toBe('success');
		});
	};

	/** Publishes the workflow with a webhook in place of the mailbox; returns what has a mail arrive. */
	const publishWithWebhook = async (mail: PinnedItem) => {
		const { n8n } = fixture();
		const path = randomUUID();
		const call = {
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [-240, 0] as [number, number],
			parameters: { path, httpMethod: 'POST', options: {} },
			webhookId: path,
		};
		const nodes = workflow.nodes.map((node) =>
			node.name === TRIGGER
				? {
						...node,
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: `return [${JSON.stringify(mail)}];` },
					}
				: node,
		);
		const connections = {
			...workflow.connections,
			Call: { main: [[{ node: TRIGGER, type: 'main', index: 0 }]] },
		};
		await n8n.saveWorkflow({ ...workflow, nodes: [...nodes, call], connections });
		await n8n.activate(id);

		return async () => await n8n.client.callWebhook(path, {});
	};

	/** Has the workflow call one that does not exist. */
	const loseRuns = async (): Promise<void> => {
		const nodes = workflow.nodes.map((node) =>
			node.type === 'n8n-nodes-base.executeWorkflow'
				? { ...node, parameters: { ...node.parameters, workflowId: byId('made-up') } }
				: node,
		);
		await fixture().n8n.saveWorkflow({ ...workflow, nodes });
	};

	/** Receives mails that lead to no question; returns what Slack was told. */
	const receiveUnasked = async (...mails: PinnedItem[]): Promise<string> => {
		const asked = questions().length;
		const { end } = await receive(...mails);
		const told = await end();

		expect(questions()).toHaveLength(asked);

		return told;
	};

	/** Receives a mail with one invoice, and has Ann answer. */
	const receiveAndAnswer = async (label: string, mail: PinnedItem) => {
		const run = await receive(mail);
		const [question] = await run.questions();
		await pressButton(fixture().n8n.url, question, label);

		return { asked: textOf(question), told: await run.end() };
	};

	const balanceOf = async (email: string): Promise<number> =>
		(await fixture().sandbox.control.vendor(email)).balance;

	return {
		model,
		importFor,
		modelReads,
		messages,
		watch,
		receive,
		publishWithWebhook,
		loseRuns,
		receiveUnasked,
		receiveAndAnswer,
		balanceOf,
	};
}
