import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type default as Provider, type InteractionResults } from 'oidc-provider';
import type { Network } from '../network/network';
import { allUsers, findUser, workspacesOfUser, type UserRow } from '../domain/users';
import { demo } from '../seed/demo';
import { formOf, queryOf, type Values } from '../ui/form';
import { sendPage } from '../ui/page';
import { findApplication } from '../domain/applications';
import { SIGN_IN } from './identity-provider';
import { Consent, SignIn, SignInFailed, type SignInOption } from './pages';

const PROVIDER_PATHS = [
	'/authorize',
	'/authorize/:uid',
	'/jwks',
	'/.well-known/openid-configuration',
];

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** One page of signing in: what it shows, and what an answer to it means. */
interface Step {
	show: (interaction: Interaction, reply: FastifyReply, email: string) => Promise<void>;
	/** What the provider is told, or undefined when the page was shown again. */
	answer: (
		interaction: Interaction,
		reply: FastifyReply,
		values: Values,
	) => Promise<InteractionResults | undefined>;
}

/**
 * Serves the identity provider's pages on the authentication host: the provider's own addresses, and
 * the pages on which a person signs in and consents.
 */
export function serveSignIn(
	app: FastifyInstance,
	network: Network,
	provider: () => Provider,
): void {
	for (const url of PROVIDER_PATHS) {
		app.get(url, async (request, reply) => {
			reply.hijack();
			await provider().callback()(request.raw, reply.raw);
		});
	}

	const steps = new Map<string, Step>([
		['login', signIn(network)],
		['consent', consent(network, provider)],
	]);
	const current = async (request: FastifyRequest, reply: FastifyReply) => {
		const interaction = await provider()
			.interactionDetails(request.raw, reply.raw)
			.catch((error: unknown) => {
				if (error instanceof errors.SessionNotFound) return undefined;
				throw error;
			});
		const step = interaction && steps.get(interaction.prompt.name);
		if (interaction !== undefined && step !== undefined) return { interaction, step };
		await sendPage(reply, SignInFailed({ reason: 'This sign-in has ended or has expired.' }), 400);
		return undefined;
	};

	app.get(`${SIGN_IN}/:uid`, async (request, reply) => {
		const found = await current(request, reply);
		await found?.step.show(found.interaction, reply, queryOf(request).get('email') ?? '');
	});
	app.post(`${SIGN_IN}/:uid`, async (request, reply) => {
		const found = await current(request, reply);
		const result = await found?.step.answer(found.interaction, reply, formOf(request));
		if (result === undefined) return;
		const next = await provider().interactionResult(request.raw, reply.raw, result);
		await reply.redirect(next, 303);
	});
}

const applicationOf = ({ params }: Interaction, network: Network): string => {
	const id = String(params['client_id']);
	return findApplication(network.store, id)?.name ?? id;
};

function signIn(network: Network): Step {
	const show = async (
		interaction: Interaction,
		reply: FastifyReply,
		email: string,
		error?: string,
	) => {
		const page = SignIn({
			application: applicationOf(interaction, network),
			email,
			error,
			options: allUsers(network).map((user) => signInOption(network, user)),
		});
		await sendPage(reply, page, error === undefined ? 200 : 400);
	};
	return {
		show,
		answer: async (interaction, reply, values) => {
			const email = values['email'] ?? '';
			const user = findUser(network, email);
			if (user !== undefined && (values['password'] ?? '') === demo.userPassword) {
				return { login: { accountId: user.id } };
			}
			await show(interaction, reply, email, 'The e-mail address or the password is wrong.');
			return undefined;
		},
	};
}

const signInOption = (network: Network, user: UserRow): SignInOption => ({
	email: user.email,
	name: `${user.first_name} ${user.last_name}`,
	roles: workspacesOfUser(network, user.id).map(
		({ role, display_name }) => `${role.display_name} in ${display_name}`,
	),
});

function consent(network: Network, provider: () => Provider): Step {
	return {
		show: async (interaction, reply) => {
			const user = findUser(network, interaction.session?.accountId ?? '');
			const page = Consent({
				application: applicationOf(interaction, network),
				name: user === undefined ? '' : `${user.first_name} ${user.last_name}`,
				email: user?.email ?? '',
				scopes: scopesOf(interaction),
			});
			await sendPage(reply, page);
		},
		answer: async (interaction, _, values) => {
			const accountId = interaction.session?.accountId;
			if ((values['answer'] ?? '') !== 'allow' || accountId === undefined) {
				return { error: 'access_denied', error_description: 'The user refused access.' };
			}
			const clientId = String(interaction.params['client_id']);
			const { Grant } = provider();
			const grant = new Grant({ accountId, clientId });
			grant.addOIDCScope(scopesOf(interaction).join(' '));
			return { consent: { grantId: await grant.save() } };
		},
	};
}

/** The provider has checked that the scope is text. */
const scopesOf = ({ params: { scope } }: Interaction): string[] =>
	typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
