import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { HEADERS } from './messages';
import { payableIdsIn, type Answer, type Funding, type Sender, type Truth } from './truth';

const MAX_DELAY_MS = 200;

/** The service on a port of this machine: what it does with requests that go wrong. */
export class Service {
	private readonly server: Server;
	private requests = 0;

	constructor(private readonly truth: Truth) {
		this.server = createServer((request, response) => {
			this.requests += 1;
			void this.answer(request, response)
				.catch(() => request.socket.destroy())
				.finally(() => (this.requests -= 1));
		});
	}

	/** @returns its port */
	async listen(): Promise<number> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		const address = this.server.address();
		if (address === null || typeof address === 'string') {
			throw new Error('The service has no port');
		}

		return address.port;
	}

	/** Resolves when no request is left that a killed process has sent. */
	async idle(): Promise<void> {
		do {
			await delay(30);
		} while (this.requests > 0);
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await bodyOf(request);
		const url = request.url ?? '';
		const headerOf = (name: string): string => String(request.headers[name]);
		const sender: Sender = {
			taskId: headerOf(HEADERS.task),
			round: Number(headerOf(HEADERS.round)),
			sentAt: Number(headerOf(HEADERS.sentAt)),
		};

		let funding: Funding | undefined;
		const effect = (): Answer => {
			const done = this.effect(url, body, sender);
			funding = done.funding;
			return done.answer;
		};
		const end = ({ status, body: answered }: Answer): void => {
			const text = JSON.stringify(answered);
			response.writeHead(status, { 'content-type': 'application/json' }).end(text, () => {
				if (funding !== undefined) {
					funding.isAnswered = true;
				}
			});
		};

		switch (headerOf(HEADERS.fault)) {
			case 'refused':
				end({ status: 402, body: { message: 'No' } });
				return;
			case 'limited':
				end({ status: 429, body: {} });
				return;
			case 'failed':
				request.socket.destroy();
				return;
			case 'lost':
				effect();
				request.socket.destroy();
				return;
			case 'late':
				this.truth.later(sender.round, payableIdsIn(body), effect);
				request.socket.destroy();
				return;
			case 'slow': {
				const answer = effect();
				await delay(Math.random() * MAX_DELAY_MS);
				end(answer);
				return;
			}
			case 'queued':
				await delay(Math.random() * MAX_DELAY_MS);
				end(effect());
				return;
			default:
				end(effect());
		}
	}

	private effect(
		url: string,
		body: Record<string, unknown>,
		sender: Sender,
	): { answer: Answer; funding?: Funding } {
		const [, resource = '', id = '', action = ''] = url.split('/');
		if (url === '/payable') {
			return { answer: this.truth.create(body, sender) };
		}

		if (resource === 'payable' && action === 'approve') {
			return { answer: this.truth.approve(id) };
		}

		if (url === '/funding') {
			return this.truth.fund(body, sender);
		}

		if (action === 'link-deposit') {
			return { answer: this.truth.link(id) };
		}

		const pdf = { pdf_url: 'https://service.example.com/invoice.pdf' };
		return { answer: { status: 200, body: pdf } };
	}
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
	let text = '';
	for await (const chunk of request.setEncoding('utf8')) {
		text += String(chunk);
	}

	return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
