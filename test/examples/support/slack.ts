import { createHmac } from 'node:crypto';
import axios from 'axios';

import { poll } from '../../../tools/n8n/poll';
import type { Service, ServiceRequest } from '../../../tools/services';

/** n8n's status for the link of an execution that does not wait yet. */
const NOT_WAITING = 409;

/** A person in Slack. */
export interface Person {
	id: string;
	name: string;
	username: string;
	email: string;
}

export const ANN: Person = {
	id: 'U0ANNLEE1',
	name: 'ann',
	username: 'ann',
	email: 'ann@example.com',
};
export const BOB: Person = {
	id: 'U0BOBRAY2',
	name: 'bob',
	username: 'bob',
	email: 'bob@example.com',
};
const PEOPLE = [ANN, BOB];

/** Who may answer, as a person enters them in Settings. */
export const APPROVERS = `${ANN.id}, ${BOB.id}`;

/** Someone whom no template lets answer. */
export const EVE: Person = {
	id: 'U0EVEFOX3',
	name: 'eve',
	username: 'eve',
	email: 'eve@example.com',
};

/** A person as the ledger keeps them. */
export const approverOf = ({ email, id }: Person): string => `${email} (Slack ${id})`;

/** A wait for an answer that ends within seconds: an option of nodes that ask. */
export const SHORT_WAIT = {
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
	},
};

/** What n8n is told of Slack: a token, and the secret that Slack signs with. */
export const SLACK_CREDENTIAL = { accessToken: 'made-up', signatureSecret: 'made-up-secret' };

const CHANNEL = 'C0PAYOUTS1';
const MESSAGE = '1767225600.000100';

/** Slack's answers to messages, and to requests that it does not know. */
export const slack: Service = ({ path, body, query }) => {
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
			return { ok: true, user: profileOf(query.get('user')) };
		default:
			return { ok: false, error: 'unknown_method' };
	}
};

const profileOf = (wanted: string | null): object => {
	const person = PEOPLE.find(({ id }) => id === wanted);

	return { id: wanted, profile: { email: person?.email } };
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

/** Who presses a button, and the secret that Slack signs with. */
interface Press {
	person?: Person;
	secret?: string;
}

/**
 * Has a person press a button of a message that n8n has sent, Ann if no one is named, as Slack tells n8n of it.
 * n8n takes no press before it waits, and none after an answer.
 *
 * @returns the status of n8n's answer
 */
export async function pressNow(
	n8nUrl: string,
	question: ServiceRequest,
	label: string,
	{ person = ANN, secret = SLACK_CREDENTIAL.signatureSecret }: Press = {},
): Promise<number> {
	const button = buttonsOf(question).find(({ text }) => text.text === label);
	if (button === undefined) {
		throw new Error(`The message has no button "${label}"`);
	}

	// A link preview opens links.
	expect(button.url).toBeUndefined();

	const { email: _, ...user } = person;
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

/** The same as soon as n8n waits for the answer. */
export const pressButton = async (
	n8nUrl: string,
	question: ServiceRequest,
	label: string,
	press: Press = {},
): Promise<number> =>
	await poll('n8n to wait for the answer', async () => {
		const status = await pressNow(n8nUrl, question, label, press);

		return status === NOT_WAITING ? undefined : status;
	});

/** Has Eve say yes, who may not; then Ann and Bob, who may, at the same moment. */
export async function pressTogether(
	n8nUrl: string,
	question: ServiceRequest,
	label: string,
): Promise<void> {
	expect(await pressButton(n8nUrl, question, label, { person: EVE })).toBe(200);

	const people = [ANN, BOB];
	const statuses = await Promise.all(
		people.map(async (person) => await pressNow(n8nUrl, question, label, { person })),
	);

	expect(statuses).toContain(200);
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

/** A field of a form that a person does not see: its name, and its value. */
const HIDDEN_FIELD = /<input type="hidden" id="[^"]*" name="(field-\d+)" value="([^"]*)"/g;

/** Opens the form behind a button of a message, as a preview does; `send` sends it with an answer in each of its fields. */
export async function openForm(question: ServiceRequest, label: string) {
	const link = buttonLink(question, label);
	const page = await poll('n8n to wait for the answer', async () => {
		const { status, data } = await axios.get<string>(link, {
			proxy: false,
			validateStatus: (code) => code === 200 || code === NOT_WAITING,
		});

		return status === NOT_WAITING ? undefined : data;
	});

	const send = async (...answers: string[]): Promise<void> => {
		const form = new FormData();
		for (const [, name = '', value = ''] of page.matchAll(HIDDEN_FIELD)) {
			form.set(name, value);
		}
		for (const [index, answer] of answers.entries()) {
			form.set(`field-${index}`, answer);
		}
		await axios.post(link, form, { proxy: false });
	};

	return { page, send };
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
		expect(quote).toMatch(/^`[\p{L}\p{N} .,:#'()[\]$/+_@-]{1,800}`$/u);
		expect(quote).not.toMatch(/\W@|@\W|^[^@]*\.[a-z]/i);
		// No channel, no emoji, and no address of a page.
		expect(quote).not.toMatch(/#\D|:[^\s\d`]|:\w+:/);
	}

	expect(shown.replaceAll(/`[^`\\]*`/g, '')).not.toMatch(/[`<>@]|evil|tada/i);
}
