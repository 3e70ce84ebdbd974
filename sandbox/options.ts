import { parseArgs, type ParseArgsConfig } from 'node:util';
import Ajv, { type ErrorObject } from 'ajv';
import { builtIn } from './shared/builtIn';
import {
	characters,
	settingSchemas,
	type Character,
	type Settings,
	type SettingSchema,
} from './shared/settings';

/** How a sandbox is run: where it listens, and the settings that differ from their defaults. */
export interface Options extends Partial<Settings> {
	listen: string;
	port: number;
	authPort: number;
	data?: string | undefined;
	production: boolean;
	/** Without a slash at the end, as `publicAuthUrl`. */
	publicUrl?: string | undefined;
	publicAuthUrl?: string | undefined;
	/** In lower case. */
	allowHost: string[];
	character?: Character | undefined;
	tls: boolean;
	/** Without a slash at the end, as `proxyAuthTo`. */
	proxyTo?: string | undefined;
	proxyAuthTo?: string | undefined;
	proxyDeliveries: boolean;
	report?: string | undefined;
	requestTimeoutMs: number;
}

/** A command line that cannot be understood; the message is a sentence for the user. */
export class InvalidFlags extends Error {}

type FlagSchema = Partial<Omit<SettingSchema, 'type' | 'default'>> & {
	type: SettingSchema['type'] | 'array';
	default?: SettingSchema['default'] | string[];
	description: string;
	minLength?: number;
	items?: { pattern: string };
};

const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const;
const origin = { type: 'string', pattern: '^https?://[^/?#\\s]+/?$' } as const;
const root = { type: 'string', pattern: '^https?://[^?#\\s]+$' } as const;
const file = { type: 'string', minLength: 1 } as const;
const names = Object.keys(characters) as Character[];

/** What is no setting: it holds as long as the process. */
const flags: Record<Exclude<keyof Options, keyof Settings>, FlagSchema> = {
	listen: { ...file, default: 'localhost', description: 'Address to listen on' },
	port: { ...port, default: 7297, description: 'Port of the API; 0 takes any free one' },
	authPort: { ...port, default: 7298, description: 'Port of the identity provider' },
	data: { ...file, description: 'File that keeps the state, instead of memory' },
	production: { type: 'boolean', default: false, description: 'No deposits can be simulated' },
	publicUrl: { ...origin, description: 'Where others reach the API: used in links, and allowed' },
	publicAuthUrl: { ...origin, description: 'Where others reach the identity provider' },
	allowHost: {
		type: 'array',
		items: { pattern: '^([A-Za-z\\d._-]+|\\[[A-Fa-f\\d:.]+\\])$' },
		default: [],
		description: 'Name in the Host header to answer to; may be repeated',
	},
	character: { type: 'string', enum: names, description: 'Many settings at once' },
	tls: { type: 'boolean', default: false, description: 'HTTPS alone, by a certificate of its own' },
	proxyTo: { ...root, description: 'REST root of a service to pass all on to, and to report on' },
	proxyAuthTo: { ...root, description: 'Root of its authentication' },
	proxyDeliveries: {
		type: 'boolean',
		default: false,
		description: 'Let deliveries come by the proxy; its address stays subscribed',
	},
	report: { ...file, description: 'File for the report of the proxy' },
	requestTimeoutMs: {
		type: 'integer',
		minimum: 1,
		maximum: 600_000,
		default: 10_000,
		description: 'Milliseconds for a whole request to arrive',
	},
};

const known: Record<string, FlagSchema> = { ...flags, ...settingSchemas };

/** `secondFunding` → `second-funding` */
const kebab = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const rangeOf = ({ enum: values, default: initial }: FlagSchema): string | undefined => {
	if (typeof initial === 'boolean') {
		return initial ? 'on' : 'off';
	}

	return values?.join(', ') ?? initial?.toString();
};

function lineOf(name: string, schema: FlagSchema): string {
	const flag = kebab(name).padEnd(30);
	const line = `  --${flag} ${schema.description}`;
	const range = rangeOf(schema);
	return range === undefined || range === '' ? line : `${line} (${range})`;
}

const linesOf = (schemas: Record<string, FlagSchema>): string =>
	Object.entries(schemas)
		.map(([name, schema]) => lineOf(name, schema))
		.join('\n');

export const usage = `Usage: ${builtIn.command} [flags]

${linesOf(flags)}
  --help

Settings, which can be changed while it runs; --no-… turns one off:

${linesOf(settingSchemas)}`;

const ajv = new Ajv({ coerceTypes: true, useDefaults: true, strict: false });

/** A setting has no default here: one that is not given is left to the data file. */
const settingProperties = Object.fromEntries(
	Object.entries(settingSchemas).map(([name, { default: _, ...schema }]) => [name, schema]),
);

const isValid = ajv.compile<Options>({
	type: 'object',
	properties: { ...flags, ...settingProperties },
});

/** Undefined when help was asked for. @throws InvalidFlags */
export function readOptions(args: string[]): Options | undefined {
	const { help, ...given } = parse(args);
	if (help === true) {
		return undefined;
	}

	const wanted: Record<string, unknown> = {};
	const character = process.env['SANDBOX_CHARACTER'];
	if (character !== undefined && character !== '') {
		wanted['character'] = character;
	}

	for (const name of Object.keys(known)) {
		const value = given[kebab(name)];
		if (value !== undefined) {
			wanted[name] = value;
		}
	}

	if (!isValid(wanted)) {
		throw invalidFlag(isValid.errors?.[0], given);
	}

	return {
		...wanted,
		allowHost: wanted.allowHost.map((name) => name.toLowerCase()),
		publicUrl: wanted.publicUrl?.replace(/\/$/, ''),
		publicAuthUrl: wanted.publicAuthUrl?.replace(/\/$/, ''),
		proxyTo: wanted.proxyTo?.replace(/\/$/, ''),
		proxyAuthTo: wanted.proxyAuthTo?.replace(/\/$/, ''),
	};
}

function invalidFlag(error: ErrorObject | undefined, given: Record<string, unknown>): InvalidFlags {
	const { instancePath = '', message = '', params = {} } = error ?? {};
	const [, name = ''] = instancePath.split('/');
	const allowed = params['allowedValues'] as string[] | undefined;
	const why = allowed === undefined ? message : `must be one of: ${allowed.join(', ')}`;
	const flag = kebab(name);
	return new InvalidFlags(`--${flag} ${why}, not ${JSON.stringify(given[flag])}.`);
}

/** The settings that a sandbox begins with, where they are not the defaults. */
export function initialSettings(options: Options): Partial<Settings> {
	const given = Object.entries(options).filter(
		([name, value]) => name in settingSchemas && value !== undefined,
	);

	const ofCharacter = options.character === undefined ? {} : characters[options.character];
	return { ...ofCharacter, ...(Object.fromEntries(given) as Partial<Settings>) };
}

/** A setting or an option as a flag. */
export function flagOf(name: string, value: string | number | boolean): string {
	const flag = kebab(name);
	if (typeof value === 'boolean') {
		return value ? `--${flag}` : `--no-${flag}`;
	}

	return `--${flag}=${value}`;
}

/** Options as flags that `readOptions` understands. */
export const flagsOf = (options: Partial<Options>): string[] =>
	Object.entries(options).flatMap(([name, value]: [string, FlagSchema['default']]) => {
		if (value === undefined || (value === false && name in flags)) {
			return [];
		}

		return [value].flat().map((one) => flagOf(name, one));
	});

function parse(args: string[]) {
	const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } };
	for (const [name, { type }] of Object.entries(known)) {
		const isFlag = type === 'boolean';
		options[kebab(name)] = { type: isFlag ? 'boolean' : 'string', multiple: type === 'array' };
	}

	try {
		return parseArgs({ args, options, allowNegative: true }).values;
	} catch (error) {
		throw new InvalidFlags(error instanceof Error ? error.message : String(error));
	}
}
