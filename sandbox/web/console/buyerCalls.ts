import { findPayable, unfundedPayables, type Payable } from '../../domain/payables';
import type { WorkspaceRow } from '../../domain/workspaces';
import { eventTypes } from '../../network/events';
import type { Network } from '../../network/network';
import { email, minorUnits, object } from '../../shared/jsonSchema';
import { formatDollars } from '../../shared/money';
import type { Choice } from '../../ui/fields';
import type { FormSchema } from '../../ui/form';
import type { BuyerCallName } from './frame';

const text = (title: string, maxLength = 200): FormSchema => ({ type: 'string', title, maxLength });

/** What a form sends to the API: a path below its root, and a body. */
interface Call {
	path: string;
	body?: unknown;
}

/** What the form says, checked by its schema. */
export type Input = Readonly<Record<string, unknown>>;

/** A call that a buyer makes, and the form for it. */
interface BuyerCall {
	schema: FormSchema;
	/** Fields that the page knows already. */
	hidden?: readonly string[];
	callOf: (workspace: WorkspaceRow, input: Input, network: Network) => Call;
	/** Whether the answer has something that no page can show later. */
	isAnswerShown?: boolean;
	/** What there is to choose now, by the name of the field. */
	choicesOf?: (network: Network, workspaceId: string) => Record<string, Choice[]>;
}

const id = { type: 'string', minLength: 1 } as const;

const MOST_OFFERED = 20;

/** A payable as a person finds it again. */
function choiceOf(payable: Payable): Choice {
	const { id: value, amount, payee_email, description } = payable;
	const said = description === null ? '' : `, ${description}`;
	return { value, text: `${formatDollars(amount)} to ${payee_email}${said}` };
}

/** What a buyer does, by the name of the operation. */
export const buyerCalls: Record<BuyerCallName, BuyerCall> = {
	invitePartners: {
		schema: object(
			{ invitee: { ...email, title: 'Whom to invite' }, name: text('Business name') },
			['invitee'],
		),
		callOf: ({ id: workspaceId }, { invitee, name }) => ({
			path: `/workspace/${workspaceId}/partner/invite`,
			body: { invites: [{ payee_email: invitee, payee_business_name: name }] },
		}),
	},
	createPayable: {
		schema: object(
			{
				payee: { ...email, title: 'Whom to pay' },
				cents: { ...minorUnits, title: 'How much, in dollars' },
				description: text('For'),
				due: {
					type: 'string',
					pattern: '^\\d{4}-\\d{2}-\\d{2}$',
					title: 'Due date',
					description: 'For example 2030-01-31.',
					problem: 'Enter a date like 2030-01-31.',
				},
				invite: { type: 'boolean', title: 'Invite the vendor by mail' },
			},
			['payee', 'cents'],
		),
		callOf: ({ id: workspace_id }, { payee, cents, description, due, invite }) => ({
			path: '/payable',
			body: {
				workspace_id,
				payee_email: payee,
				amount: cents,
				description,
				due_date: typeof due === 'string' ? `${due}T00:00:00Z` : undefined,
				send_invite: invite,
			},
		}),
	},
	approvePayable: {
		schema: object({ payable: id }, ['payable']),
		hidden: ['payable'],
		callOf: (_workspace, { payable }) => ({ path: `/payable/${String(payable)}/approve` }),
	},
	createFunding: {
		schema: object(
			{
				payables: {
					type: 'array',
					items: id,
					title: 'Which payables',
					problem: 'Choose at least one payable.',
				},
				method: {
					type: 'string',
					enum: ['balance', 'invoice'],
					title: 'Paid by',
					problem: 'Choose how the funding is paid.',
				},
			},
			['payables', 'method'],
		),
		callOf: ({ id: workspace_id }, { payables, method }, network) => {
			// The schema has been checked.
			const payable_ids = payables as string[];
			// The API refuses a payable that is not there, whatever the amount.
			const amounts = payable_ids.map((each) => findPayable(network, each)?.amount ?? 1);
			const amount = amounts.reduce((sum, each) => sum + each, 0);
			return { path: '/funding', body: { workspace_id, method, amount, payable_ids } };
		},
		choicesOf: (network, workspaceId) => ({
			payables: unfundedPayables(network, workspaceId, MOST_OFFERED).map(choiceOf),
		}),
	},
	linkDeposit: {
		schema: object({ funding: id, deposit: id }, ['funding', 'deposit']),
		hidden: ['funding', 'deposit'],
		callOf: (_workspace, { funding, deposit }) => ({
			path: `/funding/${String(funding)}/link-deposit`,
			body: { deposit_id: deposit },
		}),
	},
	createWebhookSubscription: {
		schema: object(
			{
				url: {
					type: 'string',
					minLength: 1,
					maxLength: 2000,
					title: 'Address of the subscriber',
					description: 'For example http://localhost:5678/webhook/events.',
					problem: 'Enter the address to which events are sent.',
				},
				events: {
					type: 'array',
					items: { type: 'string', enum: eventTypes },
					title: 'Which events',
					problem: 'Choose at least one kind of event.',
				},
			},
			['url', 'events'],
		),
		callOf: ({ id: workspaceId }, { url, events }) => ({
			path: `/workspace/${workspaceId}/webhook-subscription`,
			body: { url, events },
		}),
		isAnswerShown: true,
	},
};

export const isCall = (name: string): name is BuyerCallName => Object.hasOwn(buyerCalls, name);
