import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../../network/network';
import {
	acceptAsKnownVendor,
	startSignup,
	completeSignup,
	findSignup,
	saveAnswers,
	signupState,
	type SignupRow,
	type SignupState,
} from '../../domain/signups';
import { findVendor, type VendorRow } from '../../domain/vendors';
import { findWorkspace, inviteUrl, type WorkspaceRow } from '../../domain/workspaces';
import { check, formOf, isClean, queryOf, valueOf, type Values } from '../../ui/form';
import { sendPage } from '../../ui/page';
import { bank } from './bank';
import { isEmail } from './email';
import { Accept, Declined, Joined } from './endings';
import { identity } from './identity';
import { Invitation, NoInvitation, NoSignup } from './invitation';
import type { Step } from './step';
import { StepPage } from './step-page';
import { tax } from './tax';

const steps: readonly Step[] = [identity, bank, tax];

/** A sign-up with what surrounds it. */
interface Signup {
	row: SignupRow;
	workspace: WorkspaceRow;
	vendor: VendorRow | undefined;
	state: SignupState;
}

/**
 * Serves the pages behind an invite link. Every page checks the state of the sign-up and redirects
 * to the page for it: sending a form twice, going back and reloading do no harm.
 */
export function serveSignup(app: FastifyInstance, network: Network): void {
	serveInvitation(app, network);

	const page = (
		method: 'GET' | 'POST',
		path: string,
		answer: (signup: Signup, reply: FastifyReply, request: FastifyRequest) => Promise<void>,
	) =>
		app.route<{ Params: { id: string } }>({
			method,
			url: `/join/:id${path}`,
			handler: async (request, reply) => {
				const signup = readSignup(network, request.params.id);
				if (signup === undefined) {
					await sendPage(reply, <NoSignup />, 404);
				} else await answer(signup, reply, request);
			},
		});
	const redirectTo = async (reply: FastifyReply, path: string) => await reply.redirect(path, 303);
	/** Shows the page only in this state; redirects to the right one otherwise. */
	const only =
		(
			state: SignupState,
			answer: (signup: Signup, reply: FastifyReply, request: FastifyRequest) => Promise<void>,
		) =>
		async (signup: Signup, reply: FastifyReply, request: FastifyRequest) => {
			if (signup.state === state) await answer(signup, reply, request);
			else await redirectTo(reply, currentPath(signup));
		};
	const show = async (
		step: Step,
		{ row, workspace }: Signup,
		reply: FastifyReply,
		sent?: { values: Values; errors: Values },
	) => {
		const before = steps[steps.indexOf(step) - 1];
		const back = before === undefined ? invitePath(network, workspace) : stepPath(row, before);
		const form = sent ?? { values: step.values(row), errors: {} };
		const props = { step, steps, signup: row, back, ...form };
		await sendPage(reply, <StepPage {...props} />, sent === undefined ? 200 : 422);
	};

	page('GET', '', async (signup, reply) => await redirectTo(reply, currentPath(signup)));
	for (const step of steps) {
		const reachable = (row: SignupRow) =>
			steps.indexOf(step) <= steps.indexOf(firstUnanswered(row));
		page(
			'GET',
			`/${step.path}`,
			only('new', async (signup, reply) => {
				if (reachable(signup.row)) await show(step, signup, reply);
				else await redirectTo(reply, currentPath(signup));
			}),
		);
		page(
			'POST',
			`/${step.path}`,
			only('new', async (signup, reply, request) => {
				if (!reachable(signup.row)) {
					await redirectTo(reply, currentPath(signup));
					return;
				}
				const values = formOf(request);
				const errors = step.check(values, signup.row);
				if (!isClean(errors)) {
					await show(step, signup, reply, { values: step.repeat(values), errors });
					return;
				}
				const row = network.store.transaction(() => {
					const saved = saveAnswers(network, signup.row, step.answers(values, signup.row));
					if (step === steps.at(-1)) completeSignup(network, saved);
					return saved;
				});
				const next = steps[steps.indexOf(step) + 1];
				await redirectTo(reply, next === undefined ? `/join/${row.id}` : stepPath(row, next));
			}),
		);
	}
	page(
		'GET',
		'/accept',
		only('known', async ({ workspace, vendor }, reply) => {
			if (vendor === undefined) throw new Error('Nobody is known who is no vendor.');
			await sendPage(reply, <Accept workspace={workspace.display_name} vendor={vendor} />);
		}),
	);
	page('POST', '/accept', async (signup, reply) => {
		network.store.transaction(() => {
			acceptAsKnownVendor(network, signup.row);
		});
		await redirectTo(reply, `/join/${signup.row.id}`);
	});
	page(
		'GET',
		'/done',
		only('joined', async ({ workspace, vendor }, reply) => {
			if (vendor === undefined) throw new Error('Nobody has joined who is no vendor.');
			await sendPage(reply, <Joined workspace={workspace.display_name} vendor={vendor} />);
		}),
	);
	page(
		'GET',
		'/declined',
		only('declined', async ({ workspace, row }, reply) => {
			await sendPage(reply, <Declined workspace={workspace.display_name} email={row.email} />);
		}),
	);
}

/** The page that the invite link itself leads to. */
function serveInvitation(app: FastifyInstance, network: Network): void {
	const inviting = (request: FastifyRequest) =>
		findWorkspace(network, queryOf(request).get('invitationId') ?? '');

	app.get('/join', async (request, reply) => {
		const workspace = inviting(request);
		if (workspace === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}
		const form = { values: {}, errors: {} };
		await sendPage(reply, <Invitation workspace={workspace.display_name} {...form} />);
	});
	app.post('/join', async (request, reply) => {
		const workspace = inviting(request);
		if (workspace === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}
		const values = formOf(request);
		const email = valueOf(values, 'email');
		const wrong = 'Enter an e-mail address, for example name@example.com.';
		const errors = check(values, [['email', () => (isEmail(email) ? undefined : wrong)]]);
		if (!isClean(errors)) {
			const form = { workspace: workspace.display_name, values, errors };
			await sendPage(reply, <Invitation {...form} />, 422);
			return;
		}
		const { id } = network.store.transaction(() => startSignup(network, workspace.id, email));
		await reply.redirect(`/join/${id}`, 303);
	});
}

function readSignup(network: Network, id: string): Signup | undefined {
	const row = findSignup(network, id);
	const workspace = row && findWorkspace(network, row.workspace_id);
	if (row === undefined || workspace === undefined) return undefined;
	const vendor = findVendor(network, row.email);
	return { row, workspace, vendor, state: signupState(network, row) };
}

const stepPath = (row: SignupRow, step: Step): string => `/join/${row.id}/${step.path}`;

/** The first step without an answer; with all answered, the last, which finishes. */
const firstUnanswered = (row: SignupRow): Step =>
	steps.find((step) => !step.isAnswered(row)) ?? tax;

const paths: Record<SignupState, (row: SignupRow) => string> = {
	new: (row) => stepPath(row, firstUnanswered(row)),
	known: ({ id }) => `/join/${id}/accept`,
	joined: ({ id }) => `/join/${id}/done`,
	declined: ({ id }) => `/join/${id}/declined`,
};

/** Where somebody belongs who opens the sign-up. */
const currentPath = ({ row, state }: Signup): string => paths[state](row);

/** The workspace's invite link, as a path of this host. */
function invitePath(network: Network, workspace: WorkspaceRow): string {
	const { pathname, search } = new URL(inviteUrl(network, workspace));
	return pathname + search;
}
