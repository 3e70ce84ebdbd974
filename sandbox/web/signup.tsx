import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { completeSignup, signupState, type SignupState } from '../domain/signups';
import { findVendor, vendorPage } from '../domain/vendors';
import { findWorkspace, type WorkspaceRow } from '../domain/workspaces';
import { actingAs } from '../network/actor';
import type { Network } from '../network/network';
import { email as emailSchema, object } from '../shared/jsonSchema';
import { ErrorSummary, Fields } from '../ui/fields';
import {
	formOf,
	isClean,
	queryOf,
	readForm,
	type Errors,
	type FormSchema,
	type Values,
} from '../ui/form';
import { Notice, Page, sendPage } from '../ui/page';
import { UserText } from '../ui/text';

const digits = (title: string, pattern: string, problem: string) =>
	({ type: 'string', maxLength: 40, control: 'secret', title, pattern, problem }) as const;

const taxFields = {
	tax_id: digits('Tax ID, last four digits', '^\\d{4}$', 'Tax ID: enter the last four digits.'),
} as const;

const signupFields = {
	legal_name: {
		type: 'string',
		maxLength: 120,
		pattern: '^[^\\p{Cc}]+$',
		title: 'Legal or business name',
		problem: 'Enter your name or that of your business, in at most 120 characters.',
	},
	account_number: digits('Account number', '^\\d{4,17}$', 'Account number: enter 4 to 17 digits.'),
	routing_number: digits('Routing number', '^\\d{9}$', 'Routing number: enter nine digits.'),
	...taxFields,
} as const;

/** A form whose fields are all required. */
const allOf = (properties: Record<string, FormSchema>): FormSchema => ({
	...object(properties),
	required: Object.keys(properties),
});

const addressSchema = allOf({ email: emailSchema });

interface Invited {
	workspace: WorkspaceRow;
	email: string;
}

/**
 * Serves the page behind an invite link, which asks for an address and then, at the same address, for
 * what is missing. Nothing is stored before all is there: sending a form twice, going back and
 * reloading do no harm. Bank and tax numbers are checked and not kept.
 */
export function serveSignup(
	app: FastifyInstance,
	network: Network,
	{ production }: { production: boolean },
): void {
	app.get('/join', async (request, reply) => {
		const query = queryOf(request);
		const workspace = findWorkspace(network, query.get('invitationId') ?? '');
		if (workspace === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}

		const invited = invitedBy(request);
		if (invited === undefined) {
			const values = Object.fromEntries(query);
			const errors = query.has('email') ? readForm(addressSchema, values).errors : {};
			const page = <AskAddress workspace={workspace} values={values} errors={errors} />;
			await sendPage(reply, page, isClean(errors) ? 200 : 422);
			return;
		}

		await show(reply, invited);
	});

	app.post('/join', async (request, reply) => {
		const invited = invitedBy(request);
		if (invited === undefined) {
			await sendPage(reply, <NoInvitation />, 404);
			return;
		}

		const { workspace, email } = invited;
		const values = formOf(request);
		const state = signupState(network, workspace.id, email);
		const errors = values['skip'] === 'yes' ? {} : errorsIn(schemas[state], values);
		if (!isClean(errors)) {
			await show(reply, invited, values, errors);
			return;
		}

		const name = values['legal_name'] ?? '';
		actingAs({ who: `vendor ${email}`, action: 'sign-up' }, () => {
			network.store.transaction(() => {
				completeSignup(network, workspace.id, email, name === '' ? null : name);
			});
		});

		await reply.redirect(request.url, 303);
	});

	function invitedBy(request: FastifyRequest): Invited | undefined {
		const query = queryOf(request);
		const workspace = findWorkspace(network, query.get('invitationId') ?? '');
		const email = query.get('email')?.trim() ?? '';
		const isValid = isClean(readForm(addressSchema, { email }).errors);
		return workspace === undefined || !isValid ? undefined : { workspace, email };
	}

	async function show(
		reply: FastifyReply,
		{ workspace, email }: Invited,
		values: Values = {},
		errors: Errors = {},
	): Promise<void> {
		const state = signupState(network, workspace.id, email);
		const vendor = findVendor(network, email);
		const view = views[state]({
			workspace: <UserText>{workspace.display_name}</UserText>,
			email: <UserText>{email}</UserText>,
			name: <UserText>{vendor?.business_name ?? email}</UserText>,
		});

		const page = (
			<SignupPage {...view} values={values} errors={errors} schema={schemas[state]}>
				{vendor !== undefined && schemas[state] === undefined && !production && (
					<p>
						<a href={vendorPage(vendor.id, vendor.page_key)}>See your wallet and payments</a>
					</p>
				)}
			</SignupPage>
		);

		await sendPage(reply, page, isClean(errors) ? 200 : 422);
	}
}

const errorsIn = (schema: FormSchema | undefined, values: Values): Errors =>
	schema === undefined ? {} : readForm(schema, values).errors;

/** What each state asks for before the vendor joins; the others have no form. */
const schemas: Partial<Record<SignupState, FormSchema>> = {
	new: allOf(signupFields),
	known: object({}),
	tax: allOf(taxFields),
};

/** What a page of the sign-up says, and the button of its form. */
interface View {
	title: string;
	heading?: ComponentChildren;
	text: ComponentChildren;
	button?: string;
}

/** Who the sign-up is about, as users have written it. */
type Names = Record<'workspace' | 'email' | 'name', ComponentChildren>;

const SignupPage = (
	props: View & {
		schema: FormSchema | undefined;
		values: Values;
		errors: Errors;
		/** The form repeats a question in the address, instead of an answer to the sandbox. */
		method?: 'get';
		children?: ComponentChildren;
	},
) => {
	const { title, heading = title, text, button, schema, values, errors, method, children } = props;
	return (
		<Page title={`${isClean(errors) ? '' : 'Error: '}${title}`} heading={heading}>
			<ErrorSummary errors={errors} />
			{text}
			{schema !== undefined && (
				<form method={method ?? 'post'} novalidate>
					{method === 'get' && <Kept values={values} />}
					<Fields schema={schema} values={values} errors={errors} />
					<button>{button}</button>
				</form>
			)}
			{children}
		</Page>
	);
};

/** What the address has beside the answer, which the form sends along. */
const Kept = ({ values }: { values: Values }) => (
	<>
		{Object.entries(values)
			.filter(([name]) => name !== 'email')
			.map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
	</>
);

const AskAddress = (props: { workspace: WorkspaceRow; values: Values; errors: Errors }) => {
	const { display_name: name } = props.workspace;
	return (
		<SignupPage
			{...props}
			method="get"
			schema={addressSchema}
			button="Continue"
			title={`${name} wants to pay you`}
			heading={
				<>
					<UserText>{name}</UserText> wants to pay you
				</>
			}
			text={
				<p>
					Join the payouts network to get paid. It takes one form; if you are in the network
					already, it takes one button.
				</p>
			}
		/>
	);
};

const views: Record<SignupState, (names: Names) => View> = {
	new: ({ workspace, email }) => ({
		title: 'Sign up',
		button: 'Sign and finish',
		text: (
			<>
				<p>
					So that {workspace} can pay {email}.
				</p>
				<p class="note">
					Make the answers up: no bank and no tax authority receives them, and the numbers are not
					kept.
				</p>
				<form method="post" class="inline">
					<input type="hidden" name="skip" value="yes" />
					<button class="second">Skip this form</button>
				</form>
			</>
		),
	}),
	known: ({ workspace, name }) => ({
		title: 'Accept the invitation',
		heading: <>Let {workspace} pay you?</>,
		button: 'Accept the invitation',
		text: (
			<p>
				{name} is in the network and verified: there is nothing more to fill in. Payments go to the
				account that you have given before.
			</p>
		),
	}),
	tax: ({ email }) => ({
		title: 'Renew your tax form',
		button: 'Renew and accept',
		text: (
			<p>
				You are verified, but your tax form has expired. Payments to {email} wait until you renew
				it.
			</p>
		),
	}),
	waiting: ({ workspace }) => ({
		title: 'You are not verified yet',
		text: (
			<Notice>
				You have joined {workspace}. Payments wait until the network has verified you.
			</Notice>
		),
	}),
	joined: ({ workspace, email, name }) => ({
		title: 'You can be paid',
		heading: <>{workspace} can pay you now</>,
		text: (
			<>
				<Notice>
					You are verified. What has been waiting for you is paid as soon as its money is there.
				</Notice>
				<p>
					Payments to {email} go to <strong>{name}</strong>.
				</p>
			</>
		),
	}),
	declined: ({ workspace, email }) => ({
		title: 'You cannot be paid through this network',
		text: (
			<>
				<p class="error">
					The network has checked {email} before and declined it, so {workspace} cannot pay this
					address here.
				</p>
				<p>
					Signing up again does not change this. Ask {workspace} about it. In this sandbox, verify
					the vendor on the buyer console, then open the invite link again.
				</p>
			</>
		),
	}),
};

/** Behind a link that leads to no workspace. */
const NoInvitation = () => (
	<Page title="This invitation does not work">
		<p class="error">The link is incomplete, or its workspace is not there any more.</p>
		<p>Open the whole link from your invitation mail, or ask for a new one.</p>
	</Page>
);
