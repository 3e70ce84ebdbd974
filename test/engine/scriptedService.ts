import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the API as it came in. */
export interface Received {
	method: string;
	url: string;
	authorization: string | undefined;
	/** How the answer may be encoded. */
	encoding: string | string[] | undefined;
	/** The parsed JSON; undefined when there is no body. */
	body: unknown;
}

/**
 * An answer: a status with a body (JSON, or text when it is a string or a Buffer), a cut line, or an
 * answer that comes byte by byte and to no end.
 */
export type Answer =
	| 'cut'
	| 'endless'
	| {
			status?: number;
			body?: unknown;
			type?: string;
			headers?: Record<string, string>;
			/** Half of the body comes, or all of it a few bytes at a time. */
			transfer?: 'truncated' | 'dripping';
	  };

/** Decides what is answered to the nth request to the API, counted from zero. */
export type Script = (request: Received, position: number) => Answer | Promise<Answer>;

/**
 * A service that answers as a test wants, for what the sandbox cannot say. Its token endpoint issues
 * token-1-opaque, token-2-opaque, …
 */
export class ScriptedService {
	readonly requests: Received[] = [];
	tokensIssued = 0;
	script: Script = () => ({ status: 404, body: { message: 'No script' } });
	/** Decides what the token endpoint answers instead of a token. */
	answerToken: (() => Answer) | undefined;

	private readonly server = createServer((request, response) => {
		void this.serve(request, response);
	});

	constructor(private readonly host = 'localhost') {}

	get url(): string {
		return `http://${this.host}:${(this.server.address() as AddressInfo).port}`;
	}

	async start(): Promise<void> {
		this.server.listen(0, this.host);
		await once(this.server, 'listening');
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	/** Starts anew: answers as this script says, and forgets earlier requests. */
	useScript(script: Script): void {
		this.requests.length = 0;
		this.tokensIssued = 0;
		this.answerToken = undefined;
		this.script = script;
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}

		const text = Buffer.concat(chunks).toString();
		if (request.url === '/oauth/token') {
			this.tokensIssued += 1;
			const token = { access_token: `token-${this.tokensIssued}-opaque`, expires_in: 86_400 };
			send(response, this.answerToken?.() ?? { body: token });

			return;
		}

		const received: Received = {
			method: request.method ?? '',
			url: request.url ?? '',
			authorization: request.headers.authorization,
			encoding: request.headers['accept-encoding'],
			body: text === '' ? undefined : JSON.parse(text),
		};

		this.requests.push(received);
		const answer = await this.script(received, this.requests.length - 1);
		send(response, answer);
	}
}

function drip(response: ServerResponse, content: Buffer): void {
	if (content.length === 0) {
		response.end();
	} else {
		response.write(content.subarray(0, 4), () =>
			setTimeout(drip, 2, response, content.subarray(4)),
		);
	}
}

function send(response: ServerResponse, answer: Answer): void {
	if (answer === 'cut') {
		response.destroy();
		return;
	}

	if (answer === 'endless') {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => response.write(' '), 20);
		response.once('close', () => {
			clearInterval(drip);
		});

		return;
	}

	const { status = 200, body = '', headers = {} } = answer;
	const plain = typeof body === 'string' || Buffer.isBuffer(body);
	const type = answer.type ?? (plain ? 'text/plain' : 'application/json');
	const content = Buffer.from(plain ? body : JSON.stringify(body));
	const length = answer.transfer && { 'content-length': content.length };
	response.writeHead(status, { 'content-type': type, ...length, ...headers });
	if (answer.transfer === 'truncated') {
		response.write(content.subarray(0, content.length / 2), () => response.destroy());
	} else if (answer.transfer === 'dripping') {
		drip(response, content);
	} else {
		response.end(content);
	}
}
