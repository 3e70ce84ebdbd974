import type { XStatic } from 'typebox/schema';
import { object } from './jsonSchema';

/** One of several values, the first of which holds unless told otherwise. */
const choice = <const Values extends readonly [string, ...string[]]>(
	description: string,
	...values: Values
) => ({ type: 'string', enum: values, default: values[0], description }) as const;

const flag = (description: string, on = false) =>
	({ type: 'boolean', default: on, description }) as const;

const whole = (description: string, initial: number, minimum: number, maximum = 1e9) =>
	({ type: 'integer', default: initial, minimum, maximum, description }) as const;

/**
 * Everything that can be set while the sandbox runs: what the service's documentation leaves open, and
 * how fast things go. Each is a flag of the command line, a field of `POST /_sandbox/settings`, a line
 * of the console's page, and, where it is an open point, a note in `x-open` of the contract.
 */
export const settingsSchema = object({
	settlement: choice('When will_pay becomes paid', 'automatic', 'manual', 'due_date'),
	acceptance: choice('Whether a vendor is paid only after accepting', 'implied', 'required'),
	secondFunding: choice('A second funding of a payable', 'refuse', 'accept'),
	refreshTokens: choice('Refresh token in the answer to a refresh', 'rotated', 'kept'),
	strictJson: flag('Refuse token requests that are not JSON'),
	requestsPerMinute: whole('Requests that an account may send in a minute', 100, 1),
	rateWindowSeconds: whole('How many seconds that minute has', 60, 1, 86_400),
	retryAfter: choice('Retry-After in the answer 429', 'seconds', 'date', 'none'),
	errorBody: choice('Body of a refusal', 'object', 'message', 'problem', 'list', 'text'),
	refusalStatus: choice('Refusals: 409, 422; 402 if poor; 400', 'specific', 'payment', 'plain'),
	successStatus: choice('Status of a POST that succeeds', '200', '201', '202'),
	walletAnswer: choice('Answer to a read of the wallet', 'bare', 'wrapped', 'amount', 'available'),
	partnerAnswer: choice('Answer to a read of a partner', 'bare', 'wrapped'),
	invitationAnswer: choice('Answer to invitations', 'invites', 'data', 'empty'),
	pageSize: whole('Entries in one page of a list; 0 for all', 0, 0, 1000),
	subscriptionAnswer: choice(
		'Where the answer to a subscription has the secret',
		'default',
		'nested',
		'subscription',
		'beside',
		'webhook_signing_secret',
		'shared_secret',
		'hmac_key',
		'none',
	),
	magicValues: flag('Magic addresses and amounts fail on purpose', true),
	paused: flag('Record events and send nothing'),
	envelope: choice('Body of a delivery', 'default', 'typed', 'bare', 'thin', 'list'),
	names: choice('How event types are written', 'envelope', 'dotted', 'snake', 'pascal'),
	batchSize: whole('Events in one POST of the envelope list', 100, 1, 100_000),
	signatureHeader: {
		type: 'string',
		default: 'X-Signature',
		pattern: '^[A-Za-z][A-Za-z0-9-]{0,60}$',
		description: 'Header that has the signature',
	},
	signatureScheme: choice('What is signed', 'body', 'timestamped', 'none'),
	signatureEncoding: choice('How the signature is written', 'hex', 'base64', 'prefixed'),
	maxInFlightPerSubscription: whole('Deliveries under way to one subscription', 50, 1, 100_000),
	maxAttempts: whole('Attempts before a delivery has failed', 10, 1, 100_000),
	firstRetryMs: whole('Milliseconds before the second attempt, doubled each time', 1000, 0),
	maxRetryMs: whole('Most milliseconds between two attempts', 3_600_000, 0),
	timeoutMs: whole('Milliseconds that a subscriber has to answer', 10_000, 1),
	seed: whole('Seed of the chance in delivery faults and waits', 1, 0),
});

export const subscriptionAnswerNames = settingsSchema.properties.subscriptionAnswer.enum;

export type Settings = Required<XStatic<typeof settingsSchema>>;

/** The schema of one setting, as far as forms and flags need it. */
export interface SettingSchema {
	type: 'string' | 'boolean' | 'integer';
	default: string | boolean | number;
	description: string;
	enum?: readonly string[];
	minimum?: number;
	maximum?: number;
	pattern?: string;
}

export const settingSchemas: Record<keyof Settings, SettingSchema> = settingsSchema.properties;

/** The settings by what they are about, for people; each is in one group. */
export const settingGroups: { title: string; names: (keyof Settings)[] }[] = [
	{ title: 'Money', names: ['settlement', 'acceptance', 'secondFunding', 'magicValues'] },
	{ title: 'Tokens', names: ['refreshTokens', 'strictJson'] },
	{ title: 'Rate limit', names: ['requestsPerMinute', 'rateWindowSeconds', 'retryAfter'] },
	{
		title: 'Answers',
		names: [
			'errorBody',
			'refusalStatus',
			'successStatus',
			'walletAnswer',
			'partnerAnswer',
			'invitationAnswer',
			'subscriptionAnswer',
			'pageSize',
		],
	},
	{ title: 'What deliveries say', names: ['envelope', 'names', 'batchSize'] },
	{ title: 'Signature', names: ['signatureScheme', 'signatureHeader', 'signatureEncoding'] },
	{
		title: 'How deliveries go out',
		names: [
			'paused',
			'maxInFlightPerSubscription',
			'maxAttempts',
			'firstRetryMs',
			'maxRetryMs',
			'timeoutMs',
			'seed',
		],
	},
];

/** The settings of a sandbox that was given none. */
export const defaultSettings = Object.fromEntries(
	Object.entries(settingSchemas).map(([name, schema]) => [name, schema.default]),
) as Settings;

/** Many settings at once: how one service of this kind might be. */
export const characters = {
	/** Takes nothing that is not documented, and says precisely what it refuses. */
	strict: {
		strictJson: true,
		errorBody: 'problem',
		successStatus: '201',
		signatureEncoding: 'prefixed',
		names: 'snake',
	},
	/** Takes what it can, and wraps what it answers. */
	loose: {
		refreshTokens: 'kept',
		errorBody: 'message',
		refusalStatus: 'payment',
		walletAnswer: 'wrapped',
		partnerAnswer: 'wrapped',
		invitationAnswer: 'data',
		subscriptionAnswer: 'nested',
		envelope: 'bare',
	},
	/** Says as little as it may. */
	hostile: {
		acceptance: 'required',
		secondFunding: 'accept',
		refreshTokens: 'kept',
		retryAfter: 'none',
		errorBody: 'text',
		refusalStatus: 'plain',
		successStatus: '202',
		walletAnswer: 'amount',
		partnerAnswer: 'wrapped',
		invitationAnswer: 'empty',
		subscriptionAnswer: 'hmac_key',
		envelope: 'thin',
		signatureEncoding: 'base64',
	},
} as const satisfies Record<string, Partial<Settings>>;

export type Character = keyof typeof characters;
