import { createServer, type Socket } from 'node:net';

/** A mail as it came, with its headers. */
export interface ReceivedMail {
	recipients: string[];
	content: string;
}

/** What takes mail in a mail server's place. */
export interface MailServer {
	/** Every mail so far. */
	mails: ReceivedMail[];
	/** The data of a credential for it. */
	credentialData: Record<string, unknown>;
}

interface RunningMailServer extends MailServer {
	stop: () => void;
}

const HOST = '127.0.0.1';

/**
 * Takes mail in a mail server's place while the tests of a file run.
 *
 * @returns a function that gives it to a test
 */
export function useMailServer(): () => MailServer {
	let server: RunningMailServer | undefined;
	beforeAll(async () => {
		server = await startMailServer();
	});
	afterAll(() => {
		server?.stop();
	});
	return () => {
		if (server === undefined) throw new Error('Nothing takes mail');
		return server;
	};
}

async function startMailServer(): Promise<RunningMailServer> {
	const mails: ReceivedMail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		receiveMail(socket, (mail) => mails.push(mail));
	});
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
	return {
		mails,
		credentialData: { host: HOST, port: address.port, secure: false, disableStartTls: true },
		stop: () => {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

/** Speaks as much SMTP as a client needs that trusts the server and sends mail by mail. */
function receiveMail(socket: Socket, received: (mail: ReceivedMail) => void): void {
	let recipients: string[] = [];
	let lines: string[] | undefined;
	let rest = '';
	const reply = (line: string) => socket.write(`${line}\r\n`);
	const command = (line: string) => {
		const recipient = /^RCPT TO:<(.+?)>/i.exec(line)?.[1];
		if (recipient !== undefined) recipients.push(recipient);
		if (/^DATA/i.test(line)) {
			lines = [];
			reply('354 Go on');
		} else {
			reply(/^QUIT/i.test(line) ? '221 Bye' : '250 OK');
		}
	};
	const content = (line: string, mail: string[]) => {
		if (line !== '.') {
			mail.push(line);
			return;
		}
		received({ recipients, content: mail.join('\r\n') });
		recipients = [];
		lines = undefined;
		reply('250 OK');
	};
	reply(`220 ${HOST}`);
	socket.setEncoding('latin1').on('data', (chunk: string) => {
		const complete = (rest + chunk).split('\r\n');
		rest = complete.pop() ?? '';
		for (const line of complete) {
			if (lines === undefined) command(line);
			else content(line, lines);
		}
	});
}

/** The file of this type that is attached to a mail. */
export function attachment({ content }: ReceivedMail, type: string): Buffer {
	const [, part] = content.split(`Content-Type: ${type}`);
	const encoded = /\r\n\r\n([\w+/=\r\n]+)\r\n--/.exec(part ?? '')?.[1];
	if (encoded === undefined) throw new Error(`No ${type} is attached`);
	return Buffer.from(encoded, 'base64');
}
