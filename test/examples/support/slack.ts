import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import axios from 'axios';
import { generate } from 'selfsigned';

import { poll } from '../../../tools/n8n/poll';
import { useResource } from '../../n8n/support/resource';

const HOST = 'slack.com';

/** n8n's status for the link of an execution that does not wait yet. */
const NOT_WAITING = 409;

/** A request that was meant for Slack. */
export interface SlackRequest {
	method: string | undefined;
	path: string | undefined;
	authorization: string | undefined;
	body: unknown;
}

/** A server in place of Slack's. */
export interface Slack {
	/** Every request so far. */
	requests: SlackRequest[];
	/** The settings that make n8n reach it at slack.com: a proxy, and whose certificate to trust. */
	environment: Record<string, string>;
	stop: () => void;
}

/**
 * Runs a server in place of Slack's during the tests of a file. n8n speaks TLS with slack.com as usual,
 * through a proxy that leads there and nowhere else.
 */
export const useSlack = (): (() => Slack) =>
	useResource(startSlack, ({ stop }) => {
		stop();
	});

async function startSlack(): Promise<Slack> {
	const requests: SlackRequest[] = [];
	const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }], {
		keyType: 'ec',
		algorithm: 'sha256',
	});
	const slack = createTlsServer({ key, cert }, (request, response) => {
		void readRequest(request).then((received) => {
			requests.push(received);
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(answerTo(received)));
		});
	});
	const proxy = createServer((_, response) => response.writeHead(403).end());
	proxy.on('connect', ({ url }, socket) => {
		if (url !== `${HOST}:443`) {
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		slack.emit('connection', socket);
	});
	await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
	const address = proxy.address();
	if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port');

	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-slack-'));
	const certificateFile = join(folder, 'slack.pem');
	writeFileSync(certificateFile, cert);
	return {
		requests,
		environment: {
			// In lower case, since n8n prefers these to those in capitals, which may be set here.
			https_proxy: `http://localhost:${address.port}`,
			no_proxy: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: certificateFile,
		},
		stop: () => {
			slack.closeAllConnections();
			proxy.closeAllConnections();
			proxy.close();
			rmSync(folder, { recursive: true });
		},
	};
}

async function readRequest(request: IncomingMessage): Promise<SlackRequest> {
	const { method, url, headers } = request;
	const body = await json(request).catch(() => undefined);
	return { method, path: url, authorization: headers.authorization, body };
}

/** The link behind a button of a message. */
function buttonLink({ body }: SlackRequest, label: string): string {
	const button = JSON.stringify(body)
		.split('"type":"button"')
		.find((text) => text.includes(`"text":"${label}"`));
	const link = /"url":"(.+?)"/.exec(button ?? '')?.[1];
	if (link === undefined) throw new Error(`The message has no button "${label}"`);
	return link;
}

/**
 * Opens the form behind a button of a message, as a preview does, and then sends it with an answer in
 * its one field; returns the page of the form.
 */
export async function answerForm(
	question: SlackRequest,
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
export function expectQuoted(message: SlackRequest | undefined): void {
	const shown = JSON.stringify(message?.body);
	const quotes = shown.match(/`[^`\\]*`/g) ?? [];
	expect(quotes.join()).toMatch(/evil/i);
	for (const quote of quotes) {
		expect(quote).toMatch(/^`[\p{L}\p{N} .,$/+_@-]{1,300}`$/u);
		expect(quote).not.toMatch(/\W@|@\W|^[^@]*\.[a-z]/i);
	}
	expect(shown.replaceAll(/`[^`\\]*`/g, '')).not.toMatch(/[`<>@]|evil|tada/i);
}

/** Slack's answer to a message, and to requests that it does not know. */
function answerTo({ path, body }: SlackRequest): object {
	if (path !== '/api/chat.postMessage') return { ok: false, error: 'unknown_method' };
	return {
		ok: true,
		channel: 'C0PAYOUTS1',
		ts: '1767225600.000100',
		message: { type: 'message', ...(typeof body === 'object' ? body : {}) },
	};
}
