import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../contract/service';
import { isRecord } from '../shared/typeGuards';
import { DENOMINATION } from '../shared/money';
import { path, requestOf, type Client } from './client';
import { ServiceError } from './http/errors';
import type { ServiceRequest } from './http/message';
import { redactNamed } from './http/redact';
import {
	anyRecord,
	documentUrl,
	identifiedRecord,
	identifier,
	list,
	record,
	recordList,
	recordThat,
	signingSecretIn,
	type Identified,
	type ResponseReader,
} from './responseReaders';

const NO_USER = 'Client credentials belong to no user: choose an OAuth2 credential';

export async function getCurrentUser(client: Client): Promise<IDataObject> {
	const request = requestOf('safe', 'get the user', '/user/current');
	return await sendAsUser(client, request, anyRecord('user'));
}

/** The workspaces of the user, each with the user's role in it. */
export async function getCurrentUserWorkspaces(client: Client): Promise<IDataObject[]> {
	const request = requestOf('safe', "get the user's workspaces", '/user/current/workspaces');
	return await sendAsUser(client, request, recordList('data', 'a list of workspaces'));
}

/** The service refuses client credentials here: the error then says what to do instead. */
async function sendAsUser<Value>(
	client: Client,
	request: ServiceRequest,
	reader: ResponseReader<Value>,
): Promise<Value> {
	return await client.send(request, reader).catch((error: unknown) => {
		const isExpected = error instanceof ServiceError && error.status === 403;
		if (!isExpected || client.credentialType === 'partnerPaymentsOAuth2Api') {
			throw error;
		}

		const { outcome, failureKind, status } = error;
		const hint = `${error.message}.`;
		throw new ServiceError({ message: NO_USER, hint, outcome, failureKind, status });
	});
}

/** A workspace, with its `vendor_invite_url`; `workspaceId` is a UUID. */
export async function getWorkspace(client: Client, workspaceId: string): Promise<IDataObject> {
	const isWorkspace = (found: IDataObject): boolean =>
		identifier(found) !== undefined || found.vendor_invite_url !== undefined;
	return await client.send(
		workspaceRequest('get the workspace', workspaceId),
		recordThat('workspace', 'a workspace', isWorkspace),
	);
}

/** The address where vendors sign up for a workspace, exactly as the service gives it; `workspaceId` is a UUID. */
export async function getInviteLink(client: Client, workspaceId: string): Promise<string> {
	const read = (body: unknown): string | undefined => {
		const { vendor_invite_url: url } = record(body, 'workspace');
		return typeof url === 'string' && url !== '' ? url : undefined;
	};
	const request = workspaceRequest('get the invite link', workspaceId);
	return await client.send(request, { expected: 'an invite link', read });
}

const workspaceRequest = (task: string, workspaceId: string): ServiceRequest =>
	requestOf('safe', task, path`/workspace/${workspaceId}`);

export type PartnerInvitation = components['schemas']['PartnerInvitation'];

/** A vendor as the workspace sees it; `workspaceId` is a UUID. */
export async function getPartner(
	client: Client,
	workspaceId: string,
	partnerId: string,
): Promise<IDataObject> {
	return await client.send(
		requestOf('safe', 'get the partner', path`/workspace/${workspaceId}/partner/${partnerId}`),
		recordThat('partner', "the partner's status", ({ status }) => typeof status === 'string'),
	);
}

/**
 * Invites vendors in one request; returns an answer for each in their order, an empty one where there
 * is none.
 */
export async function invitePartners(
	client: Client,
	workspaceId: string,
	invites: PartnerInvitation[],
): Promise<IDataObject[]> {
	const task = invites.length === 1 ? 'invite the partner' : `invite ${invites.length} partners`;
	const read = (body: unknown): IDataObject[] => {
		const answers = list(body, 'invites');
		return answers?.length === invites.length ? answers : invites.map(() => ({}));
	};
	const invite = path`/workspace/${workspaceId}/partner/invite`;
	return await client.send(requestOf('nonIdempotent', task, invite, { invites }), {
		expected: 'invitations',
		read,
	});
}

/** The wallet of a workspace: its balance, and the account that bank transfers go to; `workspaceId` is a UUID. */
export async function getWallet(client: Client, workspaceId: string): Promise<IDataObject> {
	return await client.send(
		requestOf('safe', 'get the wallet', path`/workspace/${workspaceId}/wallet`),
		recordThat('wallet', 'a wallet', (wallet) => Object.keys(wallet).length > 0),
	);
}

/** The deposits that are not linked to a funding yet; `workspaceId` is a UUID. */
export async function getDeposits(client: Client, workspaceId: string): Promise<IDataObject[]> {
	return await client.send(
		requestOf('safe', 'get the deposits', path`/workspace/${workspaceId}/wallet/deposit`),
		recordList('deposits', 'a list of deposits'),
	);
}

/** Simulates an incoming transfer, in the sandbox environment only; `amount` in minor units. */
export async function simulateDeposit(
	client: Client,
	workspaceId: string,
	deposit: IDataObject,
): Promise<IDataObject> {
	const address = path`/workspace/${workspaceId}/wallet/deposit`;
	const request = requestOf('nonIdempotent', 'simulate the deposit', address, deposit);
	return await client.send(request, anyRecord('deposit'));
}

/**
 * The balance of a wallet in minor units; undefined when there is none, or when it is in another
 * denomination.
 */
export function balanceOf(wallet: IDataObject): number | undefined {
	const found = [wallet.balance, wallet.available_balance, wallet.amount].find(
		(value) => value !== undefined && value !== null,
	);
	const { amount, amount_denomination: denomination = DENOMINATION } = isRecord(found)
		? found
		: { ...wallet, amount: found };
	if (denomination !== DENOMINATION) {
		return undefined;
	}

	return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : undefined;
}

export type PayableCreate = components['schemas']['PayableCreate'];

/** Creates a payable in the state draft; `amount` in minor units, `due_date` in ISO 8601 UTC. */
export async function createPayable(client: Client, payable: PayableCreate): Promise<Identified> {
	const request = requestOf('nonIdempotent', 'create the payable', '/payable', { ...payable });
	return await client.send(request, identifiedRecord('payable'));
}

/** Approves a payable, so that it can be funded; returns its ID, and all that the service answers. */
export async function approvePayable(client: Client, payableId: string): Promise<IDataObject> {
	const address = path`/payable/${payableId}/approve`;
	const request = requestOf('idempotent', 'approve the payable', address);
	return { id: payableId, ...(await client.send(request, anyRecord('payable'))) };
}

export type FundingCreate = components['schemas']['FundingCreate'];

/** What a person does where it is unknown whether payables are funded. */
export type FundingHints = Pick<ServiceRequest, 'conflictHint' | 'unconfirmedHint'>;

/** The request that funds approved payables, to be sent step by step; `amount` in minor units. */
export function fundingRequest(client: Client, funding: FundingCreate, hints: FundingHints) {
	const request = requestOf('nonIdempotent', 'create the funding', '/funding', { ...funding });
	const declinedHint = 'No money has moved. Check the values of this item.';
	return client.retryableRequest(
		{ ...request, ...hints, declinedHint },
		identifiedRecord('funding'),
	);
}

export async function getInvoicePdfUrl(client: Client, fundingId: string): Promise<string> {
	const reader = { expected: 'the address of a document', read: documentUrl };
	return await client.send(invoiceRequest('get the invoice', fundingId), reader);
}

/** Downloads the PDF file of an invoice. Its address needs no credential, so none is sent to it. */
export async function downloadInvoice(
	client: Client,
	fundingId: string,
	url: string,
): Promise<Buffer> {
	return await client.downloadPdf(url, invoiceRequest('download the invoice', fundingId));
}

/** The request that links a deposit to the funding that it pays for, to be sent step by step. */
export function linkDepositRequest(client: Client, fundingId: string, depositId: string) {
	const address = path`/funding/${fundingId}/link-deposit`;
	const body = { deposit_id: depositId };
	const request = requestOf('nonIdempotent', 'link the deposit', address, body);
	const unconfirmedHint =
		'After 20 minutes, see in the service which funding has this deposit. This one: use "Resolve" of "Payout" as "Paid" with "Its Whole Funding" and the reference of one of its payouts. None: link it again. Another one: ask the operator of the service first.';
	return client.retryableRequest({ ...request, unconfirmedHint }, anyRecord('funding'));
}

/** The error for a 404: most likely nothing has these IDs, and it may be an answer of something else all the same. */
export const wrongIdsError = (error: ServiceError): ServiceError =>
	error.reworded({
		message:
			'The IDs may be swapped or wrong (status 404): unconfirmed whether the deposit was linked',
		hint: `If "Funding ID" or "Deposit ID" is wrong, correct it and run it again. If both are right: ${error.hint}`,
	});

const invoiceRequest = (task: string, fundingId: string): ServiceRequest =>
	requestOf('safe', task, path`/funding/${fundingId}/pdf-url`);

const EVENT_IDENTIFIERS = {
	partnerStatusChanged: 'partner.status_changed',
	payableApproved: 'payable.approved',
	payablePaid: 'payable.paid',
	payableStatusChanged: 'payable.status_changed',
} as const satisfies Record<string, components['schemas']['EventType']>;

/** The kinds of events, under the names that workflows store. */
export type EventKind = keyof typeof EVENT_IDENTIFIERS;

/** All kinds, in the order of the editor's lists. */
export const EVENT_KINDS: EventKind[] = [
	'partnerStatusChanged',
	'payableApproved',
	'payablePaid',
	'payableStatusChanged',
];

/** What the service calls the events when subscribing to them. */
export const eventIdentifiers = (events: EventKind[]): string[] =>
	events.map((event) => EVENT_IDENTIFIERS[event]);

/**
 * Subscribes an address to events of a workspace. The service has no way to unsubscribe it.
 *
 * @param body the address, the events, and what else the service wants to know
 * @returns also the secret that signs the deliveries, where the answer has it
 */
export async function createWebhookSubscription(
	client: Client,
	workspaceId: string,
	body: IDataObject,
): Promise<{ subscription: IDataObject; secret: string | undefined }> {
	const task = 'create the webhook subscription';
	const address = path`/workspace/${workspaceId}/webhook-subscription`;
	return await client.send(requestOf('nonIdempotent', task, address, body), {
		expected: 'a subscription',
		read: (answer) => ({
			subscription: record(answer, 'webhook_subscription'),
			secret: signingSecretIn(answer),
		}),
	});
}

/** A subscription without the secret that signs its deliveries, wherever it is. */
export function withoutSecret(subscription: IDataObject): IDataObject {
	const redacted = redactNamed(subscription);
	return isRecord(redacted) ? redacted : {};
}
