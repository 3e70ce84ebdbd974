import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { EVENT_KINDS, type EventKind } from '../service/api/webhookSubscriptions';
import { readAuthentication, type Authentication } from '../service/auth/credentials';
import { InputError } from '../shared/inputError';
import { isRecord, jsonObject } from '../shared/json';
import { readWorkspaceId } from '../shared/workspaceId';
import type { IdentifierMap } from './eventParsing';

/** What the trigger is set to. */
export interface TriggerParameters {
	authentication: Authentication;
	workspaceId: string;
	/** The events that start the workflow. */
	kinds: EventKind[];
	/** In lower case; all statuses when empty. */
	statuses: string[];
	simplify: boolean;
	/** Whether events start the workflow that nobody can verify, since no signing secret is known. */
	acceptsUnsigned: boolean;
	/** In lower case. */
	signatureHeader: string;
	identifiers: IdentifierMap;
	/** What the subscription calls its address and events, and what goes with them. */
	subscription: { urlKey: string; eventsKey: string; extraFields: IDataObject };
}

/**
 * Reads what the trigger is set to.
 *
 * @throws InputError when it cannot be used
 */
export function readParameters(n8n: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const value = (name: string, fallback: unknown = ''): unknown =>
		n8n.getNodeParameter(name, fallback);
	const text = (name: string, fallback: string): string =>
		String(value(`options.${name}`, fallback)).trim() || fallback;
	const workspaceId = readWorkspaceId(
		n8n.getNodeParameter('workspaceId', '', { extractValue: true }),
	);
	const chosen = [value('events', [])].flat();
	const kinds = EVENT_KINDS.filter((kind) => chosen.includes(kind));
	if (kinds.length === 0) throw new InputError('Events is empty', 'Choose at least one event.');
	return {
		authentication: readAuthentication(value('authentication')),
		workspaceId: workspaceId.toLowerCase(),
		kinds,
		statuses: [value('options.statuses', [])].flat().flatMap(lower),
		simplify: value('options.simplify', true) !== false,
		acceptsUnsigned: value('options.unsignedEvents') === 'accept',
		signatureHeader: text('signatureHeader', 'X-Signature').toLowerCase(),
		identifiers: new Map(
			[value('options.eventIdentifiers.map', [])].flat().flatMap(identifierEntry),
		),
		subscription: {
			urlKey: text('subscriptionUrlKey', 'url'),
			eventsKey: text('subscriptionEventsKey', 'events'),
			extraFields: jsonObject(value('options.subscriptionExtraFields'), 'Subscription Fields'),
		},
	};
}

const lower = (value: unknown): string[] =>
	typeof value === 'string' && value.trim() !== '' ? [value.trim().toLowerCase()] : [];

function identifierEntry(entry: unknown): Array<[identifier: string, kind: EventKind]> {
	if (!isRecord(entry)) return [];
	const { kind, identifier } = entry;
	const known = EVENT_KINDS.find((candidate) => candidate === kind);
	return known === undefined ? [] : lower(identifier).map((text) => [text, known]);
}
