import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A write that is kept back: PostgreSQL gets it, and what follows on its connection, later. */
interface HeldWrite {
	/** What its statement looks like. */
	pattern: RegExp;
	/** How many writes that match go through before. */
	skip: number;
	holdMs: number;
	/** Is called when it is kept back. */
	onHeld: () => void;
}

/** Stands between one process of n8n and PostgreSQL, and makes the database slow for this process. */
export class DatabaseProxy {
	/** How much later PostgreSQL gets each message, in milliseconds. */
	delayMs = 0;

	private held: HeldWrite | undefined;

	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		private readonly databasePort: number,
	) {
		server.on('connection', (client) => this.forward(client));
	}

	/** Listens on a free port of this machine. */
	static async start(databasePort: number): Promise<DatabaseProxy> {
		const proxy = new DatabaseProxy(createServer(), databasePort);
		await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
		return proxy;
	}

	get port(): number {
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('It does not listen');
		return address.port;
	}

	/**
	 * Keeps back one write for a time.
	 *
	 * @param skip how many writes that match go through before
	 * @returns what withdraws it when it has not come, and a promise that resolves when it is kept back
	 */
	holdWrite(
		pattern: RegExp,
		skip: number,
		holdMs: number,
	): { isHeld: Promise<void>; withdraw: () => void } {
		let onHeld = (): void => undefined;
		const isHeld = new Promise<void>((resolve) => (onHeld = resolve));
		this.held = { pattern, skip, holdMs, onHeld };
		return { isHeld, withdraw: () => (this.held = undefined) };
	}

	/** Closes it and its connections. */
	async stop(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private forward(client: Socket): void {
		const database = connect(this.databasePort, '127.0.0.1');
		let sent = Promise.resolve();
		client.on('data', (message) => {
			const waitMs = this.delayMs + this.heldFor(message);
			if (waitMs > 0) client.pause();
			sent = sent.then(async () => {
				if (waitMs > 0) await delay(waitMs);
				database.write(message);
				client.resume();
			});
		});
		database.pipe(client);
		for (const [socket, other] of [
			[client, database],
			[database, client],
		] as const) {
			socket.setNoDelay(true);
			this.sockets.add(socket);
			// The other side hears of an end by its own end alone.
			socket.on('error', () => undefined);
			socket.on('close', () => {
				this.sockets.delete(socket);
				other.destroy();
			});
		}
	}

	/** How long a message has to be kept back beside the usual delay. */
	private heldFor(message: Buffer): number {
		const { held } = this;
		if (held === undefined || !held.pattern.test(message.toString('latin1'))) return 0;
		if (held.skip > 0) {
			held.skip -= 1;
			return 0;
		}
		this.held = undefined;
		held.onHeld();
		return held.holdMs;
	}
}
