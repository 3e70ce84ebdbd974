import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Event } from '../../sandbox/client';

/** A POST as it came in. */
export interface Received {
	path: string;
	type: string | undefined;
	signature: string | undefined;
	body: string;
}

/** What a receiver does with a POST: answers with a status, breaks the connection, or nothing. */
export type Reaction = number | 'cut' | 'silence';

/** A subscriber: a web server that keeps what it gets. Begins and ends with the test file. */
export class Receiver {
	received: Received[] = [];
	/** The headers of each of them, which differ from attempt to attempt. */
	headers: IncomingHttpHeaders[] = [];
	/** The most POSTs that were there at once and not answered. */
	maxConcurrent = 0;
	/** What it does, until told otherwise: takes everything. */
	react: (received: Received) => Reaction | Promise<Reaction> = () => 200;
	#now = 0;

	readonly #server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const received: Received = {
				path: request.url ?? '',
				type: request.headers['content-type'],
				signature: [
					request.headers['x-signature'] ?? request.headers['webhook-signature'],
				].flat()[0],
				body: Buffer.concat(chunks).toString('utf8'),
			};

			this.headers.push(request.headers);
			this.received.push(received);
			void this.#answer(received, response);
		});
	});

	constructor() {
		beforeAll(async () => {
			await once(this.#server.listen(0, 'localhost'), 'listening');
		});

		afterAll(() => {
			this.#server.closeAllConnections();
			this.#server.close();
		});
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** An address that it listens on. */
	url(path = '/hook'): string {
		return `http://localhost:${this.port}${path}`;
	}

	/** Forgets what came in, takes everything again, and lets go of who is waiting. */
	clear(): void {
		this.#server.closeAllConnections();
		this.received = [];
		this.headers = [];
		this.maxConcurrent = 0;
		this.#now = 0;
		this.react = () => 200;
	}

	async #answer(received: Received, response: ServerResponse): Promise<void> {
		this.#now += 1;
		this.maxConcurrent = Math.max(this.maxConcurrent, this.#now);
		const reaction = await this.react(received);
		if (reaction === 'silence') {
			return;
		}

		this.#now -= 1;
		if (reaction === 'cut') {
			response.socket?.destroy();
		} else {
			response.writeHead(reaction, { location: '/elsewhere' }).end('{"ok":true}');
		}
	}

	/** What came in at a path. */
	at(path: string): Received[] {
		return this.received.filter((received) => received.path === path);
	}
}

/** The event that a POST in the contract's envelope tells of. */
export const eventIn = ({ body }: Received): Event => JSON.parse(body) as Event;

/** Whether there is a POST, signed with this secret; checked without the sandbox's own code. */
export const isSignedWith = (secret: string, received: Received | undefined): boolean =>
	received?.signature ===
	createHmac('sha256', secret)
		.update(received?.body ?? '')
		.digest('hex');
