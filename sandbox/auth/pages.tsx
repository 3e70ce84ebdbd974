import { demo } from '../seed/demo';
import { Page } from '../ui/page';

export interface SignInOption {
	email: string;
	name: string;
	/** For example "Admin in Northwind Media US". */
	roles: string[];
}

/** Asks who the person is. The sandbox's users and their password are no secret. */
export const SignIn = (props: {
	application: string;
	email: string;
	error?: string | undefined;
	options: SignInOption[];
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
				Everybody's password in this sandbox is <code>{demo.userPassword}</code>.
			</p>
			<button>Sign in</button>
		</form>
		<h2>Who can sign in</h2>
		<ul>
			{props.options.map(({ email, name, roles }) => (
				<li key={email}>
					<a href={`?email=${encodeURIComponent(email)}`}>{email}</a>
					<br />
					<span class="note">
						{name}: {roles.length === 0 ? 'in no workspace' : roles.join(', ')}
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
export const Consent = (props: {
	application: string;
	name: string;
	email: string;
	scopes: string[];
}) => (
	<Page title={`Allow ${props.application}?`}>
		<p>
			You are signed in as <strong>{props.name}</strong> ({props.email}).
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

/** Tells why nobody can sign in this way, and what to do. */
export const SignInFailed = ({ reason }: { reason: string }) => (
	<Page title="You cannot connect this way">
		<p class="error" role="alert">
			{reason}
		</p>
		<p>Close this window, mend what it says, and connect again. Nothing was shared.</p>
	</Page>
);
