import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findPayable } from '../../domain/payables';
import { findWorkspace, type WorkspaceRow } from '../../domain/workspaces';
import type { LoopbackAnswer } from '../../http/loopback';
import { requireOwnOrigin } from '../../http/origin';
import type { Network } from '../../network/network';
import { HttpError, notFound } from '../../shared/errors';
import { email, minorUnits, object } from '../../shared/jsonSchema';
import { ErrorSummary, Fields } from '../../ui/fields';
import {
	formOf,
	isClean,
	readForm,
	type Errors,
	type FormSchema,
	type Values,
} from '../../ui/form';
import { sendPage } from '../../ui/page';
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
}

const id = { type: 'string', minLength: 1 } as const;

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
		schema: object({ payable: id, method: { type: 'string', enum: ['balance', 'invoice'] } }, [
			'payable',
			'method',
		]),
		hidden: ['payable'],
		callOf: ({ id: workspace_id }, { payable, method }, network) => ({
			path: '/funding',
			body: {
				workspace_id,
				method,
				amount: findPayable(network, String(payable))?.amount ?? 1,
				payable_ids: [payable],
			},
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
};

const isCall = (name: string): name is BuyerCallName => Object.hasOwn(buyerCalls, name);

/** The form of a call, with its fields. */
export const BuyerForm = (props: {
	name: BuyerCallName;
	workspace: string;
	back: string;
	values?: Values;
	errors?: Errors;
}) => {
	const { name, workspace, back, values = {}, errors } = props;
	const { schema, hidden } = buyerCalls[name];
	return (
		<form method="post" action={consolePath(`buy/${name}`)} novalidate>
			<input type="hidden" name="workspace" value={workspace} />
			<input type="hidden" name="back" value={back} />
			<div class="grid">
				<Fields schema={schema} values={values} errors={errors} hidden={hidden} />
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
	if (answer.kind === 'answered' && answer.status < 300) {
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
