import type { TriggerPanelDefinition } from 'n8n-workflow';

import { EVENT_KINDS, type EventKind } from '../api/endpoints';
import {
	choiceField,
	choicesField,
	countField,
	eventOptions,
	listField,
	notice,
	optionsField,
	switchField,
	textField,
	withWrittenCollections,
	workspaceField,
} from '../shared/fields';
import { DAY_MS } from '../shared/dates';
import { InputError } from '../shared/errors';
import { readJsonObject } from '../shared/json';
import { isRecord } from '../shared/typeGuards';
import { parameterOf, readAccount, type TriggerFunctions } from './triggerData';

const DEFAULT_KIND: EventKind = 'payablePaid';

const triggerOptions = optionsField([
	listField('Event Identifiers', 'eventIdentifiers', {
		placeholder: 'Add identifier',
		description: 'Which event an identifier of the service means, when it is not recognized',
		options: [
			{
				displayName: 'Identifier',
				name: 'map',
				values: [
					choiceField('Event', 'kind', { options: eventOptions, default: DEFAULT_KIND }),
					textField('Identifier', 'identifier', {
						placeholder: 'e.g. obligation.settled',
						description: 'What the service calls it, in any case',
					}),
				],
			},
		],
	}),
	countField('Maximum Age (Days)', 'maxAge', {
		default: 30,
		description:
			'Ignore events whose own time is longer ago. Events without a time start the workflow.',
	}),
	textField('Signature Header', 'signatureHeader', {
		default: 'X-Signature',
		description: 'The header with the signature of a delivery',
	}),
	switchField('Simplify', 'simplify', {
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
	textField('Statuses', 'statuses', {
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add status' },
		default: [],
		placeholder: 'e.g. verified',
		description:
			'Start only for these statuses, or for all if empty. Payables: such as approved, will_pay and paid. Partners: such as pending, verified and rejected.',
	}),
	textField('Subscription Events Key', 'subscriptionEventsKey', {
		default: 'events',
		description: 'The name of the list of events in the request that subscribes',
	}),
	textField('Subscription Fields (JSON)', 'subscriptionExtraFields', {
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "description": "Sent by n8n" }',
		description: 'More fields for the request that subscribes, sent as they are',
	}),
	textField('Subscription URL Key', 'subscriptionUrlKey', {
		default: 'url',
		description: "The name of this trigger's address in the request that subscribes",
	}),
	choiceField('Unsigned Events', 'unsignedEvents', {
		options: [
			{
				name: 'Accept',
				value: 'accept',
				description:
					'They start the workflow with "verified": false. Anyone who knows the address of this trigger can send one.',
			},
			{
				name: 'Refuse',
				value: 'refuse',
				description:
					'Nothing starts without a signature. Publishing fails without a signing secret.',
			},
		],
		default: 'refuse',
		description: 'What to do when neither the service nor the credential provides a signing secret',
	}),
]);

export const triggerFields = withWrittenCollections([
	workspaceField,
	choicesField('Events', 'events', {
		required: true,
		options: eventOptions,
		default: ['payablePaid'],
		description: 'What starts the workflow',
	}),
	notice(
		'The service must reach this n8n from outside (WEBHOOK_URL). Without a signing secret, from the service or in the credential, events are refused unless "Unsigned Events" is "Accept".',
		'subscriptionNotice',
	),
	triggerOptions,
]);

export const triggerPanel: TriggerPanelDefinition = {
	header: '',
	executionsHelp: {
		inactive:
			'To test, choose <em>Execute step</em>. Then make the service send an event, such as by paying a payable in its sandbox.<br><br>The service must reach this n8n. If this machine is not open to the internet, set WEBHOOK_URL to an address that leads here.',
		active:
			'To test, choose <em>Execute step</em> and make the service send an event. Runs of the published workflow are under <a data-key="executions">executions</a>.',
	},
	activationHint: 'Publish the workflow to start it for every event.',
};

export type TriggerParameters = Awaited<ReturnType<typeof readParameters>>;

/** @throws InputError when what the trigger is set to cannot be used */
export async function readParameters(n8n: TriggerFunctions) {
	const value = (name: string, fallback?: unknown): unknown => parameterOf(n8n, name, fallback);
	const text = (name: string, fallback: string): string =>
		String(value(`options.${name}`, fallback)).trim() || fallback;
	const chosen = [value('events', [])].flat();
	const kinds = EVENT_KINDS.filter((kind) => chosen.includes(kind));
	if (kinds.length === 0) {
		throw new InputError('"Events" is empty', 'Choose at least one event.');
	}
	return {
		...(await readAccount(n8n)),
		kinds,
		statuses: [value('options.statuses', [])].flat().flatMap(lower),
		simplify: value('options.simplify', true) !== false,
		maxAgeMs: readMaxAge(value('options.maxAge', Infinity)),
		/** Whether events start the workflow when no signing secret is known. */
		acceptsUnsigned: value('options.unsignedEvents') === 'accept',
		/** In lower case. */
		signatureHeader: text('signatureHeader', 'X-Signature').toLowerCase(),
		identifiers: new Map(
			[value('options.eventIdentifiers.map', [])].flat().flatMap(identifierEntry),
		),
		subscription: {
			urlKey: text('subscriptionUrlKey', 'url'),
			eventsKey: text('subscriptionEventsKey', 'events'),
			extraFields: readJsonObject(value('options.subscriptionExtraFields'), 'Subscription Fields'),
		},
	};
}

/** Whether a status was chosen. An unknown one counts as chosen. */
export const isChosenStatus = (status: string | undefined, statuses: string[]): boolean =>
	statuses.length === 0 || status === undefined || statuses.includes(status.toLowerCase());

function readMaxAge(value: unknown): number {
	const days = Number(value);
	if (days > 0) {
		return days * DAY_MS;
	}
	throw new InputError(
		'"Maximum Age" is not a number of days',
		'Enter a number above zero, or remove the option.',
	);
}

const lower = (value: unknown): string[] =>
	typeof value === 'string' && value.trim() !== '' ? [value.trim().toLowerCase()] : [];

function identifierEntry(entry: unknown): Array<[identifier: string, kind: EventKind]> {
	if (!isRecord(entry)) {
		return [];
	}
	// n8n fills in no default in a collection that is kept as it was written.
	const { kind = DEFAULT_KIND, identifier } = entry;
	const known = EVENT_KINDS.find((candidate) => candidate === kind);
	return known === undefined ? [] : lower(identifier).map((text) => [text, known]);
}
