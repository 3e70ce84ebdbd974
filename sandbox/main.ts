import { readOptions, usage, InvalidFlags, type Options } from './options';
import { startServer, type Ready } from './server';
import { valuesToEnter } from './values';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const reportError = (text: string): boolean => process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options === undefined) {
		print(usage);
		return;
	}

	const { ready, close } = await startServer(options, reportError);
	printReady(options, ready);
	process.send?.(ready);

	let closing = false;
	const stop = () => {
		if (closing) {
			return;
		}

		closing = true;
		close()
			.then(() => process.exit(0))
			.catch(fail);
	};

	process.on('SIGINT', stop);
	process.on('SIGTERM', stop);
	// The channel closes when the process that started the sandbox has ended.
	process.on('disconnect', stop);
}

function printReady(options: Options, ready: Ready): void {
	if (options.proxyTo !== undefined) {
		printProxy(options, ready);
		return;
	}

	print(`The sandbox is ready${options.production ? ', in production mode' : ''}.

  Console        ${ready.controlUrl}
  State          ${options.data ?? 'in memory, gone when it stops'}${certificateLine(ready)}

Enter in n8n:

${valuesToEnter(ready)}

Press Ctrl-C to stop it.`);
}

function printProxy({ proxyTo, report }: Options, ready: Ready): void {
	print(`All requests are passed on to ${proxyTo ?? ''}.

  API Base URL   ${ready.apiUrl}
  Auth Base URL  ${ready.authUrl}
  Report         ${ready.controlUrl}/report${report === undefined ? '' : `, ${report}`}

Press Ctrl-C to stop it.`);
}

/** Where the certificate is that a client has to trust, for example n8n by NODE_EXTRA_CA_CERTS. */
const certificateLine = ({ certificateFile }: Ready): string =>
	certificateFile === null ? '' : `\n  Certificate    ${certificateFile}`;

function fail(error: unknown): never {
	if (error instanceof InvalidFlags) {
		reportError(`${error.message}\n\n${usage}`);
		process.exit(2);
	}

	reportError(`The sandbox cannot run: ${error instanceof Error ? error.message : String(error)}`);
	process.exit(1);
}

main().catch(fail);
