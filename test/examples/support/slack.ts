import axios from 'axios';

import { poll } from '../../../tools/n8n/poll';
import type { Service, ServiceRequest } from '../../../tools/services';

/** n8n's status for the link of an execution that does not wait yet. */
const NOT_WAITING = 409;

/** Slack's answers to messages, and to requests that it does not know. */
export const slack: Service = ({ path, body }) => {
	if (path !== '/api/chat.postMessage') {
		return { ok: false, error: 'unknown_method' };
	}

	return {
		ok: true,
		channel: 'C0PAYOUTS1',
		ts: '1767225600.000100',
		message: { type: 'message', ...(typeof body === 'object' ? body : {}) },
	};
};

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
 * its one field; returns the page of the form.
 */
export async function answerForm(
	question: ServiceRequest,
	label: string,
	answer: string,
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
	form.set('field-0', answer);
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
		expect(quote).toMatch(/^`[\p{L}\p{N} .,$/+_@-]{1,300}`$/u);
		expect(quote).not.toMatch(/\W@|@\W|^[^@]*\.[a-z]/i);
	}

	expect(shown.replaceAll(/`[^`\\]*`/g, '')).not.toMatch(/[`<>@]|evil|tada/i);
}
