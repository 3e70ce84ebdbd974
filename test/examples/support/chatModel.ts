import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { useResource } from '../../n8n/support/resource';
import { HOSTILE } from './slack';

/** What a model is told that it may call. */
interface OfferedTool {
	function: { name: string };
}

/** What n8n asks a model. */
interface Question {
	messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
	tools?: OfferedTool[];
}

/** A model that does what a test tells it to. */
export interface ChatModel {
	/** The data of n8n's credential for it. */
	credentialData: Record<string, unknown>;
	/** What its tool has answered to each call, since the last script. */
	answers: string[];
	/** Has the model call its one tool with each of these in turn, whatever it answers, and then end. */
	follow: (calls: object[]) => void;
	/** Has the model answer this, from the next question on; undefined has it fail. */
	say: (reply: string | undefined) => void;
	/** Has the model answer what this returns for a question. */
	sayTo: (replyTo: (question: string) => string) => void;
	/** What it was asked, since it was told what to say. */
	asked: string[];
	stop: () => void;
}

/**
 * Runs a server during the tests of a file that speaks the chat completions API to n8n's chat model node,
 * in place of a language model.
 */
export const useChatModel = (): (() => ChatModel) =>
	useResource(startChatModel, ({ stop }) => {
		stop();
	});

async function startChatModel(): Promise<ChatModel> {
	let script: object[] = [];
	let replyTo: (question: string) => string | undefined = () => HOSTILE;
	const server = createServer((request, response) => {
		void answer(request, response);
	});

	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { messages, tools = [] } = (await json(request)) as Question;
		model.answers = messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		const question = JSON.stringify(messages);
		model.asked.push(question);
		const reply = replyTo(question);
		if (reply === undefined) {
			response.statusCode = 500;
			response.end();
			return;
		}

		const turn = model.answers.length;
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify(completion(turn, reply, script[turn], tools[0])));
	};

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (typeof address !== 'object' || address === null) {
		throw new Error('The model has no port');
	}

	const model: ChatModel = {
		credentialData: { apiKey: 'made-up-model-key', url: `http://127.0.0.1:${address.port}/v1` },
		answers: [],
		asked: [],
		follow: (calls) => {
			script = calls;
			model.answers = [];
		},
		say: (text) => {
			replyTo = () => text;
			model.asked = [];
		},
		sayTo: (wanted) => {
			replyTo = wanted;
			model.asked = [];
		},
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};

	return model;
}

/** An answer that calls the tool, or ends when there is nothing left to call it with. */
function completion(
	turn: number,
	reply: string,
	call: object | undefined,
	tool: OfferedTool | undefined,
): object {
	const isCalled = call !== undefined && tool !== undefined;
	const toolCall = {
		id: `call_${turn}`,
		type: 'function',
		function: { name: tool?.function.name, arguments: JSON.stringify(call) },
	};
	const message = isCalled
		? { role: 'assistant', content: null, tool_calls: [toolCall] }
		: { role: 'assistant', content: reply };

	return {
		id: `completion_${turn}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: isCalled ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
