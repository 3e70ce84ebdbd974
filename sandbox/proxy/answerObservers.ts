import type { Settings } from '../shared/settings';
import { subscriptionAnswerNames } from '../shared/settings';
import { fieldsAt, isFields, isSuccess, type Exchange, type Fields } from './exchange';

/** What was seen at an open point: the value of the setting that makes a sandbox alike, or something else. */
export interface Observation {
	point: keyof Settings;
	seen: string | number | boolean;
}

/** The value of a setting that an exchange shows; undefined when it shows nothing about it. */
type Observer = (exchange: Exchange) => Observation['seen'] | undefined;

/** Stands for what no setting makes a sandbox do. */
export const OTHER = 'other';

const isObject = (value: unknown): boolean => isFields(value);

/** The first name whose condition holds. */
function firstOf(choices: Record<string, boolean>): string {
	const found = Object.entries(choices).find(([, holds]) => holds);
	return found?.[0] ?? OTHER;
}

/** An observer of the successful answers of one operation. */
const ofSuccess =
	(operationId: string, read: (answer: unknown, exchange: Exchange) => string): Observer =>
	(exchange) =>
		exchange.match?.operationId === operationId && isSuccess(exchange)
			? read(exchange.answer, exchange)
			: undefined;

const isRefusal = ({ status }: Exchange): boolean => status >= 400 && status < 500;
const isToken = ({ match }: Exchange): boolean => match?.operationId === 'requestToken';

function errorBody(exchange: Exchange): string | undefined {
	if (!isRefusal(exchange) || isToken(exchange) || exchange.match === undefined) {
		return undefined;
	}

	const { answer, headers } = exchange;
	if (typeof answer === 'string') {
		return 'text';
	}

	const fields = fieldsAt(answer);
	const isProblem = headers['content-type']?.includes('problem+json') ?? false;
	return firstOf({
		problem: isProblem || ('title' in fields && 'detail' in fields),
		object: isObject(fields['error']),
		list: Array.isArray(fields['errors']),
		message: typeof fields['message'] === 'string',
	});
}

/** Steps that can be refused although the request is as documented. */
const STEPS = ['createPayable', 'approvePayable', 'createFunding', 'linkDeposit'];

function refusalStatus(exchange: Exchange): string | undefined {
	const { match, requestErrors, status } = exchange;
	const isStep = match !== undefined && STEPS.includes(match.operationId);
	if (!isStep || requestErrors.length > 0) {
		return undefined;
	}

	const values: Partial<Record<number, string>> = {
		400: 'plain',
		402: 'payment',
		409: 'specific',
		422: 'specific',
	};
	return values[status];
}

const successStatus: Observer = (exchange) =>
	exchange.request.method === 'POST' && isSuccess(exchange) && !isToken(exchange)
		? String(exchange.status)
		: undefined;

const walletAnswer = ofSuccess('getWallet', (answer) => {
	const fields = fieldsAt(answer);
	return firstOf({
		wrapped: isObject(fields['wallet']),
		amount: 'amount' in fieldsAt(fields, 'balance'),
		bare: typeof fields['balance'] === 'number',
		available: typeof fields['available_balance'] === 'number',
	});
});

const partnerAnswer = ofSuccess('getPartner', (answer) => {
	const fields = fieldsAt(answer);
	return firstOf({
		wrapped: isObject(fields['partner']),
		bare: typeof fields['status'] === 'string',
	});
});

const invitationAnswer = ofSuccess('invitePartners', (answer) => {
	const fields = fieldsAt(answer);
	return firstOf({
		invites: Array.isArray(fields['invites']),
		data: Array.isArray(fields['data']),
		empty: answer === '' || (isFields(answer) && Object.keys(answer).length === 0),
	});
});

const isText = (value: unknown): boolean => typeof value === 'string';

const subscriptionAnswer = ofSuccess('createWebhookSubscription', (answer) => {
	const fields = fieldsAt(answer);
	const own = fieldsAt(fields, 'webhook_subscription');
	const named = subscriptionAnswerNames.filter((name) => isText(own[name]));
	const [name = ''] = named;
	return firstOf({
		default: isText(own['secret']),
		beside: isText(fields['secret']),
		nested: isText(fieldsAt(fields, 'data', 'subscription')['signing_secret']),
		subscription: isText(fieldsAt(fields, 'subscription')['secret']),
		[name]: name !== '',
		none: Object.keys(own).length > 0 && !/secret|key/.test(Object.keys(own).join()),
	});
});

const pageSize: Observer = (exchange) => {
	const name = exchange.match?.list;
	if (name === undefined || !isSuccess(exchange)) {
		return undefined;
	}

	const { next_cursor: next, [name]: list } = fieldsAt(exchange.answer);
	if (!Array.isArray(list) || next === undefined) {
		return 0;
	}

	// The last page says that there are pages, and not how large they are.
	return next === null ? undefined : list.length;
};

const retryAfter: Observer = ({ status, headers }) => {
	if (status !== 429) {
		return undefined;
	}

	const { 'retry-after': value = '' } = headers;
	return firstOf({
		none: value === '',
		seconds: /^\d+$/.test(value),
		date: !Number.isNaN(Date.parse(value)),
	});
};

const isRefresh = ({ body }: { body: Fields }): boolean => body['grant_type'] === 'refresh_token';

const refreshTokens: Observer = (exchange) =>
	isToken(exchange) && isSuccess(exchange) && isRefresh(exchange)
		? firstOf({ rotated: isText(fieldsAt(exchange.answer)['refresh_token']), kept: true })
		: undefined;

const strictJson: Observer = (exchange) => {
	const type = exchange.request.headers['content-type'] ?? '';
	if (!isToken(exchange) || !type.startsWith('application/x-www-form-urlencoded')) {
		return undefined;
	}

	return isSuccess(exchange) ? false : exchange.status === 415 || undefined;
};

const observers: Partial<Record<keyof Settings, Observer>> = {
	errorBody,
	refusalStatus,
	successStatus,
	walletAnswer,
	partnerAnswer,
	invitationAnswer,
	subscriptionAnswer,
	pageSize,
	retryAfter,
	refreshTokens,
	strictJson,
};

/** What an exchange shows of the open points, by itself. */
export function observeAnswer(exchange: Exchange): Observation[] {
	const found: Observation[] = [];
	for (const [point, observe] of Object.entries(observers)) {
		const seen = observe(exchange);
		if (seen !== undefined) {
			found.push({ point: point as keyof Settings, seen });
		}
	}

	return found;
}
