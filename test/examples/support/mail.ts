import getPort from 'get-port';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { useResource } from '../../n8n/support/resource';

/** A mail as it was received. */
export interface ReceivedMail extends ParsedMail {
	recipients: string[];
}

/** A mail server that keeps what it receives. */
export interface MailServer {
	mails: ReceivedMail[];
	/** The data of a credential for it. */
	credentialData: Record<string, unknown>;
	/** Has it refuse all further mails, or take them again. */
	refuse: (isRefusing: boolean) => void;
	stop: () => Promise<void>;
}

const HOST = '127.0.0.1';

/** Runs a mail server during the tests of a file. */
export const useMailServer = (): (() => MailServer) =>
	useResource(startMailServer, async ({ stop }) => {
		await stop();
	});

async function startMailServer(): Promise<MailServer> {
	const mails: ReceivedMail[] = [];
	let isDown = false;
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onConnect: (_, callback) => {
			callback(isDown ? new Error('Out of order') : undefined);
		},
		onData: (stream, { envelope }, callback) => {
			simpleParser(stream).then((mail) => {
				mails.push({ ...mail, recipients: envelope.rcptTo.map(({ address }) => address) });
				callback();
			}, callback);
		},
	});

	const port = await getPort();
	await new Promise<void>((resolve) => server.listen(port, HOST, resolve));

	return {
		mails,
		credentialData: { host: HOST, port, secure: false, disableStartTls: true },
		refuse: (isRefusing) => {
			isDown = isRefusing;
		},
		stop: async () => {
			await new Promise<void>((resolve) => server.close(resolve));
		},
	};
}

/** The file of this type that is attached to a mail. */
export function attachment({ attachments }: ReceivedMail, type: string): Buffer {
	const file = attachments.find(({ contentType }) => contentType === type);
	if (file === undefined) {
		throw new Error(`No ${type} is attached`);
	}

	return file.content;
}
