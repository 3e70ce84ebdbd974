import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type default as Provider, type InteractionResults } from 'oidc-provider';
import { findApplication } from '../domain/applications';
import { allUsers, findUser, workspacesOfUser, type UserRow } from '../domain/users';
import type { Network } from '../network/network';
import { demo } from '../seed/demo';
import { formOf, queryOf, type Values } from '../ui/form';
import { Page, sendPage } from '../ui/page';
import { splitUrl } from '../http/messages';
import { authorizationProblem } from './authorizationRedirect';
import { discovery, SIGN_IN } from './identityProvider';
import { SignInFailed } from './signInFailed';

const PROVIDER_PATHS = ['/authorize/:uid', '/jwks'];
const DISCOVERY_PATHS = [
	'/.well-known/openid-configuration',
	'/.well-known/oauth-authorization-server',
];

export interface SignInContext {
	network: Network;
	provider: () => Provider;
	/** Where the two hosts are reached; known once they listen. */
	origins: { api: string; authentication: string };
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Serves the provider's own addresses, and the pages on which a person signs in and consents. */
export function serveSignIn(app: FastifyInstance, context: SignInContext): void {
	const { network, provider, origins } = context;
	const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		reply.hijack();
		await provider().callback()(request.raw, reply.raw);
	};

	for (const url of PROVIDER_PATHS) {
		app.get(url, pass);
	}

	for (const url of DISCOVERY_PATHS) {
		app.get(url, () => discovery(origins.api, origins.authentication));
	}

	app.get('/authorize', async (request, reply) => {
		const problem = authorizationProblem(splitUrl(request.raw.url ?? '').query);
		if (problem === undefined) {
			await pass(request, reply);
		} else {
			await sendPage(reply, <SignInFailed reason={problem} />, 400);
		}
	});

	app.get(`${SIGN_IN}/:uid`, async (request, reply) => {
		const interaction = await findInteraction(provider(), request, reply);
		if (interaction === undefined) {
			await sendPage(reply, <SignInEnded />, 400);
			return;
		}

		const email = queryOf(request).get('email') ?? '';
		await sendPage(reply, pageOf(network, interaction, { email }));
	});

	app.post(`${SIGN_IN}/:uid`, async (request, reply) => {
		const interaction = await findInteraction(provider(), request, reply);
		if (interaction === undefined) {
			await sendPage(reply, <SignInEnded />, 400);
			return;
		}

		const values = formOf(request);
		const isSignIn = interaction.prompt.name === 'login';
		const result = isSignIn
			? signIn(network, values)
			: await consent(provider(), interaction, values);
		if (result === undefined) {
			const email = values['email'] ?? '';
			const error = 'The e-mail address or the password is wrong.';
			await sendPage(reply, pageOf(network, interaction, { email, error }), 400);
			return;
		}

		const next = await provider().interactionResult(request.raw, reply.raw, result);
		await reply.redirect(next, 303);
	});
}

/** The sign-in that a request belongs to; undefined when there is none any more. */
async function findInteraction(
	provider: Provider,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<Interaction | undefined> {
	try {
		return await provider.interactionDetails(request.raw, reply.raw);
	} catch (error) {
		if (error instanceof errors.SessionNotFound) {
			return undefined;
		}

		throw error;
	}
}

const SignInEnded = () => <SignInFailed reason="This sign-in has ended or has expired." />;

/** What a person is asked now: who they are, or whether the application may act for them. */
function pageOf(
	network: Network,
	interaction: Interaction,
	{ email, error }: { email: string; error?: string },
) {
	const id = String(interaction.params['client_id']);
	const application = findApplication(network.store, id)?.name ?? id;
	const user = findUser(network, interaction.session?.accountId ?? '');
	if (user === undefined || interaction.prompt.name === 'login') {
		return <SignIn network={network} application={application} email={email} error={error} />;
	}

	return <Consent application={application} user={user} scopes={scopesOf(interaction)} />;
}

function signIn(network: Network, values: Values): InteractionResults | undefined {
	const user = findUser(network, values['email'] ?? '');
	const isRight = user !== undefined && values['password'] === demo.userPassword;
	return isRight ? { login: { accountId: user.id } } : undefined;
}

async function consent(
	{ Grant }: Provider,
	interaction: Interaction,
	values: Values,
): Promise<InteractionResults> {
	const accountId = interaction.session?.accountId;
	if (values['answer'] !== 'allow' || accountId === undefined) {
		return { error: 'access_denied', error_description: 'The user refused access.' };
	}

	const grant = new Grant({ accountId, clientId: String(interaction.params['client_id']) });
	grant.addOIDCScope(scopesOf(interaction).join(' '));
	return { consent: { grantId: await grant.save() } };
}

/** The provider has checked that the scope is text. */
const scopesOf = ({ params: { scope } }: Interaction): string[] =>
	typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];

const rolesOf = (network: Network, { id }: UserRow): string =>
	workspacesOfUser(network, id)
		.map(({ role, display_name }) => `${role.display_name} in ${display_name}`)
		.join(', ');

/** Asks who the person is. The sandbox's users and their password are no secret. */
const SignIn = (props: {
	network: Network;
	/** Who wants access. */
	application: string;
	email: string;
	/** What was wrong with the last attempt. */
	error: string | undefined;
}) => (
	<Page title="Sign in">
		<p>
			<strong>{props.application}</strong> asks for access to your account.
		</p>
		{props.error !== undefined && (
			<p class="error" role="alert" id="error">
				{props.error}
			</p>
		)}
		<form method="post">
			<label>
				E-mail address
				<input name="email" type="email" autocomplete="username" required value={props.email} />
			</label>
			<label>
				Password
				<input
					name="password"
					type="password"
					autocomplete="current-password"
					required
					aria-describedby={props.error === undefined ? 'hint' : 'error hint'}
				/>
			</label>
			<p class="note" id="hint">
				Every password in this sandbox is <code>{demo.userPassword}</code>.
			</p>
			<button>Sign in</button>
		</form>
		<h2>Who can sign in</h2>
		<ul>
			{allUsers(props.network).map((user) => (
				<li key={user.email}>
					<a href={`?email=${encodeURIComponent(user.email)}`}>{user.email}</a>
					<br />
					<span class="note">
						{user.first_name} {user.last_name}: {rolesOf(props.network, user) || 'in no workspace'}
					</span>
				</li>
			))}
		</ul>
	</Page>
);

/** What each scope lets an application do, as the consent page says it. */
const scopeTexts: Record<string, string> = {
	openid: 'know which user you are',
	profile: 'see your name',
	email: 'see your e-mail address',
};

/** Asks whether the application may act for the person. */
const Consent = (props: { application: string; user: UserRow; scopes: string[] }) => (
	<Page title={`Allow ${props.application}?`}>
		<p>
			You are signed in as{' '}
			<strong>
				{props.user.first_name} {props.user.last_name}
			</strong>{' '}
			({props.user.email}).
		</p>
		<p>
			<strong>{props.application}</strong> wants to
		</p>
		<ul>
			<li>pay vendors from your workspaces, as you may</li>
			{props.scopes.map((scope) => (
				<li key={scope}>{scopeTexts[scope] ?? scope}</li>
			))}
		</ul>
		<form method="post" class="choice">
			<button name="answer" value="allow">
				Allow
			</button>{' '}
			<button name="answer" value="refuse" class="second">
				Refuse
			</button>
		</form>
	</Page>
);
