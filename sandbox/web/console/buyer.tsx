import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPayable, unfundedPayables, type Payable } from '../../domain/payables';
import { findWorkspace, type WorkspaceRow } from '../../domain/workspaces';
import type { LoopbackAnswer } from '../../http/loopback';
import { requireOwnOrigin } from '../../http/origin';
import { eventTypes } from '../../network/events';
import type { Network } from '../../network/network';
import { HttpError, notFound } from '../../shared/errors';
import { email, minorUnits, object } from '../../shared/jsonSchema';
import { formatDollars } from '../../shared/money';
import { ErrorSummary, Fields, type Choice } from '../../ui/fields';
import {
	formOf,
	isClean,
	readForm,
	type Errors,
	type FormSchema,
	type Values,
} from '../../ui/form';
import { Notice, sendPage } from '../../ui/page';
import { StatusBadge } from '../../ui/text';
import { comeBack } from './actions';
import { Json } from './json';
import {
	buyerSummaries,
	ConsolePage,
	consolePath,
	type BuyerCallName,
	type PagesContext,
} from './frame';

const text = (title: string, maxLength = 200): FormSchema => ({ type: 'string', title, maxLength });

/** What a form sends to the API: a path below its root, and a body. */
interface Call {
	path: string;
	body?: unknown;
}

/** What the form says, checked by its schema. */
type Input = Readonly<Record<string, unknown>>;

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
const buyerCalls: Record<BuyerCallName, BuyerCall> = {
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

const isCall = (name: string): name is BuyerCallName => Object.hasOwn(buyerCalls, name);

/** The form of a call, with its fields. */
export const BuyerForm = (props: {
	network: Network;
	name: BuyerCallName;
	workspace: string;
	back: string;
	values?: Values;
	errors?: Errors;
}) => {
	const { network, name, workspace, back, values = {}, errors } = props;
	const { schema, hidden, choicesOf } = buyerCalls[name];
	const choices = choicesOf?.(network, workspace) ?? {};
	return (
		<form method="post" action={consolePath(`buy/${name}`)} novalidate>
			<input type="hidden" name="workspace" value={workspace} />
			<input type="hidden" name="back" value={back} />
			<div class="grid">
				<Fields schema={schema} values={values} errors={errors} hidden={hidden} choices={choices} />
			</div>
			<button>{buyerSummaries[name].summary}</button>
		</form>
	);
};

/** Serves the calls that a person makes as a buyer: through the API itself, with a token of the buyer's client. */
export function serveBuyer(app: FastifyInstance, context: PagesContext): void {
	const onlyFromHere = { onRequest: requireOwnOrigin };
	type Named = { Params: { name: string } };
	app.post<Named>(consolePath('buy/:name'), onlyFromHere, async (request, reply) => {
		await buy(context, request, reply);
	});
}

async function buy(
	context: PagesContext,
	request: FastifyRequest<{ Params: { name: string } }>,
	reply: FastifyReply,
): Promise<void> {
	const { network } = context;
	const { name } = request.params;
	if (!isCall(name)) {
		throw new HttpError(404, 'not_found', 'The console has no such call.');
	}

	const values = formOf(request);
	const { workspace: workspaceId = '', back = '' } = values;
	const workspace = findWorkspace(network, workspaceId);
	if (workspace === undefined) {
		throw notFound('workspace', workspaceId);
	}

	const call = buyerCalls[name];
	const { input, errors } = readForm(call.schema, values);
	const page = { context, request, name, values };
	if (!isClean(errors)) {
		await sendPage(reply, <RefusedPage {...page} errors={errors} />, 422);
		return;
	}

	// The schema has just been checked.
	const answer = await context.callApi(workspace, call.callOf(workspace, input as Input, network));
	const isDone = answer.kind === 'answered' && answer.status < 300;
	if (isDone && call.isAnswerShown === true) {
		await sendPage(reply, <AnswerPage {...page} text={answer.text} />);
		return;
	}

	if (isDone) {
		await reply.redirect(comeBack(back, name), 303);
		return;
	}

	const status = answer.kind === 'answered' ? answer.status : 502;
	await sendPage(reply, <RefusedPage {...page} answer={answer} />, status);
}

const Answer = ({ answer }: { answer: LoopbackAnswer }) =>
	answer.kind === 'answered' ? (
		<div role="alert" tabIndex={-1} autofocus>
			<p class="error">
				The API answered <StatusBadge status={answer.status} />
			</p>
			<Json value={answer.text} />
		</div>
	) : (
		<p class="error" role="alert" tabIndex={-1} autofocus>
			The API gave no answer ({answer.reason}). Look at the lists to see whether it was done before
			you try again.
		</p>
	);

/** What the API has answered, which is told once. */
const AnswerPage = (props: {
	context: PagesContext;
	request: FastifyRequest;
	name: BuyerCallName;
	values: Values;
	text: string;
}) => {
	const { context, request, name, values, text: answer } = props;
	const { summary } = buyerSummaries[name];
	return (
		<ConsolePage
			context={context}
			part="workspaces"
			title={summary}
			url={new URL(request.url, 'http://localhost')}
		>
			<Notice>{`Done: ${summary}.`}</Notice>
			<p>Copy the secret now. It signs the deliveries, and no page shows it again.</p>
			<Json value={answer} />
			<p>
				<a href={comeBack(values['back'] ?? '')}>Back to the workspace</a>
			</p>
		</ConsolePage>
	);
};

/** What is wrong with a form, or what the API has answered instead of doing it. */
const RefusedPage = (props: {
	context: PagesContext;
	request: FastifyRequest;
	name: BuyerCallName;
	values: Values;
	errors?: Errors;
	answer?: LoopbackAnswer;
}) => {
	const { context, request, name, values, errors = {}, answer } = props;
	const { summary } = buyerSummaries[name];
	return (
		<ConsolePage
			context={context}
			part="workspaces"
			title={`Error: ${summary}`}
			heading={summary}
			url={new URL(request.url, 'http://localhost')}
		>
			<ErrorSummary errors={errors} />
			{answer !== undefined && <Answer answer={answer} />}
			<BuyerForm
				network={context.network}
				name={name}
				workspace={values['workspace'] ?? ''}
				back={values['back'] ?? ''}
				values={values}
				errors={errors}
			/>
			<p>
				<a href={comeBack(values['back'] ?? '')}>Back without doing it</a>
			</p>
		</ConsolePage>
	);
};
