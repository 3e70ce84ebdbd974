import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
	characters,
	settingSchemas,
	type Character,
	type Settings,
	type SettingSchema,
} from './shared/settings';

/** How a sandbox is run: where it listens, and the settings that differ from their defaults. */
export interface Options extends Partial<Settings> {
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
	/** Origin at which others reach the API, without a slash at the end; undefined for the port here. */
	publicUrl: string | undefined;
	/** Origin at which others reach the identity provider. */
	publicAuthUrl: string | undefined;
	/** Names in the Host header that are answered beside those of this machine, in lower case. */
	allowedHosts: string[];
	/** File that is written when both hosts listen. */
	readyFile: string | undefined;
	/** Many settings at once; those that are given themselves win. */
	character: Character | undefined;
}

/** A command line that cannot be understood; the message is a sentence for the user. */
export class InvalidFlags extends Error {}

/** `secondFunding` → `second-funding` */
const kebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const settings = Object.entries(settingSchemas) as [keyof Settings, SettingSchema][];

/** What a setting takes, as the help says it. */
const rangeOf = ({ type, enum: values, default: initial }: SettingSchema): string =>
	type === 'boolean' ? (initial ? 'on' : 'off') : (values?.join(', ') ?? String(initial));

/** What the command line takes. */
export const usage = `Usage: npm run sandbox -- [flags]

  --listen ADDRESS         address to listen on (localhost)
  --port N                 port of the API and the control API (4010; 0 takes any free one)
  --auth-port N            port of the identity provider (4011; 0 takes any free one)
  --data FILE              keep the state in this file (otherwise in memory)
  --production             behave as production: deposits cannot be simulated
  --public-url URL         where others reach the API: used in every link, and its host is allowed
  --public-auth-url URL    where others reach the identity provider, in the same way
  --allow-host NAME        answer to this name in the Host header too; may be repeated
  --ready-file FILE        write addresses and credentials here as JSON once it listens
  --character NAME         many settings at once (${Object.keys(characters).join(', ')})
  --help                   show this

Settings, which can be changed while it runs; --no-… turns one off:

${settings
	.map(
		([name, schema]) => `  --${kebab(name).padEnd(30)} ${schema.description} (${rangeOf(schema)})`,
	)
	.join('\n')}`;

/**
 * Reads the command line; undefined means that help was asked for.
 * @throws InvalidFlags
 */
export function readOptions(args: string[]): Options | undefined {
	const values = parse(args);
	if (values['help'] === true) return undefined;
	const text = (name: string): string | undefined => {
		const value = values[name];
		return typeof value === 'string' ? value : undefined;
	};
	const character = text('character') ?? process.env['SANDBOX_CHARACTER'];
	const names = Object.keys(characters) as Character[];
	const hosts = values['allow-host'];
	const given = settings.flatMap(([name, schema]) => {
		const value = values[kebab(name)];
		return value === undefined ? [] : [[name, settingOf(`--${kebab(name)}`, schema, value)]];
	});
	return {
		listen: text('listen') ?? 'localhost',
		port: whole('--port', text('port') ?? '4010', 0, 65_535),
		authPort: whole('--auth-port', text('auth-port') ?? '4011', 0, 65_535),
		data: nonEmpty('--data', text('data')),
		production: values['production'] === true,
		publicUrl: origin('--public-url', text('public-url')),
		publicAuthUrl: origin('--public-auth-url', text('public-auth-url')),
		allowedHosts: (Array.isArray(hosts) ? hosts : []).map((name) => hostName(String(name))),
		readyFile: nonEmpty('--ready-file', text('ready-file')),
		character: character === undefined ? undefined : oneOf('--character', character, names),
		...(Object.fromEntries(given) as Partial<Settings>),
	};
}

/** The settings that a sandbox begins with, where they are not the defaults. */
export function initialSettings(options: Options): Partial<Settings> {
	const own = settings.filter(([name]) => options[name] !== undefined);
	const given = Object.fromEntries(own.map(([name]) => [name, options[name]]));
	return { ...(options.character && characters[options.character]), ...given };
}

/** Options as flags that `readOptions` understands. */
export const flagsOf = (options: Partial<Options>): string[] =>
	Object.entries(options).flatMap(([name, value]) => {
		if (name === 'allowedHosts')
			return options.allowedHosts?.map((one) => `--allow-host=${one}`) ?? [];
		if (typeof value === 'boolean')
			return value || name in settingSchemas ? [`--${value ? '' : 'no-'}${kebab(name)}`] : [];
		return value === undefined ? [] : [`--${kebab(name)}=${String(value)}`];
	});

function parse(args: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean' } as const;
	const options: NonNullable<ParseArgsConfig['options']> = {
		...{ listen: text, port: text, 'auth-port': text, data: text, production: flag, help: flag },
		...{ 'public-url': text, 'public-auth-url': text, 'ready-file': text, character: text },
		'allow-host': { type: 'string', multiple: true },
	};
	for (const [name, { type }] of settings) options[kebab(name)] = type === 'boolean' ? flag : text;
	try {
		return parseArgs({ args, options, allowNegative: true }).values;
	} catch (error) {
		throw new InvalidFlags(error instanceof Error ? error.message : String(error));
	}
}

type Given = ReturnType<typeof parse>[string];

function settingOf(flag: string, schema: SettingSchema, value: Given): string | boolean | number {
	if (typeof value === 'boolean') return value;
	const text = String(value);
	if (schema.type === 'integer') {
		return whole(flag, text, schema.minimum ?? 0, schema.maximum ?? 1e9);
	}
	if (schema.enum !== undefined) return oneOf(flag, text, schema.enum);
	if (new RegExp(schema.pattern ?? '').test(text)) return text;
	throw new InvalidFlags(`${flag} must not be ${JSON.stringify(text)}.`);
}

function whole(flag: string, value: string, minimum: number, maximum: number): number {
	const parsed = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
	if (parsed >= minimum && parsed <= maximum) return parsed;
	throw new InvalidFlags(
		`${flag} must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(value)}.`,
	);
}

function oneOf<Value extends string>(flag: string, value: string, known: readonly Value[]): Value {
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
