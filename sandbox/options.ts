import { parseArgs } from 'node:util';

/** How a sandbox is run. */
export interface Options {
	/** Address to listen on. */
	listen: string;
	/** Port of the REST API and the control API; 0 takes any free one. */
	port: number;
	/** Port of the token endpoint and the identity provider; 0 takes any free one. */
	authPort: number;
	/** File that holds the state; undefined keeps it in memory. */
	data: string | undefined;
	/** Production: deposits cannot be simulated, and the audience is another one. */
	production: boolean;
	/** The token endpoint refuses form bodies. */
	strictJson: boolean;
	/** What becomes of the funding of a payable that has been funded. */
	secondFunding: 'refuse' | 'accept';
	/** Per account. */
	requestsPerMinute: number;
	/** The time in which so many requests are accepted; 60, unless the minute is scaled. */
	rateWindowSeconds: number;
	/** Origin at which others reach the API, without a slash at the end; undefined for the port here. */
	publicUrl: string | undefined;
	/** Origin at which others reach the identity provider. */
	publicAuthUrl: string | undefined;
	/** Names in the Host header that are answered beside those of this machine, in lower case. */
	allowedHosts: string[];
	/** File that is written when both hosts listen. */
	readyFile: string | undefined;
}

/** What the command line takes. */
export const usage = `Usage: npm run sandbox -- [flags]

  --listen ADDRESS         address to listen on (localhost)
  --port N                 port of the API and the control API (4010; 0 takes any free one)
  --auth-port N            port of the identity provider (4011; 0 takes any free one)
  --data FILE              keep the state in this file (otherwise in memory)
  --production             behave as production: deposits cannot be simulated
  --strict-json            refuse token requests that are not JSON
  --second-funding MODE    refuse or accept a second funding of a payable (refuse)
  --requests-per-minute N  requests per minute and account (100)
  --rate-window-seconds N  how long that minute is (60)
  --public-url URL         where others reach the API: used in every link, and its host is allowed
  --public-auth-url URL    where others reach the identity provider, in the same way
  --allow-host NAME        answer to this name in the Host header too; may be repeated
  --ready-file FILE        write addresses and credentials here as JSON once it listens
  --help                   show this`;

/** A command line that cannot be understood; the message is a sentence for the user. */
export class InvalidFlags extends Error {}

/**
 * Reads the command line; undefined means that help was asked for.
 * @throws InvalidFlags
 */
export function readOptions(args: string[]): Options | undefined {
	const values = parse(args);
	if (values.help) return undefined;
	return {
		listen: values.listen,
		port: number('--port', values.port, 0, 65_535),
		authPort: number('--auth-port', values['auth-port'], 0, 65_535),
		data: nonEmpty('--data', values.data),
		production: values.production,
		strictJson: values['strict-json'],
		secondFunding: oneOf('--second-funding', values['second-funding'], ['refuse', 'accept']),
		requestsPerMinute: number('--requests-per-minute', values['requests-per-minute'], 1, 1e9),
		rateWindowSeconds: number('--rate-window-seconds', values['rate-window-seconds'], 1, 86_400),
		publicUrl: origin('--public-url', values['public-url']),
		publicAuthUrl: origin('--public-auth-url', values['public-auth-url']),
		allowedHosts: values['allow-host'].map(hostName),
		readyFile: nonEmpty('--ready-file', values['ready-file']),
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				listen: { type: 'string', default: 'localhost' },
				port: { type: 'string', default: '4010' },
				'auth-port': { type: 'string', default: '4011' },
				data: { type: 'string' },
				production: { type: 'boolean', default: false },
				'strict-json': { type: 'boolean', default: false },
				'second-funding': { type: 'string', default: 'refuse' },
				'requests-per-minute': { type: 'string', default: '100' },
				'rate-window-seconds': { type: 'string', default: '60' },
				'public-url': { type: 'string' },
				'public-auth-url': { type: 'string' },
				'allow-host': { type: 'string', multiple: true, default: [] },
				'ready-file': { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new InvalidFlags(error instanceof Error ? error.message : String(error));
	}
}

function number(flag: string, value: string, minimum: number, maximum: number): number {
	const parsed = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
	if (parsed >= minimum && parsed <= maximum) return parsed;
	throw new InvalidFlags(
		`${flag} must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(value)}.`,
	);
}

function oneOf<Value extends string>(flag: string, value: string, known: Value[]): Value {
	const found = known.find((one) => one === value);
	if (found !== undefined) return found;
	throw new InvalidFlags(`${flag} must be ${known.join(' or ')}, not ${JSON.stringify(value)}.`);
}

function origin(flag: string, value: string | undefined): string | undefined {
	if (value === undefined) return undefined;
	const url = URL.parse(value);
	if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) {
		return url.origin;
	}
	throw new InvalidFlags(
		`${flag} must be an http or https address without a path, not ${JSON.stringify(value)}.`,
	);
}

function hostName(value: string): string {
	if (/^(?:[a-z\d._-]+|\[[a-f\d:.]+\])$/i.test(value)) return value.toLowerCase();
	throw new InvalidFlags(
		`--allow-host must be a name without a port, not ${JSON.stringify(value)}.`,
	);
}

function nonEmpty(flag: string, value: string | undefined): string | undefined {
	if (value === '') throw new InvalidFlags(`${flag} needs the name of a file.`);
	return value;
}
