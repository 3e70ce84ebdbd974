import type { ServiceResponse } from '../http/messages';
import type { HttpError } from '../shared/errors';
import type { Settings } from '../shared/settings';
import type { ApiOperationId, Result } from './handlerTypes';

type Wallet = Result<'getWallet'>;
type Subscription = Result<'createWebhookSubscription'>['webhook_subscription'];

/**
 * The ways in which a service may answer what its documentation leaves open. Only the first of each is
 * in the contract, against which an answer is checked before it gets another shape.
 */
const wallets: Record<Settings['walletAnswer'], (wallet: Wallet) => unknown> = {
	bare: (wallet) => wallet,
	wrapped: (wallet) => ({ wallet }),
	amount: ({ balance, amount_denomination, ...rest }) => ({
		...rest,
		balance: { amount: balance, amount_denomination },
	}),
	available: ({ balance, ...rest }) => ({ ...rest, available_balance: balance }),
};

const invitations: Record<
	Settings['invitationAnswer'],
	(answer: Result<'invitePartners'>) => unknown
> = {
	invites: (answer) => answer,
	data: ({ invites }) => ({ data: invites }),
	empty: () => ({}),
};

const under =
	(name: string) =>
	({ secret, ...rest }: Subscription): unknown => ({
		webhook_subscription: { ...rest, [name]: secret },
	});

const subscriptions: Record<Settings['subscriptionAnswer'], (one: Subscription) => unknown> = {
	default: under('secret'),
	nested: ({ secret, ...rest }) => ({
		data: { subscription: { ...rest, signing_secret: secret } },
	}),
	subscription: (subscription) => ({ subscription }),
	beside: ({ secret, ...rest }) => ({ webhook_subscription: rest, secret }),
	webhook_signing_secret: under('webhook_signing_secret'),
	shared_secret: under('shared_secret'),
	hmac_key: under('hmac_key'),
	// Deliveries are signed all the same.
	none: ({ secret: _, ...rest }) => ({ webhook_subscription: rest }),
};

/** How the answer of each operation that is left open goes out. */
export const shapes: {
	[Id in ApiOperationId]?: (result: Result<Id>, settings: Settings) => unknown;
} = {
	getWallet: (wallet, { walletAnswer }) => wallets[walletAnswer](wallet),
	getPartner: (partner, { partnerAnswer }) => (partnerAnswer === 'bare' ? partner : { partner }),
	invitePartners: (answer, settings) => invitations[settings.invitationAnswer](answer),
	createWebhookSubscription: ({ webhook_subscription: one }, settings) =>
		subscriptions[settings.subscriptionAnswer](one),
};

/** One page of the list that an answer has under a name, and where the next one begins. */
export function page(
	list: string,
	answer: Record<string, unknown[]>,
	{ pageSize }: Settings,
	cursor: unknown,
): unknown {
	const entries = answer[list] ?? [];
	if (pageSize === 0) {
		return answer;
	}

	const start = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
	const end = start + pageSize;
	const next_cursor = end < entries.length ? String(end) : null;
	return { ...answer, [list]: entries.slice(start, end), next_cursor };
}

type Refusal = Pick<HttpError, 'code' | 'message' | 'details' | 'status'>;

const errorBodies: Record<Settings['errorBody'], (refusal: Refusal) => Partial<ServiceResponse>> = {
	// Details that are undefined are left out of the JSON.
	object: ({ code, message, details }) => ({ body: { error: { code, message, details } } }),
	message: ({ message }) => ({ body: { message } }),
	problem: ({ code, message, status }) => ({
		headers: { 'content-type': 'application/problem+json' },
		body: { type: `urn:error:${code}`, title: code, status, detail: message },
	}),
	list: ({ code, message, details = [] }) => ({
		body: { errors: [{ code, message }, ...details.map((each) => ({ code, ...each }))] },
	}),
	text: ({ message }) => ({ headers: { 'content-type': 'text/plain' }, text: message }),
};

const refusalStatuses: Record<Settings['refusalStatus'], (refusal: Refusal) => number> = {
	specific: ({ status }) => status,
	payment: ({ status, code }) => (code === 'insufficient_funds' ? 402 : status),
	plain: ({ status }) => (status === 409 || status === 422 ? 400 : status),
};

export function renderApiError(error: HttpError, settings: Settings): ServiceResponse {
	const { code, message, details } = error;
	const status = refusalStatuses[settings.refusalStatus](error);
	const { headers, ...content } = errorBodies[settings.errorBody]({
		code,
		message,
		details,
		status,
	});

	return { status, headers: { ...error.headers, ...headers }, ...content };
}

export const successStatus = (method: string, settings: Settings): number =>
	method.toLowerCase() === 'post' ? Number(settings.successStatus) : 200;
