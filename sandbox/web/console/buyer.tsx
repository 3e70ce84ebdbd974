import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findWorkspace } from '../../domain/workspaces';
import type { LoopbackAnswer } from '../../http/loopback';
import { requireOwnOrigin } from '../../http/origin';
import type { Network } from '../../network/network';
import { HttpError, notFound } from '../../shared/errors';
import { ErrorSummary, Fields } from '../../ui/fields';
import { formOf, isClean, readForm, type Errors, type Values } from '../../ui/form';
import { Notice, sendPage } from '../../ui/page';
import { StatusBadge } from '../../ui/text';
import { comeBack } from './actions';
import { buyerCalls, isCall, type Input } from './buyerCalls';
import { Json } from './json';
import {
	buyerSummaries,
	ConsolePage,
	consolePath,
	type BuyerCallName,
	type PagesContext,
} from './frame';

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
