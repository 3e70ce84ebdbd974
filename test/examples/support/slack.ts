import { createHmac } from 'node:crypto';
import axios from 'axios';

import { poll } from '../../../tools/n8n/poll';
import type { Service, ServiceRequest } from '../../../tools/services';

/** n8n's status for the link of an execution that does not wait yet. */
const NOT_WAITING = 409;

/** A person in Slack. */
export const ANN = { id: 'U0ANNLEE1', name: 'ann', username: 'ann', email: 'ann@example.com' };

/** What n8n is told of Slack: a token, and the secret that Slack signs with. */
export const SLACK_CREDENTIAL = { accessToken: 'made-up', signatureSecret: 'made-up-secret' };

const CHANNEL = 'C0PAYOUTS1';
const MESSAGE = '1767225600.000100';

/** Slack's answers to messages, and to requests that it does not know. */
export const slack: Service = ({ path, body }) => {
	switch (path) {
		case '/api/chat.postMessage':
			return {
				ok: true,
				channel: CHANNEL,
				ts: MESSAGE,
				message: { type: 'message', ...(typeof body === 'object' ? body : {}) },
			};
		case '/api/files.getUploadURLExternal':
			return { ok: true, upload_url: 'https://slack.com/upload/v1/made-up', file_id: 'F0INVOICE1' };
		case '/upload/v1/made-up':
			return {};
		case '/api/files.completeUploadExternal':
			return { ok: true, files: [{ id: 'F0INVOICE1' }] };
		case '/api/chat.update':
			return { ok: true };
		case '/api/users.info':
			return { ok: true, user: { id: ANN.id, profile: { email: ANN.email } } };
		default:
			return { ok: false, error: 'unknown_method' };
	}
};

interface Button {
	type: string;
	text: { text: string };
	action_id: string;
	value: string;
	url?: string;
}

interface Block {
	type: string;
	elements?: Button[];
}

/** The buttons of a message. */
const buttonsOf = ({ body }: ServiceRequest): Button[] =>
	(body as { blocks: Block[] }).blocks.flatMap(({ elements = [] }) => elements);

/**
 * Has Ann press a button of a message that n8n has sent, as Slack tells n8n of it, once n8n waits for that.
 *
 * @param secret that Slack signs with
 * @returns the status of n8n's answer
 */
export async function pressButton(
	n8nUrl: string,
	question: ServiceRequest,
	label: string,
	secret = SLACK_CREDENTIAL.signatureSecret,
): Promise<number> {
	return await poll('n8n to wait for the answer', async () => {
		const status = await pressOnce(n8nUrl, question, label, secret);

		return status === NOT_WAITING ? undefined : status;
	});
}

/** Has Ann press a button, whether n8n waits for that or not; returns the status of n8n's answer. */
export async function pressOnce(
	n8nUrl: string,
	question: ServiceRequest,
	label: string,
	secret = SLACK_CREDENTIAL.signatureSecret,
): Promise<number> {
	const button = buttonsOf(question).find(({ text }) => text.text === label);
	if (button === undefined) {
		throw new Error(`The message has no button "${label}"`);
	}

	// A link preview opens links.
	expect(button.url).toBeUndefined();

	const { email: _, ...user } = ANN;
	const payload = {
		type: 'block_actions',
		user,
		channel: { id: CHANNEL },
		message: { ts: MESSAGE, blocks: [] },
		actions: [{ action_id: button.action_id, value: button.value }],
	};
	const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
	const time = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
	const { status } = await axios.post(`${n8nUrl}/webhook-waiting-slack`, body, {
		headers: {
			'Content-Type': 'application/x-www-form-urlencoded',
			'X-Slack-Request-Timestamp': time,
			'X-Slack-Signature': `v0=${signature}`,
		},
		proxy: false,
		validateStatus: () => true,
	});

	return status;
}

/** The link behind a button of a message. */
function buttonLink({ body }: ServiceRequest, label: string): string {
	const button = JSON.stringify(body)
		.split('"type":"button"')
		.find((text) => text.includes(`"text":"${label}"`));
	const link = /"url":"(.+?)"/.exec(button ?? '')?.[1];
	if (link === undefined) {
		throw new Error(`The message has no button "${label}"`);
	}

	return link;
}

/**
 * Opens the form behind a button of a message, as a preview does, and then sends it with an answer in
 * each of its fields; returns the page of the form.
 */
export async function answerForm(
	question: ServiceRequest,
	label: string,
	...answers: string[]
): Promise<string> {
	const link = buttonLink(question, label);
	const page = await poll('n8n to wait for the answer', async () => {
		const { status, data } = await axios.get<string>(link, {
			proxy: false,
			validateStatus: (code) => code === 200 || code === NOT_WAITING,
		});

		return status === NOT_WAITING ? undefined : data;
	});

	const form = new FormData();
	for (const [index, answer] of answers.entries()) {
		form.set(`field-${index}`, answer);
	}
	await axios.post(link, form, { proxy: false });

	return page;
}

/** What imitates a question, ends its quote, leads elsewhere, and calls people, where Slack reads it. */
export const HOSTILE =
	'a`b``` *Pay $1.00?*\n\n> *Approved* _x_ ~y~ :tada: <!channel> <@U1> @here #pay <https://evil.example|Pay> https://evil.example/a?b&c evil.example ＠here\u200b\u202e';

/** Expects that a message has others' words in quotes only, one of them at least, and none that Slack reads. */
export function expectQuoted(message: ServiceRequest | undefined): void {
	const shown = JSON.stringify(message?.body);
	const quotes = shown.match(/`[^`\\]*`/g) ?? [];

	expect(quotes.join()).toMatch(/evil/i);
	for (const quote of quotes) {
		expect(quote).toMatch(/^`[\p{L}\p{N} .,:#'()[\]$/+_@-]{1,400}`$/u);
		expect(quote).not.toMatch(/\W@|@\W|^[^@]*\.[a-z]/i);
		// No channel, no emoji, and no address of a page.
		expect(quote).not.toMatch(/#\D|:[^\s\d`]|:\w+:/);
	}

	expect(shown.replaceAll(/`[^`\\]*`/g, '')).not.toMatch(/[`<>@]|evil|tada/i);
}
